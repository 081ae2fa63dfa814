/** Charts that the server draws: relabels the time axis in the time zone of the visitor, and shows values by pointer, tap and keyboard. */
import { followValues } from './chart-values.js';
import { ticksOf, tickText } from './ticks.js';
import { localText, utcText } from './times.js';

const SVG = 'http://www.w3.org/2000/svg';
/** Seconds that the zone of the visitor is ahead of UTC. */
const offsetAt = (at) => -60 * new Date(at * 1000).getTimezoneOffset();
const isNarrow = matchMedia('(max-width: 40rem)').matches;
const isoOf = (at) => new Date(at * 1000).toISOString();

function relabel(axis) {
  const [from, to] = [Number(axis.dataset.from), Number(axis.dataset.to)];
  const labels = ticksOf(from, to, offsetAt, isNarrow ? 4 : 6).map((tick) => {
    const text = document.createElementNS(SVG, 'text');
    const share = (tick.at - from) / (to - from);
    text.setAttribute('x', `${(share * 100).toFixed(2)}%`);
    text.setAttribute('y', '1em');
    text.setAttribute('class', share < 0.06 ? 'first' : share > 0.94 ? 'last' : '');
    const title = document.createElementNS(SVG, 'title');
    title.textContent = utcText(isoOf(tick.at));
    text.append(tickText(tick), title);
    return text;
  });
  axis.replaceChildren(...labels);
}

/** The entries of a chart with times: spans, or points, whose places are nearest to the pointer. */
function entriesOf({ from, to, points, spans }, width) {
  const [first, last] = [Number(from), Number(to)];
  const scale = width / Math.max(1, last - first);
  const place = (at) => (at - first) * scale;
  if (spans !== undefined) {
    return JSON.parse(spans).map(([start, end, status]) => ({
      start: place(start),
      end: place(end),
      text: `${status} · ${localText(isoOf(start))} to ${localText(isoOf(end))}`,
      hint: `${utcText(isoOf(start))} to ${utcText(isoOf(end))}`,
    }));
  }
  const known = JSON.parse(points);
  return known.map(([at, text], index) => ({
    at: place(at),
    start: index === 0 ? 0 : place((known[index - 1][0] + at) / 2),
    end: index === known.length - 1 ? width : place((at + known[index + 1][0]) / 2),
    text: `${text} · ${localText(isoOf(at))}`,
    hint: utcText(isoOf(at)),
  }));
}

/** The entries of a chart whose bars have titles. */
const barsOf = (svg) =>
  [...svg.querySelectorAll('rect')].map((bar) => {
    const start = Number(bar.getAttribute('x'));
    return { start, end: start + Number(svg.dataset.bars), text: bar.textContent };
  });

function follow(svg) {
  const width = Number(svg.getAttribute('viewBox').split(' ')[2]);
  const readout = svg.closest('[data-plot], figure').querySelector('output');
  followValues(svg, svg.dataset.bars === undefined ? entriesOf(svg.dataset, width) : barsOf(svg), readout);
}

for (const axis of document.querySelectorAll('svg.ticks[data-from]')) relabel(axis);
for (const svg of document.querySelectorAll('svg:is([data-points], [data-spans], [data-bars])')) follow(svg);
