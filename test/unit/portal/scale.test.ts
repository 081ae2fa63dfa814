import { describe, expect, it } from 'vitest';
import { labelledOutliers, linePaths, roundUp, scaleTop, spanOf, thinPoints } from '../../../src/platform/http/pages/chart-scale.domain.ts';

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

const pointsOf = (values: readonly (number | null)[]) => values.map((value, index) => ({ at: index * 250, value }));

describe('linePaths', () => {
  it('leaves a gap at null values and draws a point between two gaps as a dot', () => {
    expect(linePaths(pointsOf([0, 50, null, 100, null]), FRAME)).toEqual({
      line: 'M0 300L250 150',
      dots: 'M750 0h0',
      band: '',
      outliers: '',
    });
  });

  it('draws two points as dots, without a line through them', () => {
    expect(linePaths(pointsOf([0, 100]), FRAME)).toMatchObject({ line: '', dots: 'M0 300h0M250 0h0' });
  });

  it('draws a value above the scale at the edge, with a mark', () => {
    expect(linePaths(pointsOf([0, 5000, 50]), FRAME)).toMatchObject({ line: 'M0 300L250 0L500 150', outliers: 'M250 0h0' });
  });

  it('draws the ranges of the points as a band, and that of one point as a line', () => {
    const ranged = pointsOf([50, 50, 50, null, 50]).map((point) => ({ ...point, low: 25, high: 75 }));
    expect(linePaths(ranged, FRAME).band).toBe('M0 75L250 75L500 75L500 225L250 225L0 225ZM1000 225V75');
  });

  it('returns empty paths for an empty series', () => {
    expect(linePaths([], FRAME)).toEqual({ line: '', dots: '', band: '', outliers: '' });
  });
});

describe('scaleTop', () => {
  it.each([
    ['one value far above the others', [10, 12, 11, 9, 10, 5000], 15],
    ['values that grow evenly', [10, 20, 40, 80, 160, 320], 400],
    ['a peak that leaves half of the chart to the others', [10, 12, 11, 9, 10, 20], 20],
    ['many high values', [10, 12, 11, 9, 10, 5000, 5000, 5000], 5000],
    ['zeros with a peak', [0, 0, 0, 0, 0, 7], 8],
    ['few values', [1, 2, 500], 500],
    ['no values', [null], 1],
  ])('returns the edge of %s', (_, values, top) => {
    expect(scaleTop([pointsOf(values)])).toBeCloseTo(top, 9);
  });

  it('keeps a series that is higher than the others', () => {
    expect(scaleTop([pointsOf([1, 1, 1, 1, 1]), pointsOf([800, 800, 800, 800, 800])])).toBe(800);
  });
});

describe('labelledOutliers', () => {
  it('names the highest values that have room', () => {
    const points = pointsOf([500, 800, 50, 600, 50]);
    expect(labelledOutliers(points, FRAME, 0.3)).toEqual([
      { share: 0.25, value: 800 },
      { share: 0.75, value: 600 },
    ]);
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
