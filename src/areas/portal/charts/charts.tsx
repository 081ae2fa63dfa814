import type { Child, FC } from 'hono/jsx';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { DataTable } from '../tables.tsx';
import {
  type ChartPoint,
  type Frame,
  HEIGHT,
  hitAreas,
  linePath,
  minuteLabel,
  roundUp,
  spanOf,
  thinPoints,
  timeLabel,
  WIDTH,
} from './scale.domain.ts';

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
/** Number of labels of the time axis. */
const TIME_LABEL_COUNT = 4;
const NO_CAPTURES = 'No data yet. Data appears after the first leaderboard captures.';

const countFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const axisFormat = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Formats a rounded count; an em dash for null. */
export const formatCount = (value: number | null) => (value === null ? '—' : countFormat.format(value));

type ValueFormat = typeof formatCount;

/** The values of a chart as a collapsed table. */
export const ChartTable: FC<{ label: string; head: readonly string[]; rows: readonly (readonly string[])[] }> = ({ label, head, rows }) => (
  <details>
    <summary>As a table</summary>
    <DataTable label={label} head={head} rows={thinPoints(rows, MAX_TABLE_ROWS)} isNumeric />
  </details>
);

const ChartSvg: FC<{ id: string; title: string; description: string; height?: number; children?: Child }> = ({
  id,
  title,
  description,
  height = HEIGHT,
  children,
}) => (
  <svg viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" role="img" aria-labelledby={`${id}-title ${id}-about`}>
    <title id={`${id}-title`}>{title}</title>
    <desc id={`${id}-about`}>{description}</desc>
    {children}
  </svg>
);

const TimeAxis: FC<{ from: UnixSeconds; to: UnixSeconds }> = (frame) => {
  const { from, to } = frame;
  const labels = Array.from({ length: TIME_LABEL_COUNT }, (_, index) =>
    timeLabel(from + ((to - from) * index) / (TIME_LABEL_COUNT - 1), frame),
  );
  return (
    <div class="axis time" aria-hidden="true">
      {labels.map((label) => (
        <span>{label}</span>
      ))}
    </div>
  );
};

/** Describes a line by its last, highest and lowest value. */
function summaryOf(points: readonly ChartPoint[], format: ValueFormat): string {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length === 0) return 'No data yet.';
  const [last = 0] = values.slice(-1);
  return `Last ${format(last)}, highest ${format(Math.max(...values))}, lowest ${format(Math.min(...values))}.`;
}

export interface LineChartProps {
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
      <figcaption>{title}</figcaption>
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
            <ChartSvg id={id} title={title} description={summaryOf(points, format)}>
              <path class="grid" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
              <path class="line" d={linePath(points, frame)} />
              {hitAreas(points, frame).map(({ x, width, point }) => (
                <rect class="hit" x={x} y={0} width={width} height={HEIGHT}>
                  <title>{`${minuteLabel(point.at)} UTC: ${format(point.value)} ${unit}`}</title>
                </rect>
              ))}
            </ChartSvg>
            <TimeAxis from={from} to={to} />
          </div>
          {hasTable ? (
            <ChartTable label={title} head={['Time (UTC)', unit]} rows={all.map(({ at, value }) => [minuteLabel(at), format(value)])} />
          ) : null}
        </>
      )}
    </figure>
  );
};

function maxValueOf(series: readonly (readonly ChartPoint[])[]): number {
  return series.reduce((most, points) => points.reduce((highest, { value }) => Math.max(highest, value ?? 0), most), 0);
}

export interface SmallMultiplesProps {
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
          <li>
            <p>
              <b>{name}</b> <span class="hint">{formatCount(points.findLast(({ value }) => value !== null)?.value ?? null)}</span>
            </p>
            <ChartSvg id={`${id}-${index}`} title={name} description={summaryOf(points, formatCount)}>
              <path class="grid" d={`M0 ${HEIGHT}H${WIDTH}`} />
              <path class="line" d={linePath(points, frame)} />
            </ChartSvg>
          </li>
        ))}
      </ul>
      <ChartTable
        label={`${title}: ${unit}`}
        head={['Time (UTC)', ...series.map(({ name }) => name)]}
        rows={times.map((at, row) => [minuteLabel(at), ...series.map(({ points }) => formatCount(points[row]?.value ?? null))])}
      />
    </figure>
  );
};

export interface Segment {
  status: string;
  from: UnixSeconds;
  to: UnixSeconds;
}

export interface StripChartProps {
  id: string;
  title: string;
  /** Description as plain text. */
  description: string;
  /** Description with markup. Default: `description`. */
  caption?: Child;
  segments: readonly Segment[];
  from: UnixSeconds;
  to: UnixSeconds;
}

/** A strip of time spans with states. Time without a span stays empty. */
export const StripChart: FC<StripChartProps> = ({ id, title, description, caption, segments, from, to }) => (
  <figure class="timeline chart">
    <figcaption>
      <b>{title}</b> <span class="hint">{caption ?? description}</span>
    </figcaption>
    <div class="strip">
      <ChartSvg id={id} title={title} description={description} height={STRIP_HEIGHT}>
        {segments.slice(-MAX_SEGMENTS).map((segment) => (
          <rect class={segment.status} {...spanOf(segment.from, segment.to, { from, to }, MIN_SEGMENT_WIDTH)} y={0} height={STRIP_HEIGHT}>
            <title>{`${segment.status} from ${minuteLabel(segment.from)} to ${minuteLabel(segment.to)} UTC`}</title>
          </rect>
        ))}
      </ChartSvg>
    </div>
    <TimeAxis from={from} to={to} />
  </figure>
);
