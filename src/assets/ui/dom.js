/** Helpers for pages. Content is set as text only, never as markup. */
import { localText, utcText } from './times.js';

export const byId = (id) => document.getElementById(id);

/** Creates an element. `properties`: properties, `data-`, `aria-` and `role` attributes, and `on…` listeners. */
export function h(tag, properties = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (/^(data-|aria-|role$|for$|scope$)/.test(name)) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...content.filter((part) => part !== null && part !== undefined));
  return element;
}

/** Creates an element of a chart. */
export function svg(tag, attributes = {}, ...content) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

const announcer = byId('announcer');
let announcementTimer = 0;

/** Converts an error message, which is a sentence fragment, to a sentence. */
export const sentence = (text) => {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?…]$/.test(trimmed) ? '' : '.'}`;
};

/** Shows a message for a few seconds and announces it to screen readers. */
export function announce(text) {
  announcer.textContent = text;
  clearTimeout(announcementTimer);
  announcementTimer = setTimeout(() => {
    announcer.textContent = '';
  }, 6000);
}

const numbers = new Intl.NumberFormat();

export const number = (value) => numbers.format(value);

const SIZE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes in words, with one decimal below ten. */
export function sizeText(bytes) {
  const power = bytes < 1024 ? 0 : Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${number(value < 10 && power > 0 ? Math.round(value * 10) / 10 : Math.round(value))} ${SIZE_UNITS[power]}`;
}

/** An ISO 8601 time in the time zone of the visitor, with UTC as the tooltip. `none`: text for null. */
export function time(iso, none = 'never') {
  return iso === null || iso === undefined ? none : h('time', { dateTime: iso, title: utcText(iso) }, localText(iso));
}

/** An e-mail address on one line; its end is cut where there is no room, and the tooltip has all of it. */
export const email = (address) => h('span', { className: 'email', title: address }, address);

/** A table. Columns: `{title, value(row), kind?}`; kind `number` or `wide`. */
export function table(label, columns, rows, none = 'No entries.') {
  if (rows.length === 0) return h('p', { className: 'hint' }, none);
  const head = columns.map(({ title, kind }) => h('th', { scope: 'col', className: kind === 'number' ? 'number' : '' }, title));
  // On phones each row is a card with the column title next to each value.
  const cell = ({ title, value, kind }, row) => h('td', { className: kind ?? '', 'data-label': title }, h('div', {}, value(row)));
  const body = rows.map((row) => h('tr', {}, ...columns.map((column) => cell(column, row))));
  return h(
    'div',
    { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': label },
    h('table', { className: 'stack' }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...body)),
  );
}

export function facts(entries) {
  return entries.flatMap(([term, value]) => [h('dt', {}, term), h('dd', {}, value)]);
}

/** A button that is disabled while `work` runs and announces its failure. */
export function button(label, work, className = '') {
  const element = h('button', { type: 'button', className }, label);
  element.addEventListener('click', () => busy(element, work));
  return element;
}

/** Disables the button while `work` runs, and announces a failure. */
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

/** Number of the newest load of each element. */
const loads = new WeakMap();

/**
 * Replaces the content of an element with the loaded content or the error. `load` receives a function that tells whether this is still the
 * newest load of the element; the result of an older one is dropped.
 */
export async function fill(element, load) {
  const number = (loads.get(element) ?? 0) + 1;
  loads.set(element, number);
  const isNewest = () => loads.get(element) === number;
  element.setAttribute('aria-busy', 'true');
  let content;
  try {
    content = await load(isNewest);
  } catch (error) {
    content = h('p', { className: 'error', role: 'alert' }, sentence(error.message));
  }
  if (!isNewest()) return;
  element.replaceChildren(...[content].flat());
  element.removeAttribute('aria-busy');
}

/** Calls `work` once after a pause in the calls. */
export function debounced(work, milliseconds = 300) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}

/** Opens a dialog without the errors of its last use. `name`: of its subject, where the dialog names it. */
export function openDialog(id, name = '') {
  const dialog = byId(id);
  for (const place of dialog.querySelectorAll('[data-role="name"]')) place.textContent = name;
  for (const error of dialog.querySelectorAll('.error')) error.textContent = '';
  dialog.showModal();
}

/** Formats of chat time stamps by their style, but for relative ones. */
const CHAT_FORMATS = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
};

/** A moment (unix seconds) as a chat shows it to the reader; null for a style without a format. */
export const chatTime = (instant, style) =>
  Object.hasOwn(CHAT_FORMATS, style) ? new Intl.DateTimeFormat(undefined, CHAT_FORMATS[style]).format(instant * 1000) : null;

/** Copies a text and announces it. */
export const copyText = (text) =>
  navigator.clipboard.writeText(text).then(
    () => announce('Copied.'),
    () => announce('The browser blocked copying. Select the text instead.'),
  );

/** Adds listeners for dialogs and copy buttons. */
function wirePage() {
  document.addEventListener('click', async ({ target }) => {
    const pressed = target.closest('button');
    if (!pressed) return;
    if (pressed.dataset.opens) byId(pressed.dataset.opens).showModal();
    if ('close' in pressed.dataset) pressed.closest('dialog').close();
    if (pressed.dataset.copy) await copyText(byId(pressed.dataset.copy).textContent);
  });
  // A modal dialog makes the rest of the page inert, so the live region moves into the dialog.
  for (const dialog of document.querySelectorAll('dialog')) {
    new MutationObserver(() => (dialog.open ? dialog : document.body).append(announcer)).observe(dialog, { attributeFilter: ['open'] });
  }
}

wirePage();
