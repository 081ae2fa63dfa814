import type { RecomputeTask } from '../../../game/board-captures.ts';
import { pauseAfter, type RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { logError } from '../../../platform/logging.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { PackTask } from '../captures/packing.service.ts';
import type { TotalsTask } from '../players/totals.service.ts';
import type { IngestOutcome, IngestTask } from './ingest.service.ts';

/** Work that outlives a crash. */
export type IngestJob =
  | { kind: 'ingest'; task: IngestTask }
  /** Notifies listeners of a capture. */
  | { kind: 'tell'; anchor: UnixSeconds }
  /** Recomputes the anomaly report of the newest capture. */
  | { kind: 'report' }
  | { kind: 'pack'; task: PackTask }
  | { kind: 'totals'; task: TotalsTask }
  /** Deletes the objects of a deleted capture. */
  | { kind: 'removed'; task: RemovalTask }
  | { kind: 'recompute'; task: RecomputeTask };

/** A capture that readers do not see any more. */
export interface RemovalTask {
  anchor: UnixSeconds;
  boardPack: string | null;
  playerPack: string | null;
  /** Activity and totals that were computed from it are computed again. */
  isRecomputed: boolean;
}

/** A job in its place of the queue. */
export interface QueuedJob {
  place: number;
  job: IngestJob;
  failures: number;
  /** Real time in milliseconds before which it is not tried. */
  notBefore: number;
}

/** Where jobs are kept. Each call has its full effect before it returns. */
export interface JobStorage {
  /** In the order of their places. */
  list(): QueuedJob[];
  put(job: QueuedJob): void;
  remove(place: number): void;
  /** A place after all that were ever given. */
  nextPlace(): number;
}

export interface IngestWork {
  ingest(task: IngestTask): Promise<IngestOutcome>;
  tell(anchor: UnixSeconds): Promise<void>;
  report(): Promise<void>;
  pack(task: PackTask): Promise<void>;
  /** A step; the task that is left, null when it is done. */
  totals(task: TotalsTask): Promise<TotalsTask | null>;
  /** Captures with pending notifications. */
  removed(task: RemovalTask): Promise<UnixSeconds[]>;
  /** A step; the task that is left, null when it is done. */
  recompute(task: RecomputeTask): Promise<RecomputeTask | null>;
  giveUp(task: IngestTask, error: string): Promise<void>;
}

const RETRIES: RetryPolicy = { tries: 6, firstPauseSeconds: 5, factor: 5, longestPauseSeconds: 1800 };
const LATER: IngestOutcome = { accepted: true, message: 'received; processing will be retried', changed: [] };
const PRIORITY: readonly IngestJob['kind'][] = ['ingest', 'removed', 'tell', 'report', 'pack', 'totals', 'recompute'];

/**
 * Runs jobs one at a time. Dumps strictly in the order they came, so that of two for the same anchor the later one stays;
 * everything else makes way for them, and one other job a round leaves each round its share of calls.
 */
export class IngestQueue {
  readonly #storage: JobStorage;
  readonly #work: IngestWork;
  readonly #nowMs: () => number;
  readonly #waiting = new Map<number, (outcome: IngestOutcome) => void>();
  #round: Promise<void> | null = null;

  constructor(storage: JobStorage, work: IngestWork, nowMs: () => number) {
    this.#storage = storage;
    this.#work = work;
    this.#nowMs = nowMs;
  }

  /** Keeps a job; one that is queued already and would do the same is not kept twice. */
  add(job: IngestJob): number {
    const same = this.#storage.list().find((queued) => isSame(queued.job, job));
    if (same) return same.place;
    const place = this.#storage.nextPlace();
    this.#storage.put({ place, job, failures: 0, notBefore: 0 });
    return place;
  }

  /** Result of a dump; must be requested before the next round. */
  outcomeOf(place: number): Promise<IngestOutcome> {
    return new Promise((resolve) => this.#waiting.set(place, resolve));
  }

  /** Runs due jobs; calls during a round wait for its end. */
  round(): Promise<void> {
    this.#round ??= this.#run().finally(() => {
      this.#round = null;
    });
    return this.#round;
  }

  /** When there is something to do next, in real milliseconds; null when the queue is empty. */
  nextAt(): number | null {
    const jobs = this.#storage.list();
    return jobs.length === 0 ? null : Math.min(...jobs.map(({ notBefore }) => notBefore));
  }

  async #run(): Promise<void> {
    let others = 0;
    for (let next = this.#next(); next; next = this.#next()) {
      if (next.job.kind !== 'ingest') others += 1;
      if (others > 1) break;
      await this.#try(next);
    }
    // No dump is ready: the remaining ones are queued behind a failed one.
    for (const place of [...this.#waiting.keys()]) this.#settle(place, LATER);
  }

  #next(): QueuedJob | undefined {
    const jobs = this.#storage.list();
    const firstDump = jobs.find(({ job }) => job.kind === 'ingest');
    const ready = jobs.filter((queued) => queued.notBefore <= this.#nowMs() && (queued.job.kind !== 'ingest' || queued === firstDump));
    return ready.sort((one, other) => PRIORITY.indexOf(one.job.kind) - PRIORITY.indexOf(other.job.kind) || one.place - other.place)[0];
  }

  async #try(queued: QueuedJob): Promise<void> {
    try {
      await this.#do(queued);
      this.#storage.remove(queued.place);
    } catch (error) {
      logError('leaderboard task failed', error, { kind: queued.job.kind, failures: queued.failures + 1 });
      await this.#postpone(queued, error instanceof Error ? error.message : String(error));
    }
  }

  async #do({ place, job }: QueuedJob): Promise<void> {
    if (job.kind === 'tell') return this.#work.tell(job.anchor);
    if (job.kind === 'report') return this.#work.report();
    if (job.kind === 'pack') return this.#work.pack(job.task);
    if (job.kind === 'totals') {
      const task = await this.#work.totals(job.task);
      if (task) this.add({ kind: 'totals', task });
      return;
    }
    if (job.kind === 'recompute') {
      const task = await this.#work.recompute(job.task);
      if (task) this.add({ kind: 'recompute', task });
      return;
    }
    if (job.kind === 'removed') return this.#changed(await this.#work.removed(job.task));
    const outcome = await this.#work.ingest(job.task);
    // Stored before the dump is removed: a crash in between repeats the dump, which is idempotent.
    this.#changed(outcome.changed);
    this.#settle(place, outcome);
  }

  /** Queues the work that follows from captures whose rows, or whose predecessor, are new. */
  #changed(anchors: readonly UnixSeconds[]): void {
    for (const anchor of anchors) this.add({ kind: 'tell', anchor });
    if (anchors.length > 0) this.add({ kind: 'report' });
  }

  async #postpone(queued: QueuedJob, error: string): Promise<void> {
    const failures = queued.failures + 1;
    const pause = pauseAfter(RETRIES, failures);
    if (pause !== null) {
      this.#storage.put({ ...queued, failures, notBefore: this.#nowMs() + pause * 1000 });
      return this.#settle(queued.place, LATER);
    }
    if (queued.job.kind === 'ingest') {
      await this.#work.giveUp(queued.job.task, error).catch((failure: unknown) => logError('insert log could not be written', failure));
    }
    this.#storage.remove(queued.place);
  }

  #settle(place: number, outcome: IngestOutcome): void {
    this.#waiting.get(place)?.(outcome);
    this.#waiting.delete(place);
  }
}

function isSame(one: IngestJob, other: IngestJob): boolean {
  if (one.kind === 'ingest' && other.kind === 'ingest') {
    const areReplays = Boolean(one.task.isReplay && other.task.isReplay);
    return one.task.id === other.task.id || (areReplays && one.task.rawKey === other.task.rawKey);
  }
  return JSON.stringify(one) === JSON.stringify(other);
}
