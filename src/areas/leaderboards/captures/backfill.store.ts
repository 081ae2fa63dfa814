import { ApiError } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';

/** Fields of the progress of every backfill. Part of the stored jobs: fields keep their names. */
export interface BackfillProgress {
  startedAt: UnixSeconds;
  /** Whether the first step, which deletes and counts, is done. */
  isBegun: boolean;
  clearFirst: boolean;
  cleared: number | null;
  total: number;
  done: number;
  detected: number;
}

/** The last backfill as stored. `heartbeatAt`: time of its last step. */
export interface StoredBackfill<Task> {
  task: Task;
  finishedAt: UnixSeconds | null;
  heartbeatAt: UnixSeconds;
}

export type BackfillStatus<Task> = ReturnType<typeof createBackfillStatus<Task>>;

/** Keys of the stored status. */
export const BACKFILL_KEYS = { renames: 'reports/renames-backfill.json', duplicates: 'reports/duplicates-backfill.json' } as const;
/** A backfill without a step for this long counts as ended. */
const LOCK_SECONDS = 900;
/** How long the status of a finished backfill is reported, in seconds. */
const KEPT_SECONDS = 86_400;

export const isRunning = (stored: StoredBackfill<unknown> | null, now: UnixSeconds) =>
  stored !== null && stored.finishedAt === null && now - stored.heartbeatAt < LOCK_SECONDS;

export const newProgress = (startedAt: UnixSeconds, clearFirst: boolean): BackfillProgress => ({
  startedAt,
  isBegun: false,
  clearFirst,
  cleared: null,
  total: 0,
  done: 0,
  detected: 0,
});

/** Stores the progress of a backfill. */
export function createBackfillStatus<Task>(bucket: R2Bucket, key: string) {
  const put = async (stored: StoredBackfill<Task>): Promise<void> => {
    await bucket.put(key, JSON.stringify(stored));
  };

  /** Null when there was none within the last day. */
  async function get(now: UnixSeconds): Promise<StoredBackfill<Task> | null> {
    const object = await bucket.get(key);
    const stored = object && ((await object.json()) as StoredBackfill<Task>);
    return stored && (stored.finishedAt === null || now - stored.finishedAt < KEPT_SECONDS) ? stored : null;
  }

  return {
    put,
    get,
    /** Stores a new backfill before it is queued. Throws 409 while one is running. */
    async begin(task: Task, now: UnixSeconds): Promise<void> {
      if (isRunning(await get(now), now)) throw new ApiError('conflict', 'a backfill is running');
      await put({ task, finishedAt: null, heartbeatAt: now });
    },
  };
}
