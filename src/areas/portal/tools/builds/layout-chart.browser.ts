import { h, number, svg } from '../../../../assets/ui/dom.js';
import type { BuildRow } from '../../../gems/builds/builds-calculate.domain.ts';
import type { BuildType } from '../../../gems/builds/builds-request.domain.ts';
import { chartAxis, figureNames } from './builds-tool.domain.ts';

const WIDTH = 560;
const HEIGHT = 220;
const MARGIN = 8;
const RADIUS = 4;

/** Position of a value between the lowest and the highest one, from 0 to 1. */
function shareOf(value: number, values: readonly number[]): number {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return high === low ? 0.5 : (value - low) / (high - low);
}

/** The layouts as points: the result against Light or damage. A click chooses a layout; the table below has the same figures. */
export function layoutChart(rows: readonly BuildRow[], type: BuildType, chosen: number, choose: (rank: number) => void): HTMLElement {
  const axis = chartAxis(rows, type);
  const { coefficient } = figureNames(type);
  const xs = rows.map((row) => row[axis.key]);
  const ys = rows.map((row) => row.coefficient);
  const readout = h('output', { className: 'hint' }, `${rows.length} layouts. Point at one to read it.`);
  const textOf = (row: BuildRow) => `${row.layout}: ${coefficient} ${number(row.coefficient)}, ${axis.label} ${number(row[axis.key])}`;
  // The best points are drawn last, over the others.
  const points = rows.toReversed().map((row) => {
    const point = svg('circle', {
      cx: MARGIN + shareOf(row[axis.key], xs) * (WIDTH - 2 * MARGIN),
      cy: HEIGHT - MARGIN - shareOf(row.coefficient, ys) * (HEIGHT - 2 * MARGIN),
      r: row.rank === chosen || row.rank === 1 ? RADIUS * 1.6 : RADIUS,
      class: `point${row.rank === 1 ? ' best' : ''}${row.rank === chosen ? ' chosen' : ''}`,
    });
    point.addEventListener('pointerenter', () => {
      readout.textContent = textOf(row);
    });
    point.addEventListener('click', () => choose(row.rank));
    return point;
  });
  const label = `${coefficient} of ${rows.length} layouts against ${axis.label}`;
  const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'layout-chart', role: 'img', 'aria-label': label }, ...points);
  const ends = (values: readonly number[]) => [number(Math.round(Math.min(...values))), number(Math.round(Math.max(...values)))] as const;
  const [left, right] = ends(xs);
  const [low, high] = ends(ys);
  return h(
    'figure',
    { className: 'layout-figure' },
    h('p', { className: 'hint' }, `${coefficient}, from ${low} to ${high}`),
    picture,
    h('p', { className: 'hint stat-ends' }, h('span', {}, left), h('span', {}, axis.label), h('span', {}, right)),
    readout,
  );
}
