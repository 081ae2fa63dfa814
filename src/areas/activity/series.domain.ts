import { floorDiv, SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { roundTo } from '../../platform/kit/values/numbers.ts';

/** Value of a capture. */
export interface Sample {
  at: UnixSeconds;
  value: number;
}

export interface SeriesPoint {
  /** Mean time of the captures, or time of the extreme that is plotted. */
  at: UnixSeconds;
  /** Value to plot: the mean of the bucket, or the extreme of the series if the bucket contains it. */
  plotted: number;
  mean: number;
  peak: number;
  samples: number;
}

export interface Series {
  bucketSeconds: number;
  points: SeriesPoint[];
  /** Maximum and minimum, each at its own time. */
  peak: Sample | null;
  low: Sample | null;
  /** Mean of the means of the buckets. */
  average: number | null;
  latest: number | null;
}

/** Approximate number of buckets of a series over all captures. */
const BUCKETS_OF_ALL = 120;

/**
 * Groups samples into buckets; empty buckets are omitted. Samples must be in ascending order. A chart of means would hide the
 * extremes of the series, so their buckets plot the extremes. For bucket lengths see `bucketLength`.
 */
export function seriesOf(samples: readonly Sample[], bucketSeconds: number | null): Series {
  const bucket = bucketLength(
    samples.map(({ at }) => at),
    bucketSeconds,
  );
  const groups = [...Map.groupBy(samples, ({ at }) => floorDiv(at, bucket)).values()];
  const peak = extremeOf(samples, (one, other) => one > other);
  const low = extremeOf(samples, (one, other) => one < other);
  const means = groups.map((group) => meanOf(group.map(({ value }) => value)));
  const points = groups.map((group, index) => {
    const mean = roundTo(means[index] ?? 0, 1);
    const extreme = [peak, low].find((candidate) => candidate !== null && group.includes(candidate));
    return {
      at: extreme?.at ?? Math.round(meanOf(group.map(({ at }) => at))),
      plotted: extreme?.value ?? mean,
      mean,
      peak: Math.max(...group.map(({ value }) => value)),
      samples: group.length,
    };
  });
  const average = means.length === 0 ? null : roundTo(meanOf(means), 1);
  return { bucketSeconds: bucket, points, peak, low, average, latest: samples.at(-1)?.value ?? null };
}

/** The first extreme of the samples; null for none. */
function extremeOf(samples: readonly Sample[], isMoreExtreme: (one: number, other: number) => boolean): Sample | null {
  return samples.reduce<Sample | null>((best, sample) => (best === null || isMoreExtreme(sample.value, best.value) ? sample : best), null);
}

/**
 * Bucket length: the requested length (null: derived from the span of the captures), but at least the typical interval between
 * captures. Times must be in ascending order.
 */
export function bucketLength(times: readonly UnixSeconds[], bucketSeconds: number | null): number {
  return Math.max(bucketSeconds ?? bucketForSpan(times), typicalInterval(times));
}

export const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function bucketForSpan(times: readonly UnixSeconds[]): number {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return Math.max(1, Math.ceil(span / BUCKETS_OF_ALL / SECONDS_PER_HOUR)) * SECONDS_PER_HOUR;
}

/** Median interval between captures, rounded to hours. */
function typicalInterval(times: readonly UnixSeconds[]): number {
  const intervals = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const sorted = intervals.sort((one, other) => one - other);
  const middle = ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
  return Math.round(middle / SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
}
