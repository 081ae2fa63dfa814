import { highestWithin } from '../../../assets/ui/figures.js';
import type { UnixSeconds } from '../../kit/time/clock.ts';

/** A point of a line. Null is an unknown value, which leaves a gap. */
export interface ChartPoint {
  at: UnixSeconds;
  value: number | null;
  /** Ends of the range of the point, which the band shows; without a range absent or null. */
  low?: number | null;
  high?: number | null;
}

/** Size of a chart in SVG units. The SVG scales to the page width with constant line widths. */
export const WIDTH = 1000;
export const HEIGHT = 300;
const LEADING_DIGITS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** Known values that a line connects at least. Fewer are dots, because a line would claim values between them. */
const MIN_LINE_POINTS = 3;

/** The next round number, as the end of an axis that starts at 0. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (LEADING_DIGITS.find((digit) => digit * power >= value) ?? 10) * power;
}

/** Selects at most `limit` points at even distances, including the first and the last. */
export function thinPoints<Point>(points: readonly Point[], limit: number): Point[] {
  if (points.length <= limit) return [...points];
  const step = (points.length - 1) / (limit - 1);
  return Array.from({ length: limit }, (_, index) => points[Math.round(index * step)] as Point);
}

export interface Frame {
  from: UnixSeconds;
  to: UnixSeconds;
  /** Value of the upper edge. Values above it are drawn at the edge. */
  top: number;
}

const round = (value: number) => Math.round(value * 10) / 10;
const xOf = (at: UnixSeconds, { from, to }: Omit<Frame, 'top'>) => round(((at - from) / Math.max(1, to - from)) * WIDTH);
const yOf = (value: number, { top }: Frame) => round(HEIGHT - (Math.max(0, Math.min(value, top)) / top) * HEIGHT);

/** Upper edge of series on one scale, as a round number: values far above the others of their series do not count. */
export function scaleTop(series: readonly (readonly ChartPoint[])[]): number {
  return roundUp(series.reduce((most, points) => Math.max(most, highestWithin(points.flatMap(valuesOf))), 0));
}

const valuesOf = ({ value, high }: ChartPoint) => [value, high].flatMap((one) => (one === null || one === undefined ? [] : [one]));

/** A position of the line, in SVG units. */
interface Place {
  x: number;
  point: ChartPoint & { value: number };
}

/** Connected points of a line. */
function runsOf(points: readonly ChartPoint[], frame: Frame): Place[][] {
  const runs: Place[][] = [];
  let isConnected = false;
  for (const point of points) {
    const { value } = point;
    if (value !== null) {
      const place = { x: xOf(point.at, frame), point: { ...point, value } };
      if (isConnected) runs.at(-1)?.push(place);
      else runs.push([place]);
    }
    isConnected = value !== null;
  }
  return runs;
}

export interface LinePaths {
  /** The line; empty for less than three known points. */
  line: string;
  /** Points that no line connects, as lines without length, which round ends make visible. */
  dots: string;
  /** The ranges of the points, as closed areas. */
  band: string;
  /** Points beyond the edge, at the edge. */
  outliers: string;
}

/** SVG paths of a line. */
export function linePaths(points: readonly ChartPoint[], frame: Frame): LinePaths {
  const runs = runsOf(points, frame);
  const isLine = runs.flat().length >= MIN_LINE_POINTS;
  const [lines, alone] = [runs.filter((run) => isLine && run.length > 1), runs.filter((run) => !isLine || run.length === 1).flat()];
  const y = ({ point }: Place) => yOf(point.value, frame);
  const dotAt = (place: Place) => `M${place.x} ${y(place)}h0`;
  return {
    line: lines.map((run) => `M${run.map((place) => `${place.x} ${y(place)}`).join('L')}`).join(''),
    dots: alone.map(dotAt).join(''),
    band: runs.map((run) => bandOf(run, frame)).join(''),
    outliers: runs
      .flat()
      .filter(({ point }) => point.value > frame.top)
      .map(dotAt)
      .join(''),
  };
}

/** The area between the low and the high ends of a run; empty where a point has no range or the run is a point. */
function bandOf(run: readonly Place[], frame: Frame): string {
  const ends = run.flatMap(({ x, point: { low, high } }) =>
    low === null || low === undefined || high === null || high === undefined ? [] : [{ x, low: yOf(low, frame), high: yOf(high, frame) }],
  );
  const [first] = ends;
  if (first === undefined || ends.length < run.length) return '';
  // The range of one point is a vertical line.
  if (ends.length === 1) return `M${first.x} ${first.low}V${first.high}`;
  const upper = ends.map(({ x, high }) => `${x} ${high}`);
  const lower = ends.map(({ x, low }) => `${x} ${low}`).reverse();
  return `M${[...upper, ...lower].join('L')}Z`;
}

/** A value beyond the edge with its position, as a share of the width. */
export interface Outlier {
  share: number;
  value: number;
}

/**
 * The values above the edge that have room for a text, the highest first. `distance`: of two texts at least, as a share of the width.
 */
export function labelledOutliers(points: readonly ChartPoint[], frame: Frame, distance: number): Outlier[] {
  const above = runsOf(points, frame)
    .flat()
    .filter(({ point }) => point.value > frame.top)
    .map(({ x, point: { value } }) => ({ share: x / WIDTH, value }))
    .sort((one, other) => other.value - one.value);
  const labelled: Outlier[] = [];
  for (const outlier of above) if (labelled.every(({ share }) => Math.abs(share - outlier.share) >= distance)) labelled.push(outlier);
  return labelled;
}

/** Position of a time span in SVG units. */
export function spanOf(
  from: UnixSeconds,
  to: UnixSeconds,
  frame: Pick<Frame, 'from' | 'to'>,
  minWidth: number,
): { x: number; width: number } {
  const length = Math.max(1, frame.to - frame.from);
  return { x: round(((from - frame.from) / length) * WIDTH), width: Math.max(minWidth, round(((to - from) / length) * WIDTH)) };
}
