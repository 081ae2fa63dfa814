import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gardeningAt, gardeningNextChangeAt } from '../../../../src/areas/rotations/schedules/computed.domain.ts';
import { gardeningRules } from '../../../../src/areas/rotations/schedules/schedules.data.ts';

const day = 86_400;
const anchor = gardeningRules.twoDay.cycle.anchorAt;
const at = (now: number) => gardeningAt(now, gardeningRules);

/** Harvest days after the anchor, zero-based: every second day, and every third. */
const isTwoDayHarvest = (dayNumber: number) => ((dayNumber % 2) + 2) % 2 === 1;
const isThreeDayHarvest = (dayNumber: number) => ((dayNumber % 3) + 3) % 3 === 2;

describe('gardeningAt', () => {
  it.each([
    [0, 1, false, 2, false],
    [1, 1, true, 2, false],
    [2, 3, false, 2, true],
    [3, 3, true, 5, false],
    [4, 5, false, 5, false],
    [5, 5, true, 5, true],
    [-1, -1, true, -1, true],
    [-2, -1, false, -1, false],
  ])(
    'returns on day %i the harvest of 2-day plants on day %i (%s) and of 3-day plants on day %i (%s)',
    (today, twoDay, twoOpen, threeDay, threeOpen) => {
      for (const second of [0, 1, day - 1]) {
        expect(at(anchor + today * day + second)).toMatchObject({
          two_day: { name: '2-day plants', active: twoOpen, starts_at: anchor + twoDay * day, ends_at: anchor + (twoDay + 1) * day },
          three_day: {
            name: '3-day plants',
            active: threeOpen,
            starts_at: anchor + threeDay * day,
            ends_at: anchor + (threeDay + 1) * day,
          },
        });
      }
    },
  );

  it('lists the next ten windows that have not started, 2-day plants first when both start at the same time', () => {
    const { upcoming } = at(anchor);
    expect(upcoming.map((window) => [(window.starts_at - anchor) / day, window.name])).toEqual([
      [1, '2-day plants'],
      [2, '3-day plants'],
      [3, '2-day plants'],
      [5, '2-day plants'],
      [5, '3-day plants'],
      [7, '2-day plants'],
      [8, '3-day plants'],
      [9, '2-day plants'],
      [11, '2-day plants'],
      [11, '3-day plants'],
    ]);
  });

  it('omits a window once it starts', () => {
    const start = anchor + day;
    expect(at(start - 1).upcoming[0]).toMatchObject({ starts_at: start, active: false });
    expect(at(start).upcoming[0]).toMatchObject({ starts_at: start + day, name: '3-day plants' });
    expect(at(start).two_day).toMatchObject({ active: true, starts_at: start });
  });

  it('agrees with counted harvest days', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_000_000_000, max: 6_000_000_000 }), (now) => {
        const today = Math.floor((now - anchor) / day);
        const { two_day: twoDay, three_day: threeDay, upcoming } = at(now);
        expect(twoDay.active).toBe(isTwoDayHarvest(today));
        expect(threeDay.active).toBe(isThreeDayHarvest(today));
        expect(Math.min(twoDay.ends_at, threeDay.ends_at)).toBeGreaterThan(now);
        const expected: (string | number)[][] = [];
        for (let ahead = today + 1; expected.length < 10; ahead += 1) {
          if (isTwoDayHarvest(ahead)) expected.push([ahead, '2-day plants']);
          if (isThreeDayHarvest(ahead)) expected.push([ahead, '3-day plants']);
        }
        expect(upcoming.map((window) => [(window.starts_at - anchor) / day, window.name])).toEqual(expected.slice(0, 10));
        expect(upcoming.every((window) => !window.active && window.ends_at - window.starts_at === day)).toBe(true);
      }),
    );
  });

  it('changes at every daily reset', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_000_000_000, max: 6_000_000_000 }), (now) => {
        const nextReset = anchor + (Math.floor((now - anchor) / day) + 1) * day;
        expect(gardeningNextChangeAt(now, gardeningRules)).toBe(nextReset);
      }),
    );
  });
});
