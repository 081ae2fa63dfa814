import { gameDayStart, SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { createRevalidatingCache, createRevalidatingCaches } from '../../../platform/storage/memory-caches.ts';
import { calendarRules } from '../calendar/calendar.data.ts';
import { isLuxionActive, type Luxion, type LuxionRun, luxionAt, luxionEndsAt, luxionRules } from './luxion.domain.ts';
import type { LuxionRepository } from './luxion.store.ts';

/** Cache TTL of reads in an isolate, in milliseconds: the endpoints are polled, reports are rare. */
const READ_CACHE_TTL_MS = 2000;
const MAX_CACHED_READS = 8;
/** Longest run, in seconds: seven windows, and the reports after the last one. A run that began before the calendar may reach into it. */
const MAX_RUN_SECONDS = 14 * SECONDS_PER_DAY;

/** Result of a report. */
export interface LuxionReported {
  /** Identifies the run: the start of the game day of its first sighting. */
  anchor: UnixSeconds;
  /** Whether the report changed a stored run. */
  refreshed: boolean;
}

interface LuxionServiceDeps {
  runs: LuxionRepository;
  /** Runs before the response to each report. */
  onReport(now: UnixSeconds): Promise<void>;
}

/** The captured merchant: reads and reports. */
export type LuxionService = ReturnType<typeof createLuxionService>;

export function createLuxionService({ runs, onReport }: LuxionServiceDeps) {
  const newestReads = createRevalidatingCache(() => runs.newest(), READ_CACHE_TTL_MS);
  const { halfWindowSeconds } = calendarRules;
  const calendarReads = createRevalidatingCaches(
    (day: UnixSeconds) => runs.runsBetween(day - halfWindowSeconds - MAX_RUN_SECONDS, day + halfWindowSeconds + SECONDS_PER_DAY),
    READ_CACHE_TTL_MS,
    MAX_CACHED_READS,
  );
  const invalidateReads = () => {
    newestReads.invalidate();
    calendarReads.invalidate();
  };

  async function seen(now: UnixSeconds): Promise<LuxionReported> {
    const newest = await runs.newestForUpdate();
    if (newest && now < luxionEndsAt(newest, luxionRules) && (await runs.refresh(newest.startedAt, now))) {
      return { anchor: newest.startedAt, refreshed: true };
    }
    const anchor = gameDayStart(now);
    return { anchor, refreshed: !(await runs.start(anchor, now)) };
  }

  async function gone(now: UnixSeconds): Promise<LuxionReported> {
    const newest = await runs.newestForUpdate();
    if (!newest) return { anchor: gameDayStart(now), refreshed: false };
    return { anchor: newest.startedAt, refreshed: isLuxionActive(now, newest, luxionRules) && (await runs.end(newest.startedAt, now)) };
  }

  return {
    /** Makes the next read load from the database. */
    invalidateReads,

    async luxion(now: UnixSeconds): Promise<Luxion> {
      return luxionAt(now, await newestReads.get(), luxionRules);
    },

    /** Runs that may overlap the calendar of `now`, by start. */
    async runsOfCalendar(now: UnixSeconds): Promise<readonly LuxionRun[]> {
      return calendarReads.get(gameDayStart(now));
    },

    /** Stores that the merchant was seen, or that it is gone. */
    async report(isPresent: boolean, now: UnixSeconds): Promise<LuxionReported> {
      const reported = await (isPresent ? seen(now) : gone(now));
      invalidateReads();
      await onReport(now);
      return reported;
    },
  };
}
