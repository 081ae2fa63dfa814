import { BoundedMap } from '../../platform/storage/bounded-map.ts';
import { keptValue } from '../../platform/storage/kept-value.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../platform/time/clock.ts';
import { SERIES_PERIODS, type SeriesPeriodName } from './activity.data.ts';
import type { CaptureActivity } from './activity.domain.ts';
import type { ActivityFigures, ActivityRepository } from './activity.repository.ts';
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

/** Figures of captures, kept for half an hour or until the next capture. */
export interface ActivityReads {
  /** The newest capture; null before the first. */
  current(): CaptureActivity | null | Promise<CaptureActivity | null>;
  history(days: number, now: UnixSeconds): Promise<ActivityHistory>;
  series(period: SeriesPeriodName, now: UnixSeconds): Promise<ActivitySeries>;
  /** The next reader sees what is stored. */
  forgetReads(): void;
}

/** How long an isolate believes to know the newest capture. */
const KEPT_MILLISECONDS = 2000;
const ANSWER_SECONDS = 1800;
const KEPT_ANSWERS = 50;

export function createActivityReads(repository: ActivityRepository): ActivityReads {
  const newest = keptValue(() => repository.newest(), KEPT_MILLISECONDS);
  let answers = new BoundedMap<string, { value: unknown; at: UnixSeconds }>(KEPT_ANSWERS);

  /** An answer that was made for the newest capture less than half an hour ago, or a new one. */
  async function kept<Value>(name: string, now: UnixSeconds, make: () => Promise<Value>): Promise<Value> {
    const capture = await newest.get();
    const key = `${name}:${capture?.windowEnd}:${capture?.computedAt}`;
    const known = answers.get(key);
    if (known && now >= known.at && now < known.at + ANSWER_SECONDS) return known.value as Value;
    const value = await make();
    answers.set(key, { value, at: now });
    return value;
  }

  return {
    current: newest.get,

    forgetReads() {
      newest.forget();
      answers = new BoundedMap(KEPT_ANSWERS);
    },

    history(days, now) {
      return kept(`history ${days}`, now, async () => {
        const windowStart = now - days * SECONDS_PER_DAY;
        return { windowStart, windowEnd: now, figures: await repository.figures(windowStart, now) };
      });
    },

    series(period, now) {
      return kept(`series ${period}`, now, async () => {
        const { days, bucketSeconds } = SERIES_PERIODS[period];
        const figures = await repository.figures(days === null ? 0 : now - days * SECONDS_PER_DAY, now);
        const samples = figures.flatMap(({ windowEnd, estimateDay }) =>
          estimateDay === null ? [] : [{ at: windowEnd, value: estimateDay }],
        );
        const windowStart = days === null ? (samples[0]?.at ?? now) : now - days * SECONDS_PER_DAY;
        return { ...seriesOf(samples, bucketSeconds), period, windowStart, windowEnd: now };
      });
    },
  };
}
