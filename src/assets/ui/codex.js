/** Codex pages: search as you type. Without this script the form loads the results. */
import { byId, debounced, h, number } from './dom.js';

const LIMIT = 24;
const IMAGE_SIZE = 64;
const form = document.querySelector('[data-codex-search]');
const place = byId('place');
const found = byId('found');
const input = byId('q');
const first = { text: input.value.trim(), said: found.textContent, content: [...place.childNodes] };
const { codexSearch: type, branch } = form.dataset;
let running = null;

/** Query of the form without empty and default values. */
function queryOf() {
  const query = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...query]) if (value === '' || (name === 'sort' && value === 'name')) query.delete(name);
  return query;
}

function addressOf(query) {
  const wanted = new URLSearchParams({ limit: LIMIT, branch });
  for (const name of ['category', 'sort']) if (query.has(name)) wanted.set(name, query.get(name));
  wanted.set(type ? 'search' : 'q', query.get('q') ?? '');
  return `/v1/codexes/${type || 'search'}?${wanted}`;
}

/** Placeholder for a missing image, identical to the server-rendered one. */
function outline() {
  const made = (tag, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const size = { width: IMAGE_SIZE, height: IMAGE_SIZE, viewBox: '0 0 32 32' };
  const cube = made('svg', { class: 'model none', 'aria-hidden': 'true', ...size });
  cube.append(made('path', { d: 'M16 5 26 10.5v11L16 27 6 21.5v-11zM6 10.5 16 16l10-5.5M16 16v11' }));
  return cube;
}

function card({ type: own, path, name, category, mastery, image_url: image }) {
  const query = new URLSearchParams({ path });
  if (branch !== 'live-us') query.set('branch', branch);
  const facts = [type ? null : own, category, mastery === null ? null : `${number(mastery)}\u00a0mastery`].filter(Boolean);
  const properties = { className: 'model', src: image, alt: '', width: IMAGE_SIZE, height: IMAGE_SIZE, loading: 'lazy' };
  return h(
    'li',
    { className: 'entry' },
    image ? h('img', properties) : outline(),
    h('div', {}, h('a', { href: `/codex/${own}/entry?${query}` }, name || path), h('p', { className: 'hint' }, facts.join(' · '))),
  );
}

function show({ items, total }) {
  found.textContent = total > items.length ? `${number(items.length)} of ${number(total)} entries` : `${number(total)} entries`;
  place.replaceChildren(h('ul', { className: 'entries' }, ...items.map(card)));
}

async function search() {
  running?.abort();
  const query = queryOf();
  const search = query.toString();
  history.replaceState(null, '', search === '' ? form.action : `${form.action}?${search}`);
  if (input.value.trim() === first.text) {
    found.textContent = first.said;
    place.replaceChildren(...first.content);
    return;
  }
  running = new AbortController();
  try {
    const response = await fetch(addressOf(query), { signal: running.signal });
    if (response.ok) show(await response.json());
    else found.textContent = 'Press Search to see the results.';
  } catch (error) {
    if (error.name !== 'AbortError') found.textContent = 'Press Search to see the results.';
  }
}

input.addEventListener('input', debounced(search));
