import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { SERIES_PERIODS, type SeriesPeriodName } from '../activity.data.ts';
import { createCaptureCache } from '../capture-cache.ts';
import type { ClassActivityRepository, ClassCapture } from './class-activity.repository.ts';
import { type ClassSeries, classSeriesOf } from './class-series.domain.ts';

export interface ClassActivitySeries extends ClassSeries {
  period: SeriesPeriodName;
  windowStart: UnixSeconds;
  windowEnd: UnixSeconds;
}

/** Reads of class activity, cached for 30 minutes or until the next capture. */
export interface ClassActivityReads {
  /** The newest capture; null before the first. */
  current(): ClassCapture | null | Promise<ClassCapture | null>;
  series(period: SeriesPeriodName, now: UnixSeconds): Promise<ClassActivitySeries>;
  invalidateReads(): void;
}

export function createClassActivityReads(repository: ClassActivityRepository): ClassActivityReads {
  const { newest, getOrCompute, invalidate } = createCaptureCache(() => repository.newest());
  return {
    current: newest,
    invalidateReads: invalidate,

    series(period, now) {
      return getOrCompute(period, now, async () => {
        const { days, bucketSeconds } = SERIES_PERIODS[period];
        const since = days === null ? 0 : now - days * SECONDS_PER_DAY;
        const samples = await repository.listSamples(since, now);
        const windowStart = days === null ? (samples[0]?.at ?? now) : since;
        return { ...classSeriesOf(samples, bucketSeconds), period, windowStart, windowEnd: now };
      });
    },
  };
}
