/** Editor of the settings. Changes are collected, listed and saved together. */
import { call, get } from '../api.js';
import { announce, busy, button, byId, fill, h, number, sentence, time } from '../dom.js';
import '../portal.js';

let items = [];
/** Unsaved changes by key: `{value}`, or `{isReset: true}` for the default. */
const changes = new Map();

const itemOf = (key) => items.find((item) => item.key === key);
const pathOf = (key) => `/admin/config/${encodeURIComponent(key)}`;

/** Creates the input of a setting and the function that reads its value. */
function editorOf(item) {
  const pending = changes.get(item.key);
  const value = pending ? (pending.isReset ? item.default : pending.value) : item.value;
  const shared = { id: `setting-${item.key}`, 'aria-describedby': `about-${item.key} error-${item.key}` };
  if (item.type === 'bool') {
    const input = h('input', { ...shared, type: 'checkbox', checked: value });
    return { input, read: () => input.checked };
  }
  if (item.choices) {
    const options = item.choices.map((choice) => h('option', { value: choice, selected: choice === value }, choice));
    const input = h('select', shared, ...options);
    return { input, read: () => input.value };
  }
  if (item.type === 'str') {
    const input = h('input', {
      ...shared,
      type: item.secret ? 'password' : 'text',
      value: item.secret ? (pending?.value ?? '') : value,
      autocomplete: 'off',
    });
    if (item.secret && item.value !== '') input.placeholder = 'set; not shown';
    return { input, read: () => input.value };
  }
  const input = h('input', { ...shared, type: 'number', step: item.type === 'int' ? '1' : 'any', value: String(value), required: true });
  if (item.min_value !== null) input.min = String(item.min_value);
  if (item.max_value !== null) input.max = String(item.max_value);
  return { input, read: () => input.valueAsNumber };
}

/** The bounds of a number in words. */
function rangeText({ min_value: min, max_value: max }) {
  if (min === null) return `at most ${number(max)}`;
  return max === null ? `at least ${number(min)}` : `${number(min)} to ${number(max)}`;
}

function boundsOf(item) {
  const bounds = [];
  if (item.min_value !== null || item.max_value !== null) bounds.push(rangeText(item));
  if (!item.secret) bounds.push(`default ${valueText(item, item.default)}`);
  return `${item.description}${bounds.length > 0 ? ` (${bounds.join(', ')})` : ''}`;
}

const ABBREVIATIONS = new Map([
  ['api', 'API'],
  ['ip', 'IP'],
  ['url', 'URL'],
  ['ocr', 'OCR'],
  ['mcp', 'MCP'],
  ['anon', 'anonymous'],
  ['max', 'maximum'],
  ['min', 'minimum'],
]);

/** A key or category in words: `api_rate_limit_max` is "API rate limit maximum". */
function titleOf(key) {
  const words = key
    .split(/[._]/)
    .map((word) => ABBREVIATIONS.get(word) ?? word)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];

/** Seconds of a minute or more in words; empty for other settings. */
function secondsText(key, value) {
  if (!key.endsWith('_seconds') || value < 60) return '';
  const [length, name] = UNITS.find(([seconds]) => value % seconds === 0) ?? [];
  return length === undefined ? '' : ` (${value / length} ${name}${value === length ? '' : 's'})`;
}

/** A value as text. Secrets are masked. */
function valueText({ key, secret, type }, value) {
  if (secret) return value === '' ? 'empty' : '••••';
  if (type === 'bool') return value ? 'on' : 'off';
  return value === '' ? 'empty' : `${value}${secondsText(key, value)}`;
}

/** Adds a change to the list, or removes it if the value is unchanged. */
function recordChange(item, change) {
  const isUnchanged = change === null || (!change.isReset && change.value === item.value && !item.secret);
  if (isUnchanged) changes.delete(item.key);
  else changes.set(item.key, change);
  showChanges();
}

