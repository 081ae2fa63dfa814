import type { Child, FC } from 'hono/jsx';
import { ticksOf, tickText } from '../../../assets/ui/ticks.js';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import { DataTable, Instant } from './parts.tsx';

/** A point of a line. Null is an unknown value, which leaves a gap. */
interface ChartPoint {
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

/** Length of the line that shows a single point, in SVG units: a dot could not be seen. */
const POINT_LENGTH = 8;

/** SVG path of a line. A point between two gaps becomes a short line. */
export function linePath(points: readonly ChartPoint[], frame: Frame): string {
  let path = '';
  let isConnected = false;
  for (const [index, { at, value }] of points.entries()) {
    if (value === null) {
      isConnected = false;
      continue;
    }
    const isSinglePoint = !isConnected && (points[index + 1]?.value ?? null) === null;
    const x = isSinglePoint ? Math.min(WIDTH - POINT_LENGTH, Math.max(0, xOf(at, frame) - POINT_LENGTH / 2)) : xOf(at, frame);
    path += `${isConnected ? 'L' : 'M'}${x} ${yOf(value, frame)}${isSinglePoint ? `h${POINT_LENGTH}` : ''}`;
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

/*
 * Server-rendered SVG charts. They have no inline styles, which the Content-Security-Policy of pages forbids. Every chart has a title, a
 * description and a table with the same values.
 */

/** Maximum number of points of a line. More would not be visible. */
const MAX_POINTS = 400;
const MAX_TABLE_ROWS = 400;
const MAX_SEGMENTS = 400;
/** Minimum width in SVG units, so that short outages are visible. */
const MIN_SEGMENT_WIDTH = 1.5;
const STRIP_HEIGHT = 10;
/** A label closer to an end of the axis than this share is aligned with the end. */
const AXIS_END = 0.06;
const NO_CAPTURES = 'No data yet. Data appears after the first leaderboard captures.';

const countFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const axisFormat = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Formats a rounded count; an em dash for null. */
export const formatCount = (value: number | null) => (value === null ? '—' : countFormat.format(value));

type ValueFormat = typeof formatCount;

/** The values of a chart as a collapsed table. */
export const ChartTable: FC<{ label: string; head: readonly string[]; rows: readonly (readonly Child[])[] }> = ({ label, head, rows }) => (
  <details>
    <summary>As a table</summary>
    <DataTable label={label} head={head} rows={thinPoints(rows, MAX_TABLE_ROWS)} isNumeric />
  </details>
);

interface ChartSvgProps {
  id: string;
  title: string;
  description: string;
  from: UnixSeconds;
  to: UnixSeconds;
  height?: number;
  /** Times with their values as text, for the script. */
  points?: readonly (readonly [UnixSeconds, string])[];
  /** Spans with their states, for the script. */
  spans?: readonly (readonly [UnixSeconds, UnixSeconds, string])[];
  unit?: string;
  children?: Child;
}

const ChartSvg: FC<ChartSvgProps> = ({ id, title, description, from, to, height = HEIGHT, points, spans, unit, children }) => (
  <svg
    viewBox={`0 0 ${WIDTH} ${height}`}
    preserveAspectRatio="none"
    role="img"
    aria-labelledby={`${id}-title ${id}-about`}
    data-from={from}
    data-to={to}
    data-points={points && JSON.stringify(points)}
    data-spans={spans && JSON.stringify(spans)}
    data-unit={unit}
  >
    <title id={`${id}-title`}>{title}</title>
    <desc id={`${id}-about`}>{description}</desc>
    {children}
  </svg>
);

/** Round times in UTC. The script draws those of the visitor's zone. */
const TimeAxis: FC<{ from: UnixSeconds; to: UnixSeconds }> = ({ from, to }) => (
  <svg class="ticks" data-from={from} data-to={to} aria-hidden="true">
    {ticksOf(from, to).map((tick) => {
      const share = (tick.at - from) / Math.max(1, to - from);
      const end = share < AXIS_END ? 'first' : share > 1 - AXIS_END ? 'last' : undefined;
      return (
        <text x={`${(share * 100).toFixed(2)}%`} y="1em" class={end}>
          {tickText(tick, 'UTC')}
        </text>
      );
    })}
  </svg>
);

/** Describes a line by its last, highest and lowest value. */
function summaryOf(points: readonly ChartPoint[], format: ValueFormat): string {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length === 0) return 'No data yet.';
  const [last = 0] = values.slice(-1);
  return `Last ${format(last)}, highest ${format(Math.max(...values))}, lowest ${format(Math.min(...values))}.`;
}

interface LineChartProps {
  /** Unique on the page. */
  id: string;
  title: string;
  /** Unit of the values. */
  unit: string;
  points: readonly ChartPoint[];
  from: UnixSeconds;
  to: UnixSeconds;
  /** Default: a rounded count. */
  format?: ValueFormat;
  /** Shown without points. */
  none?: string;
  /** Whether the values are also shown as a table. */
  hasTable?: boolean;
}

/** One series over time, with axes and a table. */
export const LineChart: FC<LineChartProps> = ({
  id,
  title,
  unit,
  points: all,
  from,
  to,
  format = formatCount,
  none = NO_CAPTURES,
  hasTable = true,
}) => {
  const points = thinPoints(all, MAX_POINTS);
  const frame: Frame = { from, to, top: roundUp(maxValueOf([points])) };
  return (
    <figure class="chart card">
      <figcaption>
        {title} <output class="hint">{points.length === 0 ? '' : summaryOf(points, format)}</output>
      </figcaption>
      {points.length === 0 ? (
        <p class="hint">{none}</p>
      ) : (
        <>
          <div class="plot">
            <div class="axis values" aria-hidden="true">
              {[1, 0.5, 0].map((share) => (
                <span>{axisFormat.format(frame.top * share)}</span>
              ))}
            </div>
            <ChartSvg
              id={id}
              title={title}
              description={summaryOf(points, format)}
              from={from}
              to={to}
              points={points.map(({ at, value }) => [at, format(value)])}
              unit={unit}
            >
              <path class="grid" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
              <path class="line" d={linePath(points, frame)} />
            </ChartSvg>
            <TimeAxis from={from} to={to} />
          </div>
          {hasTable ? (
            <ChartTable label={title} head={['Time', unit]} rows={all.map(({ at, value }) => [<Instant at={at} />, format(value)])} />
          ) : null}
        </>
      )}
    </figure>
  );
};

function maxValueOf(series: readonly (readonly ChartPoint[])[]): number {
  return series.reduce((most, points) => points.reduce((highest, { value }) => Math.max(highest, value ?? 0), most), 0);
}

interface SmallMultiplesProps {
  id: string;
  title: string;
  unit: string;
  series: readonly { name: string; points: readonly ChartPoint[] }[];
  from: UnixSeconds;
  to: UnixSeconds;
}

/** Small charts of several series on one scale, with one table. All series have the same times. */
export const SmallMultiples: FC<SmallMultiplesProps> = ({ id, title, unit, series, from, to }) => {
  const thinnedSeries = series.map(({ name, points }) => ({ name, points: thinPoints(points, MAX_POINTS) }));
  const frame: Frame = { from, to, top: roundUp(maxValueOf(thinnedSeries.map(({ points }) => points))) };
  const times = (series[0]?.points ?? []).map(({ at }) => at);
  if (times.length === 0) {
    return (
      <figure class="chart card">
        <figcaption>{title}</figcaption>
        <p class="hint">{NO_CAPTURES}</p>
      </figure>
    );
  }
  return (
    <figure class="chart card">
      <figcaption>
        {title} <span class="hint">{`All on one scale, 0 to ${formatCount(frame.top)}`}</span>
      </figcaption>
      <ul class="multiples">
        {thinnedSeries.map(({ name, points }, index) => (
          <li data-plot>
            <p>
              <b>{name}</b> <output class="hint">{formatCount(points.findLast(({ value }) => value !== null)?.value ?? null)}</output>
            </p>
            <ChartSvg
              id={`${id}-${index}`}
              title={name}
              description={summaryOf(points, formatCount)}
              from={from}
              to={to}
              points={points.map(({ at, value }) => [at, formatCount(value)])}
            >
              <path class="grid" d={`M0 ${HEIGHT}H${WIDTH}`} />
              <path class="line" d={linePath(points, frame)} />
            </ChartSvg>
          </li>
        ))}
      </ul>
      <ChartTable
        label={`${title}: ${unit}`}
        head={['Time', ...series.map(({ name }) => name)]}
        rows={times.map((at, row) => [<Instant at={at} />, ...series.map(({ points }) => formatCount(points[row]?.value ?? null))])}
      />
    </figure>
  );
};

interface RankChartsProps {
  id: string;
  title: string;
  lines: readonly { name: string; points: readonly { at: UnixSeconds; rank: number }[] }[];
  from: UnixSeconds;
  to: UnixSeconds;
}

/** Small charts of ranks on one scale, the first rank on top. */
export const RankCharts: FC<RankChartsProps> = ({ id, title, lines, from, to }) => {
  const worst = lines.reduce((most, { points }) => points.reduce((highest, { rank }) => Math.max(highest, rank), most), 1);
  const frame: Frame = { from, to, top: worst };
  return (
    <figure class="chart card">
      <figcaption>
        {title} <span class="hint">{`All on one scale, rank 1 on top, rank ${formatCount(worst)} at the bottom`}</span>
      </figcaption>
      {lines.length === 0 ? <p class="hint">No captures in this week.</p> : null}
      <ul class="multiples">
        {lines.map(({ name, points: all }, index) => {
          const points = thinPoints(all, MAX_POINTS);
          const last = points.at(-1);
          const text = last === undefined ? '—' : `Rank ${formatCount(last.rank)}`;
          return (
            <li data-plot>
              <p>
                <b>{name}</b> <output class="hint">{text}</output>
              </p>
              <ChartSvg
                id={`${id}-${index}`}
                title={name}
                description={text}
                from={from}
                to={to}
                points={points.map(({ at, rank }) => [at, `Rank ${formatCount(rank)}`])}
              >
                <path class="grid" d={`M0 0H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
                <path
                  class="line"
                  d={linePath(
                    points.map(({ at, rank }) => ({ at, value: worst + 1 - rank })),
                    frame,
                  )}
                />
              </ChartSvg>
            </li>
          );
        })}
      </ul>
    </figure>
  );
};

export interface Segment {
  status: string;
  from: UnixSeconds;
  to: UnixSeconds;
}

interface StripChartProps {
  id: string;
  title: string;
  /** Description as plain text. */
  description: string;
  segments: readonly Segment[];
  from: UnixSeconds;
  to: UnixSeconds;
}

/** A strip of time spans with states. Time without a span is unknown. */
export const StripChart: FC<StripChartProps> = ({ id, title, description, segments, from, to }) => {
  const shown = segments.slice(-MAX_SEGMENTS);
  return (
    <figure class="timeline chart">
      <figcaption>
        <b>{title}</b> <output class="hint">{description}</output>
      </figcaption>
      <div class="strip">
        <ChartSvg
          id={id}
          title={title}
          description={description}
          from={from}
          to={to}
          height={STRIP_HEIGHT}
          spans={shown.map((segment) => [segment.from, segment.to, segment.status])}
        >
          {shown.map((segment) => (
            <rect
              class={segment.status}
              {...spanOf(segment.from, segment.to, { from, to }, MIN_SEGMENT_WIDTH)}
              y={0}
              height={STRIP_HEIGHT}
            />
          ))}
        </ChartSvg>
      </div>
      <TimeAxis from={from} to={to} />
    </figure>
  );
};
