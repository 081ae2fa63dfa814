import type { UnixSeconds } from '../../kit/time/clock.ts';

/** A point of a line. Null is an unknown value, which leaves a gap. */
export interface ChartPoint {
  at: UnixSeconds;
  value: number | null;
}

/** Size of a chart in SVG units. The SVG scales to the page width with constant line widths. */
export const WIDTH = 1000;
export const HEIGHT = 300;
const LEADING_DIGITS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

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
  top: number;
}

const xOf = (at: UnixSeconds, { from, to }: Frame) => round(((at - from) / Math.max(1, to - from)) * WIDTH);
const yOf = (value: number, { top }: Frame) => round(HEIGHT - (value / top) * HEIGHT);
const round = (value: number) => Math.round(value * 10) / 10;

/** SVG path of a line. A point between two gaps becomes a dot. */
export function linePath(points: readonly ChartPoint[], frame: Frame): string {
  let path = '';
  let isConnected = false;
  for (const [index, { at, value }] of points.entries()) {
    if (value === null) {
      isConnected = false;
      continue;
    }
    const isSinglePoint = !isConnected && (points[index + 1]?.value ?? null) === null;
    path += `${isConnected ? 'L' : 'M'}${xOf(at, frame)} ${yOf(value, frame)}${isSinglePoint ? 'h0.01' : ''}`;
    isConnected = true;
  }
  return path;
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
