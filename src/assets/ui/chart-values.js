/** Values of charts by pointer, tap and keyboard. */

const SVG = 'http://www.w3.org/2000/svg';
/** Width of the mark of a point, in units of the chart. */
const MARK_WIDTH = 2;
/** Entries that the keys Page Up and Page Down skip. */
const PAGE = 10;

/**
 * Shows the value at the pointer, the tapped place or, with the arrow keys, of the focused chart in `readout`. The parent of the SVG becomes a
 * slider, whose value screen readers say. Entries in order: `start` and `end` in units of the chart, `text`, and for points `at`, the place of the
 * mark; `hint`: a tooltip of the text.
 */
export function followValues(svg, entries, readout) {
  if (entries.length === 0) return;
  const area = svg.parentElement;
  const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
  const mark = document.createElementNS(SVG, 'rect');
  mark.setAttribute('class', 'mark');
  mark.setAttribute('height', height);
  mark.setAttribute('visibility', 'hidden');
  svg.append(mark);
  const before = readout.textContent;
  // The slider says the value, so a change of the text is not announced too.
  readout.setAttribute('aria-live', 'off');
  let index = -1;
  const say = (position) => {
    area.setAttribute('aria-valuenow', position);
    area.setAttribute('aria-valuetext', entries[position].text);
  };
  const hide = () => {
    index = -1;
    mark.setAttribute('visibility', 'hidden');
    readout.textContent = before;
    readout.removeAttribute('title');
  };
  const show = (next) => {
    index = Math.max(0, Math.min(entries.length - 1, next));
    const { at, start, end, text, hint } = entries[index];
    readout.textContent = text;
    if (hint !== undefined) readout.title = hint;
    mark.setAttribute('x', at === undefined ? start : at - MARK_WIDTH / 2);
    mark.setAttribute('width', at === undefined ? Math.max(MARK_WIDTH, end - start) : MARK_WIDTH);
    mark.removeAttribute('visibility');
    say(index);
  };
  const seek = ({ clientX }) => {
    const box = svg.getBoundingClientRect();
    const place = ((clientX - box.left) / box.width) * width;
    const found = entries.findIndex(({ end }) => place < end);
    show(found === -1 ? entries.length - 1 : found);
  };
  area.tabIndex = 0;
  area.role = 'slider';
  const [titleId] = (svg.getAttribute('aria-labelledby') ?? '').split(' ');
  if (titleId) area.setAttribute('aria-labelledby', titleId);
  else area.setAttribute('aria-label', svg.getAttribute('aria-label'));
  area.setAttribute('aria-valuemin', 0);
  area.setAttribute('aria-valuemax', entries.length - 1);
  say(entries.length - 1);
  area.addEventListener('pointermove', seek);
  area.addEventListener('pointerdown', seek);
  area.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && document.activeElement !== area && hide());
  area.addEventListener('focus', () => index === -1 && show(entries.length - 1));
  area.addEventListener('blur', hide);
  area.addEventListener('keydown', (event) => {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -PAGE, PageUp: PAGE };
    const move = { ...steps, Home: -entries.length, End: entries.length }[event.key];
    if (move === undefined) return;
    event.preventDefault();
    show(index + move);
  });
}
