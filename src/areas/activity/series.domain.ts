import { floorDiv } from '../../platform/time/arithmetic.ts';
import { SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/time/clock.ts';
import { roundTo } from '../../platform/values/rounding.ts';

/** The value of a capture at its time. */
export interface Sample {
  at: UnixSeconds;
  value: number;
}

export interface SeriesPoint {
  /** Mean time of the captures; of the capture that is plotted where the bucket holds an extreme of the series. */
  at: UnixSeconds;
  /** The value that a chart plots: the mean, or that extreme. */
  plotted: number;
  mean: number;
  peak: number;
  samples: number;
}

export interface Series {
  bucketSeconds: number;
  points: SeriesPoint[];
  /** The largest and the smallest single value, each at its own time. */
  peak: Sample | null;
  low: Sample | null;
  /** Mean of the buckets' means. */
  average: number | null;
  latest: number | null;
}

/** A series over everything has about so many buckets. */
const BUCKETS_OF_ALL = 120;

/**
 * Samples in buckets, buckets without any left out; samples are ascending. A chart of means would hide the extremes of the
 * series, so their buckets plot them. For lengths see `bucketLength`.
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

/** The first of the samples that no other one beats. */
function extremeOf(samples: readonly Sample[], beats: (one: number, other: number) => boolean): Sample | null {
  return samples.reduce<Sample | null>((best, sample) => (best === null || beats(sample.value, best.value) ? sample : best), null);
}

/**
 * Length of a bucket: the one asked for, which grows to the usual distance of captures; null asks for one by the span of the
 * captures. Times are ascending.
 */
export function bucketLength(times: readonly UnixSeconds[], bucketSeconds: number | null): number {
  return Math.max(bucketSeconds ?? bucketOfAll(times), usualSpacing(times));
}

export const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function bucketOfAll(times: readonly UnixSeconds[]): number {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return Math.max(1, Math.ceil(span / BUCKETS_OF_ALL / SECONDS_PER_HOUR)) * SECONDS_PER_HOUR;
}

/** Median distance of captures, rounded to hours. */
function usualSpacing(times: readonly UnixSeconds[]): number {
  const distances = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const sorted = distances.sort((one, other) => one - other);
  const middle = ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
  return Math.round(middle / SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
}
