import { describe, expect, it } from 'vitest';
import { type DaySamples, isLongSeries, type Sample, seriesOf, seriesOfDays } from '../../../src/areas/activity/activity.domain.ts';
import { randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';

const DAY = 86_400;
const START = 1_700_006_400;

/** Samples every `step` seconds, with some gaps. */
function someSamples(seed: number, days: number, step: number): Sample[] {
  const random = seededRandom(seed);
  return Array.from({ length: (days * DAY) / step }, (_, index) => ({ at: START + index * step, value: randomBelow(random, 500) })).filter(
    () => randomBelow(random, 20) > 0,
  );
}

function daysOf(samples: readonly Sample[]): DaySamples[] {
  return [...Map.groupBy(samples, ({ at }) => Math.floor(at / DAY) * DAY)].map(([day, own]) => {
    const first = (isMore: (one: number, other: number) => boolean) =>
      own.reduce((best, one) => (isMore(one.value, best.value) ? one : best));
    const [peak, low] = [first((one, other) => one > other), first((one, other) => one < other)];
    return {
      day,
      samples: own.length,
      valueSum: own.reduce((sum, { value }) => sum + value, 0),
      atSum: own.reduce((sum, { at }) => sum + at, 0),
      peak: peak.value,
      peakAt: peak.at,
      low: low.value,
      lowAt: low.at,
    };
  });
}

describe('seriesOfDays', () => {
  it.each([
    [1, 400, 3600],
    [2, 1000, 7200],
    [3, 3000, 10 * DAY],
  ])('equals the series of all samples with buckets of whole days (seed %i, %i days, every %i s)', (seed, days, step) => {
    const samples = someSamples(seed, days, step);
    const kept = daysOf(samples);
    expect(isLongSeries(kept)).toBe(true);
    const series = seriesOfDays(kept, samples.at(-1)?.value ?? null);
    expect(series.bucketSeconds % DAY).toBe(0);
    expect(series.points.length).toBeLessThanOrEqual(122);
    expect(series).toEqual(seriesOf(samples, series.bucketSeconds));
  });

  it('is not used for 120 days', () => {
    expect(isLongSeries(daysOf(someSamples(4, 120, 3600)))).toBe(false);
  });
});
