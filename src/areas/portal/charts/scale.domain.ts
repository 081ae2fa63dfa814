import type { UnixSeconds } from '../../../platform/time/clock.ts';

/** A value of a series; null: none is known, and the line has a gap. */
export interface ChartPoint {
  at: UnixSeconds;
  value: number | null;
}

/** Size of the drawing in units of its own. It is stretched to the width of the page, and lines keep their width. */
export const WIDTH = 1000;
export const HEIGHT = 300;
const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 366 * DAY_SECONDS;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const LEADING_DIGITS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const ISO_DAY_LENGTH = 'YYYY-MM-DD'.length;
const ISO_MINUTE_LENGTH = 'YYYY-MM-DDTHH:MM'.length;

/** The end of an axis from 0: the next round number. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (LEADING_DIGITS.find((digit) => digit * power >= value) ?? 10) * power;
}

/** At most `limit` points: those in between are left out evenly, the first and the last stay. */
export function thinned<Point>(points: readonly Point[], limit: number): Point[] {
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

/** The path of a line; a point that stands alone is a dot. */
export function linePath(points: readonly ChartPoint[], frame: Frame): string {
  let path = '';
  let isOpen = false;
  for (const [index, { at, value }] of points.entries()) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    const isAlone = !isOpen && (points[index + 1]?.value ?? null) === null;
    path += `${isOpen ? 'L' : 'M'}${xOf(at, frame)} ${yOf(value, frame)}${isAlone ? 'h0.01' : ''}`;
    isOpen = true;
  }
  return path;
}

/** Where a span of time lies on the drawing. */
export function spanOf(from: UnixSeconds, to: UnixSeconds, frame: Pick<Frame, 'from' | 'to'>, least: number): { x: number; width: number } {
  const length = Math.max(1, frame.to - frame.from);
  return { x: round(((from - frame.from) / length) * WIDTH), width: Math.max(least, round(((to - from) / length) * WIDTH)) };
}

/** Spaces between points, each with the point in its middle: what reacts to the pointer. */
export function hitAreas(points: readonly ChartPoint[], frame: Frame): { x: number; width: number; point: ChartPoint }[] {
  const xs = points.map(({ at }) => xOf(at, frame));
  return points.map((point, index) => {
    const x = xs[index] ?? 0;
    const left = index === 0 ? 0 : ((xs[index - 1] ?? x) + x) / 2;
    const right = index === points.length - 1 ? WIDTH : ((xs[index + 1] ?? x) + x) / 2;
    return { x: round(left), width: Math.max(0.1, round(right - left)), point };
  });
}

/** A time as text, UTC: the minute when the axis covers less than two days, the month when it covers more than a year, else the day. */
export function timeLabel(at: UnixSeconds, { from, to }: Pick<Frame, 'from' | 'to'>): string {
  const date = new Date(at * 1000);
  if (to - from <= 2 * DAY_SECONDS) return date.toISOString().slice(ISO_DAY_LENGTH + 1, ISO_MINUTE_LENGTH);
  const month = MONTHS[date.getUTCMonth()];
  return to - from > YEAR_SECONDS ? `${month} ${date.getUTCFullYear()}` : `${date.getUTCDate()} ${month}`;
}

/** Day and minute of a time, UTC. */
export function minuteLabel(at: UnixSeconds): string {
  return new Date(at * 1000).toISOString().slice(0, ISO_MINUTE_LENGTH).replace('T', ' ');
}
