/** What the pages of the documentation do with a script. Texts are always set as text: nothing here reads markup. */
import { wireRun } from './run.js';
import { wireSearch } from './search.js';

const LANGUAGE_KEY = 'docs-language';
const ANNOUNCED_MILLISECONDS = 4000;

const announcer = document.getElementById('announcer');
let announcement = 0;

/** Says something, to the eye and to screen readers, and takes it away again. */
function announce(text) {
  announcer.textContent = text;
  clearTimeout(announcement);
  announcement = setTimeout(() => {
    announcer.textContent = '';
  }, ANNOUNCED_MILLISECONDS);
}

/** A copy button for each block of code. */
function wireCopying() {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () =>
      navigator.clipboard.writeText(block.querySelector('code').textContent).then(
        () => announce('Copied.'),
        () => announce('The browser did not allow copying: select the text instead.'),
      ),
    );
    block.append(button);
  }
}

/** A language that was chosen once is chosen everywhere. */
function wireTabs() {
  const choose = (language) => {
    for (const input of document.querySelectorAll(`.tab-bar input[value="${CSS.escape(language)}"]`)) input.checked = true;
  };
  const known = read(LANGUAGE_KEY);
  if (known !== null) choose(known);
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.tab-bar input')) return;
    const { top } = target.parentElement.getBoundingClientRect();
    choose(target.value);
    write(LANGUAGE_KEY, target.value);
    // Blocks above have changed their height.
    scrollBy(0, target.parentElement.getBoundingClientRect().top - top);
  });
}

function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice lasts for this page.
  }
}

/** The menu of phones closes when one of its links leads to a part of the same page. */
function wireMenu() {
  const menu = document.getElementById('docs-menu');
  menu.addEventListener('click', ({ target }) => {
    if (target.closest('a') && menu.matches(':popover-open')) menu.hidePopover();
  });
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

/** Links into the former documentation page: `#error-CODE`, `#/Tag/operationId`. */
function followFormerAnchor() {
  const { pathname, hash } = location;
  if (pathname !== '/docs') return;
  const [, code] = /^#error-([a-z_]+)$/.exec(hash) ?? [];
  const [, tag, operation] = /^#\/([^/]+)(?:\/(\w+))?$/.exec(hash) ?? [];
  if (code) location.replace(`/docs/errors#${code}`);
  else if (tag) {
    const slug = decodeURIComponent(tag).toLowerCase().replaceAll(/[ _]/g, '-');
    location.replace(`/docs/reference/${encodeURIComponent(slug)}${operation ? `#${operation}` : ''}`);
  }
}

followFormerAnchor();
wireTabs();
wireCopying();
wireMenu();
wireRun();
wireSearch();
