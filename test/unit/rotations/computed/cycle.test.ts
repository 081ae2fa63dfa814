import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  currentOrNextWindow,
  cycleWindow,
  cyclicAt,
  indexEndingAfter,
  indexStartingAfter,
  indicesFrom,
  isWithin,
  nextEdgeAfter,
} from '../../../../src/areas/rotations/schedules/cycle.domain.ts';

const smallCycle = fc
  .record({ anchorAt: fc.integer({ min: -50, max: 50 }), periodSeconds: fc.integer({ min: 1, max: 20 }) })
  .chain(({ anchorAt, periodSeconds }) =>
    fc.record({
      anchorAt: fc.constant(anchorAt),
      periodSeconds: fc.constant(periodSeconds),
      offsetSeconds: fc.integer({ min: 0, max: periodSeconds - 1 }),
      durationSeconds: fc.integer({ min: 1, max: periodSeconds }),
    }),
  );
const instant = fc.integer({ min: -200, max: 200 });

/** Finds a window by testing every index, without computing it. */
function scan(accept: (index: number) => boolean): number {
  return indicesFrom(-500, 1001).find(accept) ?? Number.NaN;
}

describe('cycle window', () => {
  it('is found as the first one that starts after a time', () => {
    fc.assert(
      fc.property(smallCycle, instant, (cycle, now) => {
        const expected = scan((index) => cycleWindow(index, cycle).starts_at > now);
        expect(indexStartingAfter(now, cycle)).toBe(expected);
      }),
    );
  });

  it('is found as the first one that ends after a time', () => {
    fc.assert(
      fc.property(smallCycle, instant, (cycle, now) => {
        const expected = scan((index) => cycleWindow(index, cycle).ends_at > now);
        expect(indexEndingAfter(now, cycle)).toBe(expected);
        expect(currentOrNextWindow(now, cycle)).toEqual(cycleWindow(expected, cycle));
      }),
    );
  });

  it('has its next edge after every second', () => {
    fc.assert(
      fc.property(smallCycle, instant, (cycle, now) => {
        const isEdge = (second: number) =>
          indicesFrom(-500, 1001).some((index) => {
            const { starts_at: startsAt, ends_at: endsAt } = cycleWindow(index, cycle);
            return startsAt === second || endsAt === second;
          });
        let expected = now + 1;
        while (!isEdge(expected)) expected += 1;
        expect(nextEdgeAfter(now, cycle)).toBe(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('includes its start and excludes its end', () => {
    const window = { starts_at: 10, ends_at: 20 };
    expect([9, 10, 19, 20].map((now) => isWithin(now, window))).toEqual([false, true, true, false]);
  });
});

describe('cyclicAt', () => {
  it('returns entries from the end for negative indexes', () => {
    expect([-4, -3, -2, -1, 0, 1, 2, 3].map((index) => cyclicAt(['a', 'b', 'c'], index)).join('')).toBe('cabcabca');
  });
});
