import { describe, expect, it } from 'vitest';
import { addSize, type DaySize, growthOf, sizeCheck } from '../../../src/areas/service-status/database-size.domain.ts';

const DAY = 86_400;
const START = 20_000 * DAY;
const GB = 1_000_000_000;

describe('addSize', () => {
  it('keeps the first size of each of the last 30 days', () => {
    let sizes: DaySize[] = [];
    for (let hour = 0; hour < 40 * 24; hour += 1) sizes = addSize(sizes, START + Math.floor(hour / 24) * DAY, hour);
    expect(sizes).toHaveLength(30);
    expect([sizes[0], sizes.at(-1)]).toEqual([
      { day: START + 10 * DAY, bytes: 240 },
      { day: START + 39 * DAY, bytes: 39 * 24 },
    ]);
  });

  it('adds nothing without a size', () => {
    expect(addSize([{ day: START, bytes: 1 }], START + DAY, undefined)).toEqual([{ day: START, bytes: 1 }]);
  });
});

describe('growthOf', () => {
  const grown = [
    { day: START, bytes: GB },
    { day: START + 10 * DAY, bytes: 2 * GB },
  ];

  it('returns the mean growth and when the limit is reached', () => {
    const now = START + 10 * DAY + 60;
    expect(growthOf(grown, 2 * GB, now)).toEqual({
      bytes: 2 * GB,
      limitBytes: 10 * GB,
      bytesPerDay: GB / 10,
      isAlarm: false,
      fullAt: now + 80 * DAY,
    });
  });

  it('returns no date before the second day, and for a size that shrinks', () => {
    expect(growthOf(grown.slice(0, 1), GB, START)).toMatchObject({ bytesPerDay: null, fullAt: null });
    expect(
      growthOf(
        grown.toReversed().map(({ bytes }, index) => ({ day: START + index * DAY, bytes })),
        GB,
        START,
      ),
    ).toMatchObject({
      bytesPerDay: -GB,
      fullAt: null,
    });
    expect(growthOf(grown, undefined, START)).toBeNull();
  });
});

describe('sizeCheck', () => {
  it('is degraded from 70 % of the limit on', () => {
    expect(sizeCheck(6.9 * GB).state).toBe('green');
    expect(sizeCheck(undefined).state).toBe('green');
    expect(sizeCheck(7.04 * GB)).toEqual({ state: 'degraded', detail: 'the database has reached 70 % of its size limit' });
  });
});
