import type { RecomputeTask } from '../../../game/board-captures.ts';
import { pauseAfter, type RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { PackTask } from '../captures/packing.service.ts';
import type { DuplicatesTask } from '../duplicates/duplicates.service.ts';
import type { TotalsTask } from '../players/totals.service.ts';
import type { RenamesTask } from '../renames/renames.service.ts';
import type { IngestOutcome, IngestTask } from './ingest.service.ts';
import type { PlayerDocumentsTask } from './search-documents.service.ts';

/** A durable job. The names of kinds and fields are part of the stored data. */
export type IngestJob =
  | { kind: 'ingest'; task: IngestTask }
  /** Replaces everything that is derived from a capture. */
  | { kind: 'tell'; anchor: UnixSeconds }
  /** Recomputes the anomaly report of the newest capture. */
  | { kind: 'report' }
  | { kind: 'pack'; task: PackTask }
  | { kind: 'totals'; task: TotalsTask }
  /** One step of the check of the documents of players in the search. */
  | { kind: 'player-documents'; task: PlayerDocumentsTask }
  /** Deletes the objects of a deleted capture. */
  | { kind: 'removed'; task: RemovalTask }
  | { kind: 'recompute'; task: RecomputeTask }
  /** One step of the backfill of renames. */
  | { kind: 'renames'; task: RenamesTask }
  /** One step of the search for duplicate names, in a capture or of the backfill. */
  | { kind: 'duplicates'; task: DuplicatesTask };

/** A job that runs in steps. */
type SteppedJob = Extract<IngestJob, { kind: 'totals' | 'player-documents' | 'recompute' | 'renames' | 'duplicates' }>;

/** A deleted capture whose objects still exist. */
interface RemovalTask {
  anchor: UnixSeconds;
  boardPack: string | null;
  playerPack: string | null;
  /** Whether permanent figures, such as activity and totals, and what is derived from the next capture are recomputed. */
  isRecomputed: boolean;
}

/** A queued job; `place` is its position in the queue. */
export interface QueuedJob {
  place: number;
  job: IngestJob;
  failures: number;
  /** Earliest time of the next attempt (unix milliseconds). */
  notBefore: number;
}

/** Synchronous storage of jobs. */
export interface JobStorage {
  /** Ordered by place. */
  list(): QueuedJob[];
  put(job: QueuedJob): void;
  remove(place: number): void;
  /** A place greater than all previous ones. */
  nextPlace(): number;
}

export interface IngestWork {
  ingest(task: IngestTask): Promise<IngestOutcome>;
  /** Replaces everything that is derived from a capture. Returns the jobs that complete it. */
  notify(anchor: UnixSeconds): Promise<readonly IngestJob[]>;
  report(): Promise<void>;
  pack(task: PackTask): Promise<void>;
  /** `totals`, `playerDocuments`, `recompute`, `renames` and `duplicates` run one step. They return the remaining task, or null when it is done. */
  totals(task: TotalsTask): Promise<TotalsTask | null>;
  playerDocuments(task: PlayerDocumentsTask): Promise<PlayerDocumentsTask | null>;
  /** Deletes the objects of a deleted capture and everything derived from it. Returns the jobs that complete it. */
  cleanUp(task: RemovalTask): Promise<readonly IngestJob[]>;
  recompute(task: RecomputeTask): Promise<RecomputeTask | null>;
  renames(task: RenamesTask): Promise<RenamesTask | null>;
  duplicates(task: DuplicatesTask): Promise<DuplicatesTask | null>;
  /** Logs that all attempts of a dump failed, or that another job keeps failing. */
  logFailure(job: IngestJob, error: string): Promise<void>;
}

/**
 * A dump is dropped after its last attempt, 43 minutes after the first: the dumps behind it wait, and its raw text can be replayed. Every other job is
 * retried at the longest pause until it succeeds, because nothing else would repeat it.
 */
const RETRIES: RetryPolicy = { tries: 6, firstPauseSeconds: 5, factor: 5, longestPauseSeconds: 1800 };
const RETRY_LATER: IngestOutcome = { accepted: true, message: 'received; processing will be retried', changed: [] };
const PRIORITY: readonly IngestJob['kind'][] = [
  'ingest',
  'removed',
  'tell',
  'report',
  'pack',
  'totals',
  'player-documents',
  'duplicates',
  'recompute',
  'renames',
];

/**
 * Runs jobs one at a time. Dumps run first and in the order of arrival, so that the later of two dumps for the same anchor
 * wins. A round runs at most one other job, to stay below the subrequest limit.
 */
export class IngestQueue {
  readonly #storage: JobStorage;
  readonly #work: IngestWork;
  readonly #nowMs: () => number;
  readonly #waiting = new Map<number, (outcome: IngestOutcome) => void>();
  #round: Promise<void> | null = null;
  /** Place of the running job. */
  #running: number | null = null;

  constructor(storage: JobStorage, work: IngestWork, nowMs: () => number) {
    this.#storage = storage;
    this.#work = work;
    this.#nowMs = nowMs;
  }

  /**
   * Queues a job and returns its place; an equal job that is already queued is reused. A job that is running does not count, except
   * for a dump: it may have read its data before the change that this job is for.
   */
  add(job: IngestJob): number {
    const isReusable = ({ place }: QueuedJob) => place !== this.#running || job.kind === 'ingest';
    const existing = this.#storage.list().find((queued) => isReusable(queued) && isSame(queued.job, job));
    if (existing) return existing.place;
    const place = this.#storage.nextPlace();
    this.#storage.put({ place, job, failures: 0, notBefore: 0 });
    return place;
  }

  /** Resolves with the result of a dump. Call before the next round. */
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

  /** Time of the next attempt (unix milliseconds); null if the queue is empty. */
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
    // No dump is due: the remaining ones wait behind a failed one.
    for (const place of [...this.#waiting.keys()]) this.#respond(place, RETRY_LATER);
  }

  #next(): QueuedJob | undefined {
    const jobs = this.#storage.list();
    const firstDump = jobs.find(({ job }) => job.kind === 'ingest');
    const ready = jobs.filter((queued) => queued.notBefore <= this.#nowMs() && (queued.job.kind !== 'ingest' || queued === firstDump));
    return ready.sort((one, other) => rankOf(one) - rankOf(other) || one.place - other.place)[0];
  }

  async #try(queued: QueuedJob): Promise<void> {
    this.#running = queued.place;
    try {
      await this.#do(queued);
      this.#storage.remove(queued.place);
    } catch (error) {
      logError('leaderboard task failed', error, { kind: queued.job.kind, failures: queued.failures + 1 });
      await this.#postpone(queued, error instanceof Error ? error.message : String(error));
    } finally {
      this.#running = null;
    }
  }

  async #do({ place, job }: QueuedJob): Promise<void> {
    // A job queues its follow-up jobs before it is removed: after a crash in between it runs again, which is idempotent.
    if (job.kind === 'tell') return this.#addAll(await this.#work.notify(job.anchor));
    if (job.kind === 'report') return this.#work.report();
    if (job.kind === 'pack') return this.#work.pack(job.task);
    if (job.kind === 'totals') return this.#addRest('totals', await this.#work.totals(job.task));
    if (job.kind === 'player-documents') return this.#addRest('player-documents', await this.#work.playerDocuments(job.task));
    if (job.kind === 'recompute') return this.#addRest('recompute', await this.#work.recompute(job.task));
    if (job.kind === 'renames') return this.#addRest('renames', await this.#work.renames(job.task));
    if (job.kind === 'duplicates') return this.#addRest('duplicates', await this.#work.duplicates(job.task));
    if (job.kind === 'removed') return this.#addAll(await this.#work.cleanUp(job.task));
    // Waits for the version that queued it: two versions are live during a deployment, and after a rollback.
    if (job.kind !== 'ingest') throw new Error(`job of an unknown kind: ${String((job as { kind: unknown }).kind)}`);
    const outcome = await this.#work.ingest(job.task);
    this.#addAll(outcome.changed.map((anchor) => ({ kind: 'tell', anchor })));
    this.#respond(place, outcome);
  }

  /** Queues the remaining task of a job that runs in steps. */
  #addRest<Kind extends SteppedJob['kind']>(kind: Kind, task: Extract<SteppedJob, { kind: Kind }>['task'] | null): void {
    if (task) this.add({ kind, task } as SteppedJob);
  }

  #addAll(jobs: readonly IngestJob[]): void {
    for (const job of jobs) this.add(job);
  }

  async #postpone(queued: QueuedJob, error: string): Promise<void> {
    const failures = queued.failures + 1;
    const isDump = queued.job.kind === 'ingest';
    if (failures === RETRIES.tries) {
      // Once, and before the dump is dropped. A failure of the log must not keep the job from its next attempt.
      await this.#work.logFailure(queued.job, error).catch((failure: unknown) => logError('insert log could not be written', failure));
    }
    const pause = pauseAfter(isDump ? RETRIES : { ...RETRIES, tries: null }, failures);
    if (pause === null) return this.#storage.remove(queued.place);
    this.#storage.put({ ...queued, failures, notBefore: this.#nowMs() + pause * 1000 });
    this.#respond(queued.place, RETRY_LATER);
  }

  #respond(place: number, outcome: IngestOutcome): void {
    this.#waiting.get(place)?.(outcome);
    this.#waiting.delete(place);
  }
}

