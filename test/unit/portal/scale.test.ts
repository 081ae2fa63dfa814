import { describe, expect, it } from 'vitest';
import { linePath, roundUp, spanOf, thinPoints } from '../../../src/platform/http/pages/charts.tsx';

const FRAME = { from: 0, to: 1000, top: 100 };

describe('roundUp', () => {
  it.each([
    [0, 1],
    [Number.NaN, 1],
    [0.3, 0.3],
    [7, 8],
    [101, 150],
    [9999, 10_000],
  ])('rounds %s up to the axis end %s', (value, rounded) => {
    expect(roundUp(value)).toBeCloseTo(rounded, 9);
  });
});

describe('linePath', () => {
  it('leaves a gap at null values and draws a point between two gaps as a short line', () => {
    const values = [0, 50, null, 100, null];
    const points = values.map((value, index) => ({ at: index * 250, value }));
    expect(linePath(points, FRAME)).toBe('M0 300L250 150M746 0h8');
  });

  it('returns an empty path for an empty series', () => {
    expect(linePath([], FRAME)).toBe('');
  });
});

describe('spanOf', () => {
  it('returns the minimum width for a span shorter than it', () => {
    expect(spanOf(500, 500, FRAME, 1.5)).toEqual({ x: 500, width: 1.5 });
  });
});

describe('thinPoints', () => {
  it('keeps the first and last point and at most `limit` points', () => {
    const points = Array.from({ length: 1001 }, (_, index) => index);
    const few = thinPoints(points, 11);
    expect(few).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
    expect(thinPoints([1, 2], 11)).toEqual([1, 2]);
  });
});
