import { floorDiv } from '../../platform/time/arithmetic.ts';
import { SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/time/clock.ts';
import { roundTo } from '../../platform/values/rounding.ts';

/** The value of a capture at its time. */
export interface Sample {
  at: UnixSeconds;
  value: number;
}

export interface SeriesPoint {
  /** Start of the bucket. */
  at: UnixSeconds;
  mean: number;
  peak: number;
  samples: number;
}

export interface Series {
  bucketSeconds: number;
  points: SeriesPoint[];
  /** The largest single value, at its own time. */
  peak: Sample | null;
  /** Mean of the buckets' means. */
  average: number | null;
  latest: number | null;
}

/** A series over everything has about so many buckets. */
const BUCKETS_OF_ALL = 120;

/**
 * Samples in buckets: mean and extreme of each, buckets without any left out. `bucketSeconds`: the shortest bucket, which
 * grows to the usual distance of captures; null: by the span of the samples. Samples are ascending.
 */
export function seriesOf(samples: readonly Sample[], bucketSeconds: number | null): Series {
  const bucket = Math.max(bucketSeconds ?? bucketOfAll(samples), usualSpacing(samples));
  const groups = new Map<UnixSeconds, number[]>();
  for (const { at, value } of samples) {
    const start = floorDiv(at, bucket) * bucket;
    const known = groups.get(start);
    if (known) known.push(value);
    else groups.set(start, [value]);
  }
  const means = [...groups.values()].map(meanOf);
  const points = [...groups].map(([at, values], index) => ({
    at,
    mean: roundTo(means[index] ?? 0, 1),
    peak: values.reduce((highest, value) => Math.max(highest, value)),
    samples: values.length,
  }));
  const peak = samples.reduce<Sample | null>(
    (highest, sample) => (highest === null || sample.value > highest.value ? sample : highest),
    null,
  );
  const average = means.length === 0 ? null : roundTo(meanOf(means), 1);
  return { bucketSeconds: bucket, points, peak, average, latest: samples.at(-1)?.value ?? null };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function bucketOfAll(samples: readonly Sample[]): number {
  const span = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
  return Math.max(1, Math.ceil(span / BUCKETS_OF_ALL / SECONDS_PER_HOUR)) * SECONDS_PER_HOUR;
}

/** Median distance of samples, rounded to hours. */
function usualSpacing(samples: readonly Sample[]): number {
  const distances = samples.slice(1).map(({ at }, index) => at - (samples[index]?.at ?? at));
  const sorted = distances.sort((one, other) => one - other);
  const middle = ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
  return Math.round(middle / SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
}
