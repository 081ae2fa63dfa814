import type { Child, FC } from 'hono/jsx';
import { highestWithin } from '../../../assets/ui/figures.js';
import { ticksOf, tickText } from '../../../assets/ui/ticks.js';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import {
  type ChartPoint,
  type Frame,
  HEIGHT,
  labelledOutliers,
  linePaths,
  type Outlier,
  scaleTop,
  spanOf,
  thinPoints,
  WIDTH,
} from './chart-scale.domain.ts';
import { DataTable, Instant } from './parts.tsx';

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
/** Distance of two values at the edge of a chart, as a share of its width: of a wide one, and of a small one. */
const OUTLIER_DISTANCE = 0.16;
const SMALL_OUTLIER_DISTANCE = 0.5;
/** As `AXIS_END`, for the values at the edge of a small chart. */
const SMALL_AXIS_END = 0.3;
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
  children?: Child;
}

const ChartSvg: FC<ChartSvgProps> = ({ id, title, description, from, to, height = HEIGHT, points, spans, children }) => (
  // The script makes the area focusable: arrow keys move along the values.
  <div class="chart-area">
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-labelledby={`${id}-title ${id}-about`}
      data-from={from}
      data-to={to}
      data-points={points && JSON.stringify(points)}
      data-spans={spans && JSON.stringify(spans)}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-about`}>{description}</desc>
      {children}
    </svg>
  </div>
);

/** The band, the line, its single points and the marks of values beyond the edge. */
const Line: FC<{ points: readonly ChartPoint[]; frame: Frame }> = ({ points, frame }) => {
  const { line, dots, band, outliers } = linePaths(points, frame);
  return (
    <>
      {band === '' ? null : <path class="band" d={band} />}
      {line === '' ? null : <path class="line" d={line} />}
      {dots === '' ? null : <path class="dots" d={dots} />}
      {outliers === '' ? null : <path class="dots outliers" d={outliers} />}
    </>
  );
};

/** Position of a text near an end of an axis. */
const endOf = (share: number, end = AXIS_END) => (share < end ? 'first' : share > 1 - end ? 'last' : undefined);

/** Values beyond the edge of a chart, at their places. `mark`: points to where they are. `end`: as `AXIS_END`. */
const OutlierLabels: FC<{ outliers: readonly Outlier[]; mark?: string; end?: number; format: ValueFormat }> = ({
  outliers,
  mark = '▲',
  end = SMALL_AXIS_END,
  format,
}) =>
  outliers.length === 0 ? null : (
    <svg class="ticks outliers" aria-hidden="true">
      {outliers.map(({ share, value }) => (
        <text x={`${(share * 100).toFixed(2)}%`} y="1em" class={endOf(share, end)}>
          {`${mark} ${format(value)}`}
        </text>
      ))}
    </svg>
  );

/** Round times in UTC. The script draws those of the visitor's zone. */
const TimeAxis: FC<{ from: UnixSeconds; to: UnixSeconds }> = ({ from, to }) => (
  <svg class="ticks" data-from={from} data-to={to} aria-hidden="true">
    {ticksOf(from, to).map((tick) => {
      const share = (tick.at - from) / Math.max(1, to - from);
      return (
        <text x={`${(share * 100).toFixed(2)}%`} y="1em" class={endOf(share)}>
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
  /** Meaning of the ranges of the points, for the legend. */
  band?: string;
}

const hasRange = ({ low, high }: ChartPoint) => (low ?? 0) < (high ?? 0);

/** A value with its range. */
function valueText({ value, low = null, high = null }: ChartPoint, format: ValueFormat): string {
  return low === null || high === null || low === high ? format(value) : `${format(value)} (${format(low)} to ${format(high)})`;
}

/**
 * One series over time, with axes and a table. Values far above the others are drawn at the upper edge, with a mark and their number. Ranges
 * are a band.
 */
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
  band,
}) => {
  const points = thinPoints(all, MAX_POINTS);
  const frame: Frame = { from, to, top: scaleTop([points]) };
  const outliers = labelledOutliers(points, frame, OUTLIER_DISTANCE);
  const isBand = band !== undefined && points.some(hasRange);
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
            <OutlierLabels outliers={outliers} end={AXIS_END} format={(value) => axisFormat.format(value ?? 0)} />
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
              points={points.map((point) => [point.at, `${valueText(point, format)} ${unit}`.trim()])}
            >
              <path class="grid" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
              <Line points={points} frame={frame} />
            </ChartSvg>
            <TimeAxis from={from} to={to} />
          </div>
          {isBand ? (
            <p class="hint">
              <span class="key band">{`Band: ${band}`}</span>
            </p>
          ) : null}
          {outliers.length > 0 ? <p class="hint">▲ A value above the scale.</p> : null}
          {hasTable ? (
            <ChartTable
              label={title}
              head={['Time', unit, ...(isBand ? ['From', 'To'] : [])]}
              rows={all.map(({ at, value, low = null, high = null }) => [
                <Instant at={at} />,
                format(value),
                ...(isBand ? [format(low), format(high)] : []),
              ])}
            />
          ) : null}
        </>
      )}
    </figure>
  );
};

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
  const frame: Frame = { from, to, top: scaleTop(thinnedSeries.map(({ points }) => points)) };
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
            <OutlierLabels outliers={labelledOutliers(points, frame, SMALL_OUTLIER_DISTANCE)} format={formatCount} />
            <ChartSvg
              id={`${id}-${index}`}
              title={name}
              description={summaryOf(points, formatCount)}
              from={from}
              to={to}
              points={points.map(({ at, value }) => [at, formatCount(value)])}
            >
              <path class="grid" d={`M0 ${HEIGHT}H${WIDTH}`} />
              <Line points={points} frame={frame} />
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

interface RankLine {
  name: string;
  /** Page of the subject of the line. */
  href?: string;
  points: readonly { at: UnixSeconds; rank: number }[];
}

interface RankChartsProps {
  id: string;
  title: string;
  lines: readonly RankLine[];
  from: UnixSeconds;
  to: UnixSeconds;
}

const rankText = (rank: number | null) => (rank === null ? '—' : `Rank ${formatCount(rank)}`);

/** Small charts of ranks, each from its best rank on top to its worst, with one table. Ranks far below the others are at the lower edge. */
export const RankCharts: FC<RankChartsProps> = ({ id, title, lines, from, to }) => {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].sort((one, other) => one - other);
  return (
    <figure class="chart card">
      <figcaption>
        {title}{' '}
        <span class="hint">
          <Instant at={from} dayOnly /> to <Instant at={to} dayOnly />, the best rank on top
        </span>
      </figcaption>
      {lines.length === 0 ? <p class="hint">No captures in this time.</p> : null}
      <ul class="multiples ranks">
        {lines.map((line, index) => (
          <RankChart id={`${id}-${index}`} line={line} from={from} to={to} />
        ))}
      </ul>
      {lines.length === 0 ? null : <RankTable title={title} lines={lines} times={times} />}
    </figure>
  );
};

const RankChart: FC<{ id: string; line: RankLine; from: UnixSeconds; to: UnixSeconds }> = ({ id, line, from, to }) => {
  const points = thinPoints(line.points, MAX_POINTS);
  const ranks = points.map(({ rank }) => rank);
  const [best, worst] = [Math.min(...ranks), highestWithin(ranks)];
  // The best rank is at the upper edge. Ranks beyond the worst of the scale are above its top, so the line is turned over when it is drawn.
  const depths = points.map(({ at, rank }) => ({ at, value: rank - best }));
  const frame: Frame = { from, to, top: Math.max(1, worst - best) };
  const now = rankText(points.at(-1)?.rank ?? null);
  const text = `${now}, best ${formatCount(best)}, worst ${formatCount(Math.max(...ranks))}`;
  return (
    <li data-plot>
      <p>
        <strong>{line.href === undefined ? line.name : <a href={line.href}>{line.name}</a>}</strong> <output class="hint">{now}</output>
      </p>
      <div class="plot">
        <div class="axis values" aria-hidden="true">
          <span>{formatCount(best)}</span>
          {worst > best ? <span>{formatCount(worst)}</span> : null}
        </div>
        <ChartSvg
          id={id}
          title={line.name}
          description={text}
          from={from}
          to={to}
          points={points.map(({ at, rank }) => [at, rankText(rank)])}
        >
          <path class="grid" d={`M0 0H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
          <g transform={`matrix(1 0 0 -1 0 ${HEIGHT})`}>
            <Line points={depths} frame={frame} />
          </g>
        </ChartSvg>
        <OutlierLabels
          outliers={labelledOutliers(depths, frame, SMALL_OUTLIER_DISTANCE).map(({ share, value }) => ({ share, value: value + best }))}
          mark="▼"
          format={formatCount}
        />
      </div>
    </li>
  );
};

/** The ranks of all lines by time. */
const RankTable: FC<{ title: string; lines: readonly RankLine[]; times: readonly UnixSeconds[] }> = ({ title, lines, times }) => {
  const ranks = lines.map(({ points }) => new Map(points.map(({ at, rank }) => [at, rank])));
  const rows = times.map((at) => [<Instant at={at} />, ...ranks.map((line) => formatCount(line.get(at) ?? null))]);
  return <ChartTable label={`${title}, by time`} head={['Time', ...lines.map(({ name }) => name)]} rows={rows} />;
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
