/** Charts of requests. Each has a table or text with the same values. */
import { followValues } from './chart-values.js';
import { h, number, svg, table } from './dom.js';
import { everyDay, everyHour, highestWithin, roundUp } from './figures.js';

/** Number of hours in the chart by hour. */
const HOURS = 48;
/** A chart in desktop size would be scaled down and unreadable on a phone. */
const isNarrow = matchMedia('(max-width: 40rem)').matches;
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = isNarrow ? [330, 170, 36, 22, 14] : [720, 200, 48, 22, 14];
/** Of small charts, in pixels. */
const SPARK_HEIGHT = 24;
const MAX_LABELS = isNarrow ? 4 : 8;
/** Room for the count of a bar above the edge, in pixels. */
const OUTLIER_WIDTH = 50;

/** Counts by result, in stacking order. */
const countsOf = ({ count, error_count: errors, rate_limited: limited }) => [
  ['fine', count - errors],
  ['failed', errors - limited],
  ['limited', limited],
];

const legend = () =>
  h(
    'p',
    { className: 'hint' },
    h('span', { className: 'key fine' }, 'successful'),
    h('span', { className: 'key failed' }, 'errors'),
    h('span', { className: 'key limited' }, 'rate limited (429), marked ▾'),
  );

/** Short labels of the axis; the table has the exact values. */
const compact = new Intl.NumberFormat(undefined, { notation: 'compact' });

function gridLine(share, top) {
  const y = TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  return [
    svg('line', { class: 'grid', x1: LEFT, x2: WIDTH, y1: y, y2: y }),
    svg('text', { x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, compact.format(top * share)),
  ];
}

/** Chart of requests by day, stacked by result. */
export const dayChart = ({ window_days: days, by_day: rows }) =>
  barChart('Requests by day (UTC)', 'Day', everyDay(days, rows).map(withDayLabels));

/** Chart of requests by hour in the last two days, in the time zone of the visitor. */
export function hourChart({ by_hour: rows = [] }) {
  return barChart('Requests by hour, last two days', 'Hour', everyHour(HOURS, rows).map(withHourLabels));
}

/** States how the figures of `trafficCharts` are made. */
export const SAMPLE_HINT =
  'Requests with a token are counted one by one. Of the others, one in ten is counted as ten, so their figures are estimates.';

/**
 * Charts of the requests of the whole service: with a token, and without one, which are estimated. Periods are hours of the last two days, or
 * days.
 */
export function trafficCharts(traffic, days) {
  const isByHour = traffic.period_seconds === 3600;
  const chart = (title, kind) => {
    const rows = traffic.periods.map((period) => ({ ...period[kind], hour: period.start, date: period.start.slice(0, 10) }));
    const all = isByHour ? everyHour(Math.min(HOURS, days * 24), rows).map(withHourLabels) : everyDay(days, rows).map(withDayLabels);
    return barChart(`${title} by ${isByHour ? 'hour' : 'day (UTC)'}`, isByHour ? 'Hour' : 'Day', all, TRAFFIC_COLUMNS);
  };
  return [chart('Requests with a token', 'with_token'), chart('Requests without a token (estimated)', 'without_token')];
}

const withDayLabels = (row) => ({ ...row, label: row.date, short: row.date.slice(5) });

function withHourLabels(row) {
  const at = new Date(row.hour);
  return {
    ...row,
    label: at.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }),
    short: at.toLocaleString([], { weekday: 'short', hour: 'numeric' }),
  };
}

const requestsText = (row) => `${number(row.count)} requests, ${number(row.error_count)} errors, ${number(row.rate_limited)} rate limited`;

/** Chart of downloads by day. */
export function downloadsChart(days) {
  const rows = days.map(({ day, downloads }) => ({ date: day, count: downloads, error_count: 0, rate_limited: 0 }));
  const columns = [{ title: 'Downloads', kind: 'number', value: ({ count }) => number(count) }];
  const describe = ({ count }) => (count === 1 ? '1 download' : `${number(count)} downloads`);
  return barChart('Downloads by day (UTC)', 'Day', rows.map(withDayLabels), columns, { describe, none: 'No downloads.', key: [] });
}

