import { followValues } from '../../../../assets/ui/chart-values.js';
import { h, number, svg, table } from '../../../../assets/ui/dom.js';

export interface Bar {
  /** What the bar stands for, such as `up to 120`. */
  label: string;
  count: number;
}

interface HistogramOptions {
  title: string;
  /** Heading of the first column of the table. */
  unit: string;
  bars: readonly Bar[];
  /** Labels below the first and the last bar. */
  ends: readonly [string, string];
  /** Heading of the counts. */
  counted: string;
}

const WIDTH = 600;
const HEIGHT = 160;
const GAP = 0.15;

/** A chart of counts, with a table of the same values. */
export function histogram({ title, unit, bars, ends, counted }: HistogramOptions): HTMLElement {
  const top = Math.max(1, ...bars.map(({ count }) => count));
  const step = WIDTH / Math.max(1, bars.length);
  const textOf = ({ label, count }: Bar) => `${label}: ${number(count)}`;
  const rects = bars.map(({ label, count }, index) => {
    const height = (count / top) * HEIGHT;
    const place = { x: index * step + (step * GAP) / 2, y: HEIGHT - height, width: step * (1 - GAP), height };
    return svg('g', {}, svg('title', {}, textOf({ label, count })), svg('rect', place));
  });
  const image = svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: 'img',
      'aria-label': `${title}. The table below has the same values.`,
      preserveAspectRatio: 'none',
    },
    ...rects,
  );
  const columns = [
    { title: unit, value: ({ label }: Bar) => label },
    { title: counted, kind: 'number' as const, value: ({ count }: Bar) => number(count) },
  ];
  const readout = h('output', { className: 'hint' });
  const area = h('div', { className: 'chart-area' }, image);
  followValues(
    image,
    bars.map((bar, index) => ({ start: index * step, end: (index + 1) * step, text: textOf(bar) })),
    readout,
  );
  return h(
    'figure',
    { className: 'histogram' },
    h('figcaption', { className: 'hint' }, title, ' ', readout),
    area,
    h('div', { className: 'axis', 'aria-hidden': 'true' }, h('span', {}, ends[0]), h('span', {}, ends[1])),
    h('details', {}, h('summary', {}, 'As a table'), table(title, columns, bars)),
  );
}
