import { DurableObject } from 'cloudflare:workers';
import type { IngestOutcome, IngestTask } from './ingest.service.ts';
import { type IngestJob, IngestQueue, type IngestWork, type JobStorage, type QueuedJob } from './ingest-queue.ts';

const JOB = 'job:';
const LAST_PLACE = 'last-place';
/** Digits of a place, so that keys sort as places do. */
const PLACE_DIGITS = 12;

/** The one object that turns dumps into captures, one after the other: two dumps never write at the same time. */
export abstract class BoardsIngestBase extends DurableObject<Env> {
  readonly #queue: IngestQueue;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#queue = new IngestQueue(storageOf(ctx.storage.kv), this.work(env), Date.now);
  }

  protected abstract work(env: Env): IngestWork;

  /** Keeps jobs; the alarm does them. */
  async enqueue(jobs: readonly IngestJob[]): Promise<void> {
    for (const job of jobs) this.#queue.add(job);
    await this.ctx.storage.setAlarm(Date.now());
  }

  /** Keeps a dump and waits until it was processed once. The alarm is set all the same: it goes on after a crash. */
  async processNow(task: IngestTask): Promise<IngestOutcome> {
    const place = this.#queue.add({ kind: 'ingest', task });
    const outcome = this.#queue.outcomeOf(place);
    await this.ctx.storage.setAlarm(Date.now());
    return outcome;
  }

  /** Whether nothing is left to do: for demonstrations and measurements. */
  isIdle(): boolean {
    return this.#queue.nextAt() === null;
  }

  override async alarm(): Promise<void> {
    await this.#queue.round();
    const next = this.#queue.nextAt();
    if (next !== null) await this.ctx.storage.setAlarm(Math.max(next, Date.now()));
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
