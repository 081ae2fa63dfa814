import { DurableObject } from 'cloudflare:workers';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { StepRunner } from '../../../platform/durable/step-runner.ts';
import type { IngestOutcome, IngestTask } from './ingest.service.ts';
import { type IngestJob, IngestQueue, type IngestWork, type JobStorage, type QueuedJob } from './ingest-queue.ts';

const JOB = 'job:';
const LAST_PLACE = 'last-place';
/** Digits of a place, so that keys sort as places do. */
const PLACE_DIGITS = 12;

/** For rounds that fail as a whole; a job has tries of its own. */
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 5, factor: 5, longestPauseSeconds: 600 };

/** The one object that turns dumps into captures, one after the other: two dumps never write at the same time. */
export abstract class BoardsIngestBase extends DurableObject<Env> {
  readonly #queue: IngestQueue;
  readonly #runner: StepRunner<{ step: 'round' }>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#queue = new IngestQueue(storageOf(ctx.storage.kv), this.work(env), Date.now);
    this.#runner = new StepRunner(ctx.storage, {
      name: 'boards-ingest',
      policy: POLICY,
      steps: {
        round: async (note) => {
          await this.#queue.round();
          const next = this.#queue.nextAt();
          return next === null ? null : { note, pauseMs: Math.max(0, next - Date.now()) };
        },
      },
      nowMs: Date.now,
    });
  }

  protected abstract work(env: Env): IngestWork;

  /** Keeps jobs; the steps do them. */
  async enqueue(jobs: readonly IngestJob[]): Promise<void> {
    for (const job of jobs) this.#queue.add(job);
    await this.#runner.begin({ step: 'round' });
  }

  /** Keeps a dump and waits until it was processed once. */
  async processNow(task: IngestTask): Promise<IngestOutcome> {
    const place = this.#queue.add({ kind: 'ingest', task });
    const outcome = this.#queue.outcomeOf(place);
    await this.#runner.begin({ step: 'round' });
    return outcome;
  }

  /** Whether nothing is left to do: for demonstrations and measurements. */
  isIdle(): boolean {
    return this.#queue.nextAt() === null;
  }

  override alarm(): Promise<void> {
    return this.#runner.alarm();
  }
}

function storageOf(storage: SyncKvStorage): JobStorage {
  const keyOf = (place: number) => `${JOB}${String(place).padStart(PLACE_DIGITS, '0')}`;
  return {
    list: () => [...storage.list<QueuedJob>({ prefix: JOB })].map(([, job]) => job),
    put: (job) => storage.put(keyOf(job.place), job),
    remove: (place) => void storage.delete(keyOf(place)),
    nextPlace() {
      const place = (storage.get<number>(LAST_PLACE) ?? 0) + 1;
      storage.put(LAST_PLACE, place);
      return place;
    },
  };
}
