/**
 * Charts that the server draws: relabels the time axis in the time zone of the visitor, and shows the value at the pointer, the tapped
 * place, or, with the arrow keys, at the focused point.
 */
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

/** What the chart shows at each index: start, end and text of the span, or the time and text of the point. */
function entriesOf({ from, to, points, spans, unit = '' }) {
  if (spans !== undefined) return JSON.parse(spans).map(([start, end, status]) => ({ start, end, text: status }));
  const known = JSON.parse(points);
  return known.map(([at, text], index) => ({
    at,
    start: index === 0 ? Number(from) : (known[index - 1][0] + at) / 2,
    end: index === known.length - 1 ? Number(to) : (at + known[index + 1][0]) / 2,
    text: `${text} ${unit}`.trim(),
  }));
}

function timesOf({ at, start, end }) {
  if (at !== undefined) return [localText(isoOf(at)), utcText(isoOf(at))];
  return [`${localText(isoOf(start))} to ${localText(isoOf(end))}`, `${utcText(isoOf(start))} to ${utcText(isoOf(end))}`];
}

function follow(svg) {
  const { from, to } = svg.dataset;
  const [start, end] = [Number(from), Number(to)];
  const entries = entriesOf(svg.dataset);
  if (entries.length === 0) return;
  const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
  const mark = document.createElementNS(SVG, 'rect');
  mark.setAttribute('class', 'mark');
  mark.setAttribute('height', height);
  mark.setAttribute('visibility', 'hidden');
  svg.append(mark);
  const readout = svg.closest('[data-plot], figure').querySelector('output');
  const before = readout.textContent;
  let index = -1;
  const hide = () => {
    index = -1;
    mark.setAttribute('visibility', 'hidden');
    readout.textContent = before;
  };
  const show = (next) => {
    index = Math.max(0, Math.min(entries.length - 1, next));
    const entry = entries[index];
    const [local, utc] = timesOf(entry);
    readout.textContent = `${entry.text} · ${local}`;
    readout.title = utc;
    const scale = width / (end - start);
    const isPoint = entry.at !== undefined;
    mark.setAttribute('x', isPoint ? (entry.at - start) * scale - 1 : (entry.start - start) * scale);
    mark.setAttribute('width', isPoint ? 2 : Math.max(2, (entry.end - entry.start) * scale));
    mark.removeAttribute('visibility');
  };
  const seek = ({ clientX }) => {
    const box = svg.getBoundingClientRect();
    const at = start + ((clientX - box.left) / box.width) * (end - start);
    const found = entries.findIndex((entry) => at < entry.end);
    show(found === -1 ? entries.length - 1 : found);
  };
  svg.tabIndex = 0;
  svg.addEventListener('pointermove', seek);
  svg.addEventListener('pointerdown', seek);
  svg.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && hide());
  svg.addEventListener('focus', () => index === -1 && show(entries.length - 1));
  svg.addEventListener('blur', hide);
  svg.addEventListener('keydown', (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1, Home: -entries.length, End: entries.length }[event.key];
    if (move === undefined) return;
    event.preventDefault();
    show(index + move);
  });
}

for (const axis of document.querySelectorAll('.chart svg.ticks')) relabel(axis);
for (const svg of document.querySelectorAll('.chart svg[data-from]:not(.ticks)')) follow(svg);