/**
 * A chart with one bar per row, stacked by result. Bars with 429 responses have a marker. A bar far above the others ends at the edge, with its
 * count. `describe`: text of a bar.
 */
function barChart(
  title,
  unit,
  all,
  countColumns = COUNT_COLUMNS,
  { describe = requestsText, none = 'No requests.', key = [legend()] } = {},
) {
  const top = roundUp(Math.max(2, highestWithin(all.map(({ count }) => count))));
  const [step, room] = [(WIDTH - LEFT) / all.length, HEIGHT - TOP - BOTTOM];
  const titleOf = (row) => `${row.label}: ${describe(row)}`;
  const bars = all.map((row, index) => {
    let y = HEIGHT - BOTTOM;
    const rects = countsOf(row)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => {
        const height = Math.min((count / top) * room, y - TOP);
        y -= height;
        return svg('rect', { class: kind, x: LEFT + index * step + step * 0.1, y, width: step * 0.8, height });
      });
    const marker = row.rate_limited > 0 ? [svg('path', { class: 'limited', d: markerPath(LEFT + (index + 0.5) * step, y) })] : [];
    // At the ends of the chart the text would be cut.
    const x = Math.min(WIDTH - OUTLIER_WIDTH / 2, LEFT + (index + 0.5) * step);
    const outlier =
      row.count > top ? [svg('text', { class: 'outlier', x, y: TOP - 2, 'text-anchor': 'middle' }, `▲ ${compact.format(row.count)}`)] : [];
    return svg('g', {}, svg('title', {}, titleOf(row)), ...rects, ...marker, ...outlier);
  });
  const every = Math.max(1, Math.ceil(all.length / MAX_LABELS));
  const labels = all.flatMap(({ short }, index) =>
    index % every === 0 ? [svg('text', { x: LEFT + (index + 0.5) * step, y: HEIGHT - 6, 'text-anchor': 'middle' }, short)] : [],
  );
  const image = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${title}. The table below has the same values.` },
    ...[0, 0.5, 1].flatMap((share) => gridLine(share, top)),
    ...bars,
    ...labels,
  );
  const columns = [{ title: unit, value: ({ label }) => label }, ...countColumns];
  const rows = all.filter(({ count }) => count > 0);
  const figures = h('details', {}, h('summary', {}, 'As a table'), table(title, columns, rows, none));
  const readout = h('output', { className: 'hint' });
  const area = h('div', { className: 'chart-area' }, image);
  const place = (index) => LEFT + index * step;
  followValues(
    image,
    all.map((row, index) => ({ start: index === 0 ? 0 : place(index), end: place(index + 1), text: titleOf(row) })),
    readout,
  );
  return h('figure', { className: 'chart card' }, h('figcaption', {}, title, ' ', readout), area, ...key, figures);
}

/** A small chart of requests by day, with its sum as text. */
export function sparkline(days, rows) {
  const all = everyDay(days, rows);
  const [sum, top] = [all.reduce((total, { count }) => total + count, 0), Math.max(1, highestWithin(all.map(({ count }) => count)))];
  const bars = all.map(({ count, date, error_count: errors }, index) => {
    const height = count === 0 ? 1 : Math.max(2, Math.min(1, count / top) * SPARK_HEIGHT);
    const kind = count === 0 ? 'grid' : errors * 2 > count ? 'failed' : 'fine';
    const bar = svg('rect', { class: kind, x: index * 6, y: SPARK_HEIGHT - height, width: 4, height });
    return svg('g', {}, svg('title', {}, `${date}: ${number(count)} requests, ${number(errors)} errors`), bar);
  });
  const label = `${number(sum)} requests in ${days} days`;
  const image = svg('svg', { class: 'spark', viewBox: `0 0 ${all.length * 6} ${SPARK_HEIGHT}`, role: 'img', 'aria-label': label }, ...bars);
  return h('span', { className: 'spark-cell' }, image, h('span', { className: 'hint', title: label }, number(sum)));
}

/** Path of a small triangle that points at the top of a bar. */
const markerPath = (x, y) => `M${x - 4} ${Math.max(y - 9, 0)}h8l-4 7z`;

const COUNT_COLUMNS = [
  { title: 'Requests', kind: 'number', value: ({ count }) => number(count) },
  { title: 'Errors', kind: 'number', value: ({ error_count: count }) => number(count) },
  { title: '429', kind: 'number', value: ({ rate_limited: count }) => number(count) },
  { title: 'Average', kind: 'number', value: ({ avg_duration_ms: duration }) => `${number(duration)} ms` },
];

export const milliseconds = (value) => (value === null || value === undefined ? '–' : `${number(value)} ms`);

const TRAFFIC_COLUMNS = [
  ...COUNT_COLUMNS.slice(0, 3),
  { title: 'p50', kind: 'number', value: ({ p50_ms: value }) => milliseconds(value) },
  { title: 'p95', kind: 'number', value: ({ p95_ms: value }) => milliseconds(value) },
];

/** A horizontal bar. Its length is relative to `maxCount`. */
function bar(row, maxCount) {
  const segments = countsOf(row)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const segment = h('span', { className: kind });
      segment.style.flexBasis = `${(100 * count) / maxCount}%`;
      return segment;
    });
  return h('div', { className: 'bar', 'aria-hidden': 'true' }, ...segments);
}

/** Table of requests by endpoint, most used first. */
export function endpointChart({ by_endpoint: rows }) {
  const maxCount = Math.max(1, ...rows.map(({ count }) => count));
  const columns = [
    { title: 'Endpoint', kind: 'wide', value: ({ method, route }) => h('code', {}, `${method} ${route}`) },
    { title: 'Share', value: (row) => bar(row, maxCount) },
    ...COUNT_COLUMNS,
  ];
  return h('section', {}, h('h2', {}, 'Requests by endpoint'), table('Requests by endpoint', columns, rows, 'No requests.'));
}

export function totals(summary) {
  const total = (label, value) => h('p', { className: 'card' }, h('span', { className: 'hint' }, label), h('b', {}, value));
  return h(
    'div',
    { className: 'totals' },
    total('Requests', number(summary.total_requests)),
    total('Errors', number(summary.error_count)),
    total('Rate limited (429)', number(summary.rate_limited)),
    total('Average', `${number(summary.avg_duration_ms)} ms`),
  );
}

export const usageCharts = (summary) => [
  ...(summary.budgets?.length > 0 ? [rateLimits(summary.budgets)] : []),
  totals(summary),
  hourChart(summary),
  dayChart(summary),
  endpointChart(summary),
];

/** Cards with the remaining requests of each rate limit of a token. */
function rateLimits(rows) {
  const cards = rows.map(({ name, limit, remaining, reset, window_seconds: seconds }) => {
    const used = limit - remaining;
    const meter = h('meter', { min: 0, max: limit, value: remaining, low: limit * 0.1, high: limit * 0.5, optimum: limit });
    meter.setAttribute('aria-label', `Remaining: ${RATE_LIMIT_TITLES[name] ?? name}`);
    const resets = used === 0 ? '' : `, resets at ${new Date(reset * 1000).toLocaleTimeString()}`;
    return h(
      'div',
      { className: 'card' },
      h('span', { className: 'hint' }, RATE_LIMIT_TITLES[name] ?? name),
      h('b', {}, number(remaining)),
      meter,
      h('span', { className: 'hint' }, `of ${number(limit)} in ${seconds} s${resets}`),
    );
  });
  return h(
    'section',
    { 'aria-label': 'Remaining rate limits' },
    h('h2', {}, 'Remaining rate limits'),
    h('div', { className: 'totals' }, ...cards),
  );
}

const RATE_LIMIT_TITLES = { token: 'Requests', codexes: 'Codex' };
