import { describe, expect, it } from 'vitest';
import { type ClassDay, type ClassSample, classSeriesOf, classSeriesOfDays } from '../../../src/areas/activity/class-activity.domain.ts';
import { CLASS_ORDER } from '../../../src/game/class-order.data.ts';
import { randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';

const DAY = 86_400;
const START = 1_700_006_400;

/** Samples every `step` seconds with some gaps; some values are unknown, those of the last class always. */
function someSamples(seed: number, days: number, step: number): ClassSample[] {
  const random = seededRandom(seed);
  const values = () =>
    CLASS_ORDER.map((_, index) => (index === CLASS_ORDER.length - 1 || randomBelow(random, 4) === 0 ? null : randomBelow(random, 500)));
  return Array.from({ length: (days * DAY) / step }, (_, index) => ({
    at: START + index * step,
    values: { active: values(), clean: values() },
  })).filter(() => randomBelow(random, 20) > 0);
}

function daysOf(samples: readonly ClassSample[]): ClassDay[] {
  return [...Map.groupBy(samples, ({ at }) => Math.floor(at / DAY) * DAY)].map(([day, own]) => {
    const sumsOf = (kind: 'active' | 'clean') =>
      CLASS_ORDER.map((_, index) => {
        const known = own.map(({ values }) => values[kind][index] ?? null).filter((value) => value !== null);
        return { n: known.length, sum: known.reduce((sum, value) => sum + value, 0), max: known.length === 0 ? null : Math.max(...known) };
      });
    const atSum = own.reduce((sum, { at }) => sum + at, 0);
    return { day, firstAt: own[0]?.at ?? 0, samples: own.length, atSum, active: sumsOf('active'), clean: sumsOf('clean') };
  });
}

describe('classSeriesOfDays', () => {
  it.each([
    [1, 130, 7200],
    [2, 400, 4 * 3600],
    [3, 3000, 10 * DAY],
  ])('equals the series of all samples with buckets of whole days (seed %i, %i days, every %i s)', (seed, days, step) => {
    const samples = someSamples(seed, days, step);
    const series = classSeriesOfDays(daysOf(samples));
    expect(series.bucketSeconds % DAY).toBe(0);
    expect(series.buckets.length).toBeLessThanOrEqual(122);
    expect(series).toEqual(classSeriesOf(samples, series.bucketSeconds));
  });
});
