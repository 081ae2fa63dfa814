import { logError } from '../logging.ts';
import { pauseAfter, type RetryPolicy } from './retry-policy.domain.ts';

/** State of the work of an object: the next step and its input. */
export interface StepNote {
  step: string;
}

/** The step that follows, after a pause; null: the work is done. */
export type NextStep<Note> = { note: Note; pauseMilliseconds?: number } | null;

export interface StepRunnerOptions<Note extends StepNote> {
  /** For the log. */
  name: string;
  policy: RetryPolicy;
  /** The implementation of each step. A step may run again from its beginning at any time. */
  steps: Readonly<Record<Note['step'], (note: Note) => Promise<NextStep<Note>>>>;
  /** Runs when the last try of a step failed. */
  givenUp?(note: Note, error: unknown): Promise<void>;
  /** Real time in milliseconds. */
  nowMs(): number;
}

/** The subset of an object's storage that the runner needs. */
export interface RunnerStorage extends Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'deleteAlarm'> {
  kv: Pick<SyncKvStorage, 'get' | 'put' | 'delete'>;
}

interface Progress<Note> {
  note: Note;
  /** Tries of the step that failed. */
  failures: number;
  /** The step began and its end was not noted yet. */
  isRunning?: true;
}

const PROGRESS = 'progress';
/** Maximum delay before an object resumes after an eviction during a step. A longer step renews its lease. */
export const LEASE_SECONDS = 60;

/**
 * Runs the work of a Durable Object, a step with each alarm. The note of the next step is stored when a step is done, and the alarm
 * is set to the end of the lease before a step begins: a crash or an eviction costs one step and is followed by another try.
 */
export class StepRunner<Note extends StepNote> {
  readonly #storage: RunnerStorage;
  readonly #options: StepRunnerOptions<Note>;
  #isRunning = false;
  /** New work was started while a step ran: it replaces the following step. */
  #isReplaced = false;

  constructor(storage: RunnerStorage, options: StepRunnerOptions<Note>) {
    this.#storage = storage;
    this.#options = options;
    // An earlier instance of the object was evicted during this step: a request to the object resumes it without waiting for
    // the lease.
    if (this.#progress()?.isRunning) void storage.setAlarm(options.nowMs());
  }

  /** The note of the next or running step; null when no work is left. */
  note(): Note | null {
    return this.#progress()?.note ?? null;
  }

  /** Tries of this step that failed. */
  failures(): number {
    return this.#progress()?.failures ?? 0;
  }

  /** Begins work in the place of any other. */
  async begin(note: Note): Promise<void> {
    this.#isReplaced = this.#isRunning;
    this.#storage.kv.put(PROGRESS, { note, failures: 0 } satisfies Progress<Note>);
    await this.#storage.setAlarm(this.#options.nowMs());
  }

  /** Resumes pending work; `atOnce` ends the pause before its next step. */
  async goOn(atOnce: boolean): Promise<void> {
    if (atOnce || (await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(this.#options.nowMs());
  }

  /** Runs the next step; to be called by the object's alarm. */
  async alarm(): Promise<void> {
    const progress = this.#progress();
    if (!progress) return;
    const { steps, nowMs } = this.#options;
    const leaseEnd = nowMs() + LEASE_SECONDS * 1000;
    if (this.#isRunning) return this.#storage.setAlarm(leaseEnd);
    this.#isRunning = true;
    let next: NextStep<Note>;
    try {
      this.#storage.kv.put(PROGRESS, { ...progress, isRunning: true } satisfies Progress<Note>);
      await this.#storage.setAlarm(leaseEnd);
      next = await steps[progress.note.step as Note['step']](progress.note);
    } catch (error) {
      return this.#recover(progress, error);
    }
    await this.#store(next && { note: next.note, failures: 0 }, next?.pauseMilliseconds ?? 0);
  }

  #progress(): Progress<Note> | undefined {
    return this.#storage.kv.get<Progress<Note>>(PROGRESS);
  }

  async #recover({ note, failures }: Progress<Note>, error: unknown): Promise<void> {
    const { name, policy, givenUp } = this.#options;
    logError('a step failed', error, { runner: name, step: note.step, failures: failures + 1 });
    const pause = pauseAfter(policy, failures + 1);
    if (pause !== null) return this.#store({ note, failures: failures + 1 }, pause * 1000);
    await givenUp?.(note, error).catch((failure: unknown) => logError('a failed step could not be noted', failure, { runner: name }));
    await this.#store(null, 0);
  }

  /** Notes what follows, and when. */
  async #store(progress: Progress<Note> | null, pauseMilliseconds: number): Promise<void> {
    const isReplaced = this.#isReplaced;
    this.#isReplaced = false;
    this.#isRunning = false;
    if (isReplaced) return this.#storage.setAlarm(this.#options.nowMs());
    if (!progress) {
      this.#storage.kv.delete(PROGRESS);
      return this.#storage.deleteAlarm();
    }
    this.#storage.kv.put(PROGRESS, progress);
    await this.#storage.setAlarm(this.#options.nowMs() + pauseMilliseconds);
  }
}
