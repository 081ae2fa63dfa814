/** Searches the entries of `/docs/search.json` while the visitor types. Without this script the form opens `/docs/search`. */

const MAX_EXCERPT_LENGTH = 110;
const DEBOUNCE_MS = 120;

let loading = null;

/** Loads the search on first use. */
function load() {
  loading ??= Promise.all([import('./search-index.js'), fetch('/docs/search.json').then((response) => response.json())])
    .then(([{ createSearch }, entries]) => createSearch(entries))
    .catch((error) => {
      loading = null;
      throw error;
    });
  return loading;
}

function option({ url, title, page, text }, index) {
  const link = document.createElement('a');
  Object.assign(link, { role: 'option', id: `search-result-${index}`, href: url, tabIndex: -1, ariaSelected: 'false' });
  const name = document.createElement('b');
  name.textContent = title;
  const about = document.createElement('span');
  about.className = 'hint';
  about.textContent = `${page} · ${text.length > MAX_EXCERPT_LENGTH ? `${text.slice(0, MAX_EXCERPT_LENGTH)}…` : text}`;
  link.append(name, about);
  return link;
}

export function wireSearch() {
  const form = document.querySelector('.docs-search');
  const input = form.querySelector('input');
  const list = document.createElement('div');
  list.className = 'search-results';
  list.id = 'docs-search-results';
  list.role = 'listbox';
  list.ariaLabel = 'Results';
  list.hidden = true;
  form.append(list);
  Object.assign(input, { role: 'combobox', ariaAutoComplete: 'list', ariaExpanded: 'false' });
  input.setAttribute('aria-controls', list.id);

  let selected = -1;
  let timer = 0;

  const select = (index) => {
    selected = index;
    [...list.children].forEach((item, at) => {
      item.ariaSelected = String(at === index);
    });
    const item = list.children[index];
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
    if (query === '') return show(false);
    try {
      const results = (await load())(query);
      if (input.value.trim() !== query) return;
      list.replaceChildren(...results.map(option));
      select(-1);
      show(results.length > 0);
    } catch {
      // The form still opens the search page.
      show(false);
    }
  };

  input.addEventListener('focus', () => load().catch(() => {}));
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(find, DEBOUNCE_MS);
  });
  input.addEventListener('keydown', (event) => {
    const count = list.children.length;
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      show(false);
    } else if (!list.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      select(selected < 0 && step < 0 ? count - 1 : (selected + step + count) % count);
    } else if (event.key === 'Enter' && selected >= 0) {
      event.preventDefault();
      list.children[selected].click();
      show(false);
    }
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) show(false);
  });
  // Keeps the focus in the field. Otherwise the results would be hidden before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', () => show(false));
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}
