import { SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Listing } from './listings.domain.ts';
import type { ListingsRepository } from './listings.store.ts';
import { MAX_HISTORY_POINTS, MAX_TIMELINE_LISTINGS, MIN_OUTLIER_PRICES, OUTLIER_THRESHOLD_Z } from './market.data.ts';
import { splitPriceOutliers, type TimelinePoint, timelineOf } from './prices.domain.ts';

/** Position of the last listing of a page. */
export interface HistoryEnd {
  createdAt: UnixSeconds;
  id: string;
}

interface HistoryOptions {
  name: string;
  days: number;
  includeExpired: boolean;
  keepOutliers: boolean;
  after: HistoryEnd | null;
}

export interface PriceHistory extends Omit<HistoryOptions, 'after'> {
  windowStart: UnixSeconds;
  windowEnd: UnixSeconds;
  included: Listing[];
  /** Removed outliers. */
  dropped: Listing[];
  /** Position of the last listing; null on the last page. */
  next: HistoryEnd | null;
}

/** `truncated`: the oldest listings were ignored. */
export interface Timeline {
  points: TimelinePoint[];
  truncated: boolean;
}

export type PriceHistoryService = ReturnType<typeof createPriceHistoryService>;

const OUTLIERS = { thresholdZ: OUTLIER_THRESHOLD_Z, minPrices: MIN_OUTLIER_PRICES };

export function createPriceHistoryService(listings: Pick<ListingsRepository, 'listHistory' | 'listCreatedBetween'>) {
  return {
    async history({ after, ...options }: HistoryOptions, now: UnixSeconds): Promise<PriceHistory> {
      const windowStart = now - options.days * SECONDS_PER_DAY;
      const activeAt = options.includeExpired ? null : now;
      const rows = await listings.listHistory({
        name: options.name,
        since: windowStart,
        until: now,
        activeAt,
        after,
        limit: MAX_HISTORY_POINTS + 1,
      });
      const page = rows.slice(0, MAX_HISTORY_POINTS);
      const last = page.at(-1);
      const { included, dropped } = options.keepOutliers
        ? { included: page, dropped: [] }
        : splitPriceOutliers(page, ({ milliEach }) => milliEach, OUTLIERS);
      const next = last && rows.length > MAX_HISTORY_POINTS ? { createdAt: last.createdAt, id: last.id } : null;
      return { ...options, windowStart, windowEnd: now, included, dropped, next };
    },

    async timeline(name: string, days: number, bucketHours: number, now: UnixSeconds): Promise<Timeline> {
      const rows = await listings.listCreatedBetween(name, now - days * SECONDS_PER_DAY, now, MAX_TIMELINE_LISTINGS + 1);
      const points = timelineOf(rows.slice(0, MAX_TIMELINE_LISTINGS), bucketHours * SECONDS_PER_HOUR);
      return { points, truncated: rows.length > MAX_TIMELINE_LISTINGS };
    },
  };
}