function rowOf(item) {
  const { input, read } = editorOf(item);
  const row = h('div', { className: 'card setting small', 'data-key': item.key });
  const error = h('p', { className: 'error', id: `error-${item.key}`, role: 'alert' });
  const markPending = () => row.classList.toggle('pending', changes.has(item.key));
  input.addEventListener('input', () => {
    error.textContent = '';
    recordChange(item, item.secret && input.value === '' ? null : { value: read() });
    markPending();
  });
  const reset = button('Reset to default', () => {
    recordChange(item, { isReset: true });
    row.replaceWith(rowOf(item));
    byId(input.id).focus();
  });
  row.append(
    h(
      'div',
      {},
      h('div', { className: 'token-head' }, h('label', { for: input.id }, titleOf(item.key)), ...badgesOf(item)),
      h('code', { className: 'setting-key' }, item.key),
      h('p', { className: 'hint', id: `about-${item.key}` }, boundsOf(item)),
    ),
    h('div', {}, input, error, item.is_default ? '' : h('div', { className: 'actions' }, reset)),
  );
  markPending();
  return row;
}

function badgesOf({ is_default: isDefault, updated_at: updatedAt }) {
  return isDefault ? [] : [h('span', { className: 'badge warn' }, 'changed'), h('span', { className: 'hint' }, time(updatedAt))];
}

const replaceRow = (key) => document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.replaceWith(rowOf(itemOf(key)));

/** Lists the unsaved changes with the current values. */
function showChanges() {
  byId('changes').hidden = changes.size === 0;
  byId('changes-title').textContent = changes.size === 1 ? '1 unsaved change' : `${changes.size} unsaved changes`;
  const lines = [...changes].map(([key, change]) => {
    const item = itemOf(key);
    const next = change.isReset ? `${valueText(item, item.default)} (default)` : valueText(item, change.value);
    return h('li', {}, titleOf(key), ' ', h('code', {}, key), `: ${valueText(item, item.value)} → ${next}`);
  });
  byId('changes-list').replaceChildren(...lines);
}

/** Saves the changes one by one. Rejected changes stay in the list; their settings show the error. */
async function saveAll() {
  const inputs = [...changes.keys()].map((key) => byId(`setting-${key}`)).filter(Boolean);
  if (!inputs.every((input) => input.reportValidity())) return;
  let saved = 0;
  for (const [key, change] of [...changes]) {
    try {
      const changed = change.isReset ? await call('DELETE', pathOf(key)) : await call('PUT', pathOf(key), { value: change.value });
      items = items.map((item) => (item.key === key ? changed : item));
      changes.delete(key);
      saved += 1;
      replaceRow(key);
    } catch (problem) {
      byId(`error-${key}`)?.replaceChildren(sentence(problem.message));
    }
  }
  showChanges();
  const rejected = changes.size === 0 ? '' : ` ${changes.size} rejected. See the errors at the settings.`;
  announce(`${saved} ${saved === 1 ? 'setting' : 'settings'} saved.${rejected}`);
}

function discardAll() {
  const keys = [...changes.keys()];
  changes.clear();
  for (const key of keys) replaceRow(key);
  showChanges();
}

function show() {
  const search = byId('q').value.trim().toLowerCase();
  const words = search.split(/\s+/);
  const textOf = ({ key, description, category }) => `${key} ${titleOf(key)} ${description} ${category}`.toLowerCase();
  const matching = items.filter((item) => words.every((word) => textOf(item).includes(word)));
  const groups = Map.groupBy(matching, ({ category }) => category);
  if (matching.length === 0) return h('p', { className: 'hint' }, 'No matching settings. Try a shorter word.');
  return [...groups].map(([category, members]) =>
    h(
      'details',
      { className: 'group', open: search !== '' || members.some(({ key }) => changes.has(key)) },
      h('summary', {}, `${titleOf(category)} (${members.length})`),
      ...members.map(rowOf),
    ),
  );
}

byId('q').addEventListener('input', () => fill(byId('settings'), show));
byId('filter').addEventListener('submit', (event) => event.preventDefault());
byId('save-changes').addEventListener('click', ({ currentTarget }) => busy(currentTarget, saveAll));
byId('discard-changes').addEventListener('click', discardAll);
addEventListener('beforeunload', (event) => {
  if (changes.size > 0) event.preventDefault();
});
await fill(byId('settings'), async () => {
  ({ items } = await get('/admin/config'));
  return show();
});
