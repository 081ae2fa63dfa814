import { logError } from '../kit/logging.ts';
import { pauseAfter, type RetryPolicy } from './retry-policy.domain.ts';

/** The next step of the work of an object, and its input. */
export interface StepNote {
  step: string;
}

/** The next step, after an optional pause; null when the work is done. */
export type NextStep<Note> = { note: Note; pauseMs?: number } | null;

export interface StepRunnerOptions<Note extends StepNote> {
  /** Appears in the log. */
  name: string;
  policy: RetryPolicy;
  /** The implementation of each step. A step must be idempotent: it may run again from its beginning. */
  steps: Readonly<Record<Note['step'], (note: Note) => Promise<NextStep<Note>>>>;
  /** Runs after the last attempt of a step failed. */
  onExhausted?(note: Note, error: unknown): Promise<void>;
  /** Real time in milliseconds. */
  nowMs(): number;
}

/** The subset of an object's storage that the runner needs. */
export interface RunnerStorage extends Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'deleteAlarm'> {
  kv: Pick<SyncKvStorage, 'get' | 'put' | 'delete'>;
}

export interface Progress<Note> {
  note: Note;
  /** Failed attempts of the step. */
  failures: number;
  /** True from the start of the step until its result is stored. */
  isRunning?: true;
}

export const PROGRESS = 'progress';
/** Maximum delay before an evicted object resumes its step. The alarm renews the lease of a longer step. */
export const LEASE_SECONDS = 60;

/**
 * Runs the work of a Durable Object, one step per alarm. Each step stores the next step when it is done. The alarm is set to the end
 * of the lease before a step starts, so a crash or an eviction repeats one step.
 */
export class StepRunner<Note extends StepNote> {
  readonly #storage: RunnerStorage;
  readonly #options: StepRunnerOptions<Note>;
  #isRunning = false;
  /** True when `begin` was called during a step: the new work replaces the next step. */
  #isReplaced = false;

  constructor(storage: RunnerStorage, options: StepRunnerOptions<Note>) {
    this.#storage = storage;
    this.#options = options;
    // The object was evicted during this step: any request to the new instance resumes it before the lease ends.
    if (this.#progress()?.isRunning) void storage.setAlarm(options.nowMs());
  }

  /** The next or running step; null when no work is left. */
  note(): Note | null {
    return this.#progress()?.note ?? null;
  }

  /** Failed attempts of this step. */
  failures(): number {
    return this.#progress()?.failures ?? 0;
  }

  /** Starts work; replaces any other work. */
  async begin(note: Note): Promise<void> {
    this.#isReplaced = this.#isRunning;
    // No await between note and alarm: the object stores both or neither.
    this.#storage.kv.put(PROGRESS, { note, failures: 0 } satisfies Progress<Note>);
    await this.#storage.setAlarm(this.#options.nowMs());
  }

  /** Resumes pending work; `skipPause` ends the pause before its next step. */
  async resume(skipPause: boolean): Promise<void> {
    if (skipPause || (await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(this.#options.nowMs());
  }

  /** Runs the next step. Call this in the object's alarm handler. */
  async alarm(): Promise<void> {
    const progress = this.#progress();
    if (!progress) return;
    const { steps, nowMs } = this.#options;
    const leaseEnd = nowMs() + LEASE_SECONDS * 1000;
    // The step is longer than its lease: renewed, because an object without an alarm would not continue after an eviction.
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
    await this.#store(next && { note: next.note, failures: 0 }, next?.pauseMs ?? 0);
  }

  #progress(): Progress<Note> | undefined {
    return this.#storage.kv.get<Progress<Note>>(PROGRESS);
  }

  async #recover({ note, failures }: Progress<Note>, error: unknown): Promise<void> {
    const { name, policy, onExhausted } = this.#options;
    logError('step failed', error, { runner: name, step: note.step, failures: failures + 1 });
    const pause = pauseAfter(policy, failures + 1);
    if (pause !== null) return this.#store({ note, failures: failures + 1 }, pause * 1000);
    // Without a retry of its own: the work is given up in both cases, and the record must not keep the object busy.
    await onExhausted?.(note, error).catch((failure: unknown) => logError('failed step could not be recorded', failure, { runner: name }));
    await this.#store(null, 0);
  }

  /** Stores the next step and sets the alarm for it. */
  async #store(progress: Progress<Note> | null, pauseMs: number): Promise<void> {
    const isReplaced = this.#isReplaced;
    this.#isReplaced = false;
    this.#isRunning = false;
    // The note of the new work is stored: the result of the replaced step must not overwrite it.
    if (isReplaced) return this.#storage.setAlarm(this.#options.nowMs());
    if (!progress) {
      this.#storage.kv.delete(PROGRESS);
      return this.#storage.deleteAlarm();
    }
    this.#storage.kv.put(PROGRESS, progress);
    await this.#storage.setAlarm(this.#options.nowMs() + pauseMs);
  }
}
