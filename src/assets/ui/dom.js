/** Small helpers for pages. Texts are always set as text: nothing here reads markup. */
import { localText, utcText } from './times.js';

export const byId = (id) => document.getElementById(id);

/** An element; `properties` are properties, `data-`, `aria-` and `role` attributes, and `on…` listeners. */
export function h(tag, properties = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (/^(data-|aria-|role$|for$|scope$)/.test(name)) made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...content.filter((part) => part !== null && part !== undefined));
  return made;
}

const announced = byId('announcer');
let announcement = 0;

/** Messages of the service are sentence fragments; a page shows sentences. */
export const sentence = (text) => {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?…]$/.test(trimmed) ? '' : '.'}`;
};

/** Says something, to the eye and to screen readers, and takes it away again. */
export function announce(text) {
  announced.textContent = text;
  clearTimeout(announcement);
  announcement = setTimeout(() => {
    announced.textContent = '';
  }, 6000);
}

const numbers = new Intl.NumberFormat();

export const number = (value) => numbers.format(value);

/** A time of the wire (ISO text, or null) in the visitor's zone; UTC on hover. */
export function time(iso, none = 'never') {
  return iso === null || iso === undefined ? none : h('time', { dateTime: iso, title: utcText(iso) }, localText(iso));
}

/** A table. Columns: `{title, value(row), kind?}`; kind `number` or `wide`. */
export function table(label, columns, rows, none = 'Nothing here.') {
  if (rows.length === 0) return h('p', { className: 'hint' }, none);
  const head = columns.map(({ title, kind }) => h('th', { scope: 'col', className: kind === 'number' ? 'number' : '' }, title));
  // On phones every row is a card: the title of its column stands beside each value.
  const cell = ({ title, value, kind }, row) => h('td', { className: kind ?? '', 'data-label': title }, h('div', {}, value(row)));
  const body = rows.map((row) => h('tr', {}, ...columns.map((column) => cell(column, row))));
  return h(
    'div',
    { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': label },
    h('table', { className: 'stack' }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...body)),
  );
}

/** A list of terms and what is said of them. */
export function facts(entries) {
  return entries.flatMap(([term, value]) => [h('dt', {}, term), h('dd', {}, value)]);
}

/** A button that does something that may take a while or fail; failures are announced. */
export function button(label, work, className = '') {
  const made = h('button', { type: 'button', className }, label);
  made.addEventListener('click', () => busy(made, work));
  return made;
}

/** Runs work with its button switched off, and announces a failure. */
export async function busy(trigger, work) {
  trigger.disabled = true;
  try {
    await work();
  } catch (error) {
    announce(sentence(error.message));
  } finally {
    trigger.disabled = false;
  }
}

/** Fills a place with what is loaded, or with why there is nothing. */
export async function fill(place, load) {
  place.setAttribute('aria-busy', 'true');
  try {
    place.replaceChildren(...[await load()].flat());
  } catch (error) {
    place.replaceChildren(h('p', { className: 'error', role: 'alert' }, sentence(error.message)));
  } finally {
    place.removeAttribute('aria-busy');
  }
}

/** Calls back a moment after the last keystroke. */
export function debounced(work, milliseconds = 300) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}

/** Wires what every page has: dialogs that open and close, buttons that copy. */
function wirePage() {
  document.addEventListener('click', async ({ target }) => {
    const pressed = target.closest('button');
    if (!pressed) return;
    if (pressed.dataset.opens) byId(pressed.dataset.opens).showModal();
    if ('close' in pressed.dataset) pressed.closest('dialog').close();
    if (pressed.dataset.copy) {
      await navigator.clipboard.writeText(byId(pressed.dataset.copy).textContent).then(
        () => announce('Copied.'),
        () => announce('The browser did not allow copying: select the text instead.'),
      );
    }
  });
  // What is announced must be heard while a dialog makes the rest of the page inert.
  for (const dialog of document.querySelectorAll('dialog')) {
    new MutationObserver(() => (dialog.open ? dialog : document.body).append(announced)).observe(dialog, { attributeFilter: ['open'] });
  }
}

wirePage();
