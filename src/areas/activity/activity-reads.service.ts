import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { SERIES_PERIODS, type SeriesPeriodName } from './activity.data.ts';
import type { CaptureActivity } from './activity.domain.ts';
import type { ActivityFigures, ActivityRepository } from './activity.repository.ts';
import { createCaptureCache } from './capture-cache.ts';
import { type Series, seriesOf } from './series.domain.ts';

export interface ActivityHistory {
  windowStart: UnixSeconds;
  windowEnd: UnixSeconds;
  figures: ActivityFigures[];
}

export interface ActivitySeries extends Series {
  period: SeriesPeriodName;
  windowStart: UnixSeconds;
  windowEnd: UnixSeconds;
}

/** Reads of activity, cached for 30 minutes or until the next capture. */
export interface ActivityReads {
  /** The newest capture; null before the first. */
  current(): CaptureActivity | null | Promise<CaptureActivity | null>;
  history(days: number, now: UnixSeconds): Promise<ActivityHistory>;
  series(period: SeriesPeriodName, now: UnixSeconds): Promise<ActivitySeries>;
  invalidateReads(): void;
}

export function createActivityReads(repository: ActivityRepository): ActivityReads {
  const { newest, getOrCompute, invalidate } = createCaptureCache(() => repository.newest());

  return {
    current: newest,
    invalidateReads: invalidate,

    history(days, now) {
      return getOrCompute(`history ${days}`, now, async () => {
        const windowStart = now - days * SECONDS_PER_DAY;
        return { windowStart, windowEnd: now, figures: await repository.listFigures(windowStart, now) };
      });
    },

    series(period, now) {
      return getOrCompute(`series ${period}`, now, async () => {
        const { days, bucketSeconds } = SERIES_PERIODS[period];
        const figures = await repository.listFigures(days === null ? 0 : now - days * SECONDS_PER_DAY, now);
        const samples = figures.flatMap(({ windowEnd, estimateDay }) =>
          estimateDay === null ? [] : [{ at: windowEnd, value: estimateDay }],
        );
        const windowStart = days === null ? (samples[0]?.at ?? now) : now - days * SECONDS_PER_DAY;
        return { ...seriesOf(samples, bucketSeconds), period, windowStart, windowEnd: now };
      });
    },
  };
}
