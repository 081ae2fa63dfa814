/**
 * Names are offered while the visitor types into the search field in the header of every page, which `/` focuses, or into a field for one type
 * of name. Without this script the forms open their pages.
 */

const DEBOUNCE_MS = 150;
/** In characters. */
const MIN_QUERY = 2;
const TYPES = { page: 'Page', codex: 'Codex', item: 'Market', mod: 'Mod', player: 'Player', board: 'Board', doc: 'Docs' };

/** A link of this site as a path. */
function localLink(link) {
  const { origin, pathname, search, hash } = new URL(link, location.origin);
  return origin === location.origin ? pathname + search + hash : link;
}

function option({ type, name, about, link }, id) {
  const item = document.createElement('a');
  Object.assign(item, { role: 'option', id, href: localLink(link), tabIndex: -1, ariaSelected: 'false' });
  const title = document.createElement('b');
  title.textContent = name;
  const hint = document.createElement('span');
  hint.className = 'hint';
  hint.textContent = [TYPES[type], about].filter(Boolean).join(' · ');
  item.append(title, hint);
  return item;
}

/** The first row of a list without results: no choice, so the keys skip it. */
function noMatch(query, hasNearest) {
  const item = document.createElement('div');
  Object.assign(item, { role: 'option', className: 'no-match', ariaDisabled: 'true', ariaSelected: 'false' });
  item.textContent = `Nothing matches “${query}”.${hasNearest ? ' Nearest names:' : ''}`;
  return item;
}

/** Names that complete the query, or those near to it; in the documentation the hits of its texts too. Null if they cannot be read. */
async function read(query, types, signal) {
  const parameters = new URLSearchParams({ q: query, ...(types === '' ? {} : { types }) });
  const response = await fetch(`/search/names?${parameters}`, { signal });
  return response.ok ? await response.json() : null;
}

/** What a screen reader says about the list. */
function countText({ items, nearest }) {
  if (items.length > 0) return items.length === 1 ? '1 result' : `${items.length} results`;
  return nearest.length === 0 ? 'Nothing matches' : `Nothing matches. Nearest names: ${nearest.length}`;
}

function wireSearch(form) {
  const input = form.querySelector('input:not([type="hidden"])');
  const types = form.dataset.searchTypes ?? form.querySelector('[name="types"]')?.value ?? '';
  const list = document.createElement('div');
  list.className = 'search-options';
  list.id = `${input.id}-options`;
  list.role = 'listbox';
  list.ariaLabel = 'Results';
  list.hidden = true;
  const status = document.createElement('p');
  status.className = 'visually-hidden';
  status.role = 'status';
  form.append(list, status);
  Object.assign(input, { role: 'combobox', ariaAutoComplete: 'list', ariaExpanded: 'false' });
  input.setAttribute('aria-controls', list.id);

  let selected = -1;
  let timer = 0;
  let request = new AbortController();

  const options = () => [...list.querySelectorAll('a')];
  const select = (index) => {
    selected = index;
    const items = options();
    items.forEach((item, at) => {
      item.ariaSelected = String(at === index);
    });
    const item = items[index];
    if (item) input.setAttribute('aria-activedescendant', item.id);
    else input.removeAttribute('aria-activedescendant');
    item?.scrollIntoView({ block: 'nearest' });
  };
  const show = (isShown) => {
    list.hidden = !isShown;
    input.ariaExpanded = String(isShown);
    if (!isShown) select(-1);
  };
  const find = async () => {
    const query = input.value.trim();
    if (query.length < MIN_QUERY) return show(false);
    request = new AbortController();
    try {
      const names = await read(query, types, request.signal);
      if (names === null) return show(false);
      const { items, nearest } = names;
      list.replaceChildren(
        ...(items.length === 0 ? [noMatch(query, nearest.length > 0)] : []),
        ...[...items, ...nearest].map((item, index) => option(item, `${input.id}-option-${index}`)),
      );
      status.textContent = countText(names);
      select(-1);
      show(true);
    } catch {
      // A newer request replaces this one, or the network failed; the form still opens the search page.
      if (!request.signal.aborted) show(false);
    }
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    request.abort();
    timer = setTimeout(find, DEBOUNCE_MS);
  });
  input.addEventListener('keydown', (event) => {
    const count = options().length;
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      show(false);
    } else if (!list.hidden && count > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      select(selected < 0 && step < 0 ? count - 1 : (selected + step + count) % count);
    } else if (event.key === 'Enter' && selected >= 0) {
      event.preventDefault();
      options()[selected].click();
      show(false);
    }
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) show(false);
  });
  // Keeps the focus in the field. Otherwise the results would be hidden before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', () => show(false));
}

/** The key `/` focuses the field of the header. */
function wireKey(input) {
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

for (const form of document.querySelectorAll('.site-search, [data-search-types]')) wireSearch(form);
const field = document.querySelector('.site-search [name="q"]');
if (field) wireKey(field);
