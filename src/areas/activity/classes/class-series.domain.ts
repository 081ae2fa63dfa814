import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { floorDiv } from '../../../platform/kit/time/clock.ts';
import { roundTo } from '../../../platform/kit/values/rounding.ts';
import { bucketLength, meanOf } from '../series.domain.ts';
import { CLASS_ORDER } from './class-activity.data.ts';
import type { ClassValues } from './class-activity.domain.ts';

/** Values of a capture. */
export interface ClassSample {
  at: UnixSeconds;
  values: ClassValues;
}

export interface ClassSeries {
  bucketSeconds: number;
  /** Mean time of the captures of each bucket. */
  buckets: UnixSeconds[];
  /** One value per class and bucket. */
  classes: ClassValues[];
}

/** Groups samples into buckets that all classes share. Samples must be in ascending order. */
export function classSeriesOf(samples: readonly ClassSample[], bucketSeconds: number | null): ClassSeries {
  const bucket = bucketLength(
    samples.map(({ at }) => at),
    bucketSeconds,
  );
  const groups = [...Map.groupBy(samples, ({ at }) => floorDiv(at, bucket)).values()];
  return {
    bucketSeconds: bucket,
    buckets: groups.map((group) => Math.round(meanOf(group.map(({ at }) => at)))),
    classes: CLASS_ORDER.map((_, index) => ({
      active: bucketValues(groups.map((group) => group.map(({ values }) => values.active[index] ?? null))),
      clean: bucketValues(groups.map((group) => group.map(({ values }) => values.clean[index] ?? null))),
    })),
  };
}

/** Mean of each bucket, except the bucket with the maximum of the series, which has the maximum; null for a bucket without values. */
function bucketValues(groups: readonly (readonly (number | null)[])[]): (number | null)[] {
  const known = groups.map((group) => group.filter((value) => value !== null));
  const maximum = Math.max(Number.NEGATIVE_INFINITY, ...known.flat());
  const bucketOfMaximum = known.findIndex((values) => values.includes(maximum));
  return known.map((values, index) => {
    if (values.length === 0) return null;
    return index === bucketOfMaximum ? maximum : roundTo(meanOf(values), 1);
  });
}
