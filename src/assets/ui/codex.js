/** Codex pages: searches while the visitor types. Without this script the form loads the results. */
import { byId, debounced, h, number, svg } from './dom.js';

const MAX_RESULTS = 24;
const IMAGE_SIZE = 64;
const form = document.querySelector('[data-codex-search]');
const results = byId('codex-results');
const resultCount = byId('result-count');
const input = byId('q');
/** The server-rendered state. */
const initial = { text: input.value.trim(), count: resultCount.textContent, content: [...results.childNodes] };
/** `readers`: language of the page by the choice of the reader, which links do not name. */
const { codexSearch: type, branch, shown: readers } = form.dataset;
let pendingRequest = null;
/** Language of the results; null for English. */
let shownLanguage = null;

/** Query of the form without empty and default values. */
function queryOf() {
  const query = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...query]) if (value === '' || (name === 'sort' && value === 'name')) query.delete(name);
  return query;
}

function apiUrlOf(query) {
  const apiQuery = new URLSearchParams({ limit: MAX_RESULTS, branch });
  for (const name of ['category', 'sort', 'lang']) if (query.has(name)) apiQuery.set(name, query.get(name));
  if (readers && !query.has('lang')) apiQuery.set('lang', readers);
  apiQuery.set(type ? 'search' : 'q', query.get('q') ?? '');
  return `/v1/codexes/${type || 'search'}?${apiQuery}`;
}

/** Placeholder for a missing image, identical to the server-rendered one. */
function imagePlaceholder() {
  const size = { width: IMAGE_SIZE, height: IMAGE_SIZE, viewBox: '0 0 32 32' };
  const cube = svg('svg', { class: 'model none', 'aria-hidden': 'true', ...size });
  cube.append(svg('path', { d: 'M16 5 26 10.5v11L16 27 6 21.5v-11zM6 10.5 16 16l10-5.5M16 16v11' }));
  return cube;
}

function card({ type: entryType, path, name, category, mastery, image_url: image }) {
  const query = new URLSearchParams({ path });
  if (branch !== 'live-us') query.set('branch', branch);
  if (shownLanguage !== null) query.set('lang', shownLanguage);
  const facts = [type ? null : entryType, category, mastery === null ? null : `${number(mastery)}\u00a0mastery`].filter(Boolean);
  const properties = {
    className: 'model',
    src: image.replace(/([?&]dim=)\d+/, '$1128'),
    alt: '',
    width: IMAGE_SIZE,
    height: IMAGE_SIZE,
    loading: 'lazy',
  };
  return h(
    'li',
    { className: 'entry' },
    image ? h('img', properties) : imagePlaceholder(),
    h('div', {}, h('a', { href: `/codex/${entryType}/entry?${query}` }, name || path), h('p', { className: 'hint' }, facts.join(' · '))),
  );
}

function show({ items, total }) {
  resultCount.textContent = total > items.length ? `${number(items.length)} of ${number(total)} entries` : `${number(total)} entries`;
  results.replaceChildren(h('ul', { className: 'entries' }, ...items.map(card)));
}

async function search() {
  pendingRequest?.abort();
  const query = queryOf();
  const search = query.toString();
  history.replaceState(null, '', search === '' ? form.action : `${form.action}?${search}`);
  if (input.value.trim() === initial.text) {
    resultCount.textContent = initial.count;
    results.replaceChildren(...initial.content);
    return;
  }
  pendingRequest = new AbortController();
  try {
    const response = await fetch(apiUrlOf(query), { signal: pendingRequest.signal });
    shownLanguage = query.get('lang');
    if (response.ok) show(await response.json());
    else resultCount.textContent = 'Select Search to load the results.';
  } catch (error) {
    if (error.name !== 'AbortError') resultCount.textContent = 'Select Search to load the results.';
  }
}

input.addEventListener('input', debounced(search));
