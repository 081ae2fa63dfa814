import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';

/** Progress of a backfill over the pairs of neighbouring captures. Part of the stored jobs: fields keep their names. */
export interface RenamesTask {
  /** Captures after this one remain. */
  after: UnixSeconds;
  startedAt: UnixSeconds;
  /** Whether the first step, which deletes and counts, is done. */
  isBegun: boolean;
  clearFirst: boolean;
  cleared: number | null;
  total: number;
  done: number;
  detected: number;
  skippedGap: number;
  lifetimeBoards: number;
}

/** The last backfill as stored. `heartbeatAt`: time of its last step. */
export interface StoredBackfill {
  task: RenamesTask;
  finishedAt: UnixSeconds | null;
  heartbeatAt: UnixSeconds;
}

export type BackfillStatus = ReturnType<typeof createBackfillStatus>;

/** Key of the stored status. */
export const BACKFILL_KEY = 'reports/renames-backfill.json';
/** A backfill without a step for this long counts as ended. */
const LOCK_SECONDS = 900;
/** How long the status of a finished backfill is reported, in seconds. */
const KEPT_SECONDS = 86_400;

export const isRunning = (stored: StoredBackfill | null, now: UnixSeconds) =>
  stored !== null && stored.finishedAt === null && now - stored.heartbeatAt < LOCK_SECONDS;

/** Stores the progress of the backfill of renames. */
export function createBackfillStatus(bucket: R2Bucket) {
  return {
    async put(stored: StoredBackfill): Promise<void> {
      await bucket.put(BACKFILL_KEY, JSON.stringify(stored));
    },

    /** Null when there was none within the last day. */
    async get(now: UnixSeconds): Promise<StoredBackfill | null> {
      const object = await bucket.get(BACKFILL_KEY);
      const stored = object && ((await object.json()) as StoredBackfill);
      return stored && (stored.finishedAt === null || now - stored.finishedAt < KEPT_SECONDS) ? stored : null;
    },
  };
}