/** Place of a job among those that are due; a kind that only another version knows comes last. */
function rankOf({ job }: QueuedJob): number {
  const rank = PRIORITY.indexOf(job.kind);
  return rank < 0 ? PRIORITY.length : rank;
}

function isSame(one: IngestJob, other: IngestJob): boolean {
  if (one.kind === 'ingest' && other.kind === 'ingest') {
    const areReplays = Boolean(one.task.isReplay && other.task.isReplay);
    return one.task.id === other.task.id || (areReplays && one.task.rawKey === other.task.rawKey);
  }
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Name of a job in the insert log. */
export function describeJob(job: IngestJob): string {
  switch (job.kind) {
    case 'ingest':
      return `import of ${job.task.rawKey}`;
    case 'tell':
      return `notification of capture ${job.anchor}`;
    case 'report':
      return 'anomaly report';
    case 'pack':
      return `packing of captures ${job.task.anchors.join(', ')}`;
    case 'totals':
      return 'update of the player totals';
    case 'player-documents':
      return 'check of the players in the search';
    case 'removed':
      return `deletion of capture ${job.task.anchor}`;
    case 'recompute':
      return `backfill of ${job.task.consumer} after ${job.task.after}`;
    case 'renames':
      return `backfill of renames after ${job.task.after}`;
    case 'duplicates':
      return `search for duplicate names in capture ${job.task.anchor}`;
    default:
      return 'job of an unknown kind';
  }
}
