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

/** A button that copies: in the bar of tabs for the program that is shown, else in the caption of the block. Output is not copied. */
function wireCopying() {
  for (const sample of document.querySelectorAll('.sample')) {
    const bar = sample.querySelector('.tab-bar, .code:not(.output .code) > .caption');
    if (!bar) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const language = sample.querySelector('.tab-bar :checked')?.value;
      const block = language === undefined ? sample : sample.querySelector(`.code[data-language="${language}"]`);
      navigator.clipboard.writeText(block.querySelector('code').textContent).then(
        () => announce('Copied.'),
        () => announce('The browser did not allow copying: select the text instead.'),
      );
    });
    bar.append(button);
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
  const current = menu.querySelector('[aria-current]');
  if (current) menu.scrollTop = current.offsetTop - menu.offsetTop - menu.clientHeight / 3;
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
