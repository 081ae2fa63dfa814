import { DurableObject } from 'cloudflare:workers';
import { serviceContext } from '../../../platform/area/service-context.ts';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { StepRunner } from '../../../platform/durable/step-runner.ts';
import type { IngestOutcome, IngestTask } from './ingest.service.ts';
import { type IngestJob, IngestQueue, type JobStorage, type QueuedJob } from './ingest-queue.service.ts';

export const JOB = 'job:';
export const LAST_PLACE = 'last-place';
/** Digits of a place in keys: padding makes the keys sort by place. */
const PLACE_DIGITS = 12;

/** Retries of a round that throws; jobs have their own retries. */
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 5, factor: 5, longestPauseSeconds: 600 };

/** The single object that creates captures from dumps, one after the other: two dumps never write at the same time. */
export class BoardsIngestObject extends DurableObject<Env> {
  #queue!: IngestQueue;
  readonly #runner: StepRunner<{ step: 'round' }>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const [context, { ingestWorkOf }] = await Promise.all([serviceContext(env), import('./ingest-work.service.ts')]);
      this.#queue = new IngestQueue(storageOf(ctx.storage.kv), ingestWorkOf(context), Date.now);
    });
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

  /** Queues jobs; the alarm runs them. */
  async enqueue(jobs: readonly IngestJob[]): Promise<void> {
    for (const job of jobs) this.#queue.add(job);
    await this.#runner.begin({ step: 'round' });
  }

  /** Queues a dump and waits for its first attempt. */
  async processNow(task: IngestTask): Promise<IngestOutcome> {
    const place = this.#queue.add({ kind: 'ingest', task });
    const outcome = this.#queue.outcomeOf(place);
    await this.#runner.begin({ step: 'round' });
    return outcome;
  }

  /** Whether the queue is empty; for demo data and benchmarks. */
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
