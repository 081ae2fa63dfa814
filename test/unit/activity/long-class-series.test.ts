import { describe, expect, it } from 'vitest';
import { type ClassSample, classSeriesOf, classSeriesOfDays } from '../../../src/areas/activity/class-activity.domain.ts';
import { CLASS_ORDER } from '../../../src/game/class-order.data.ts';
import { randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';
import { classDaysOf } from '../../support/class-days.ts';

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

describe('classSeriesOfDays', () => {
  it.each([
    [1, 130, 7200],
    [2, 400, 4 * 3600],
    [3, 3000, 10 * DAY],
  ])('equals the series of all samples with buckets of whole days (seed %i, %i days, every %i s)', (seed, days, step) => {
    const samples = someSamples(seed, days, step);
    const series = classSeriesOfDays(classDaysOf(samples));
    expect(series.bucketSeconds % DAY).toBe(0);
    expect(series.buckets.length).toBeLessThanOrEqual(122);
    expect(series).toEqual(classSeriesOf(samples, series.bucketSeconds));
  });
});
