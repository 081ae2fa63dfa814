/** Script of the documentation pages. Sets text content only, never markup. */
import { keepStored, readStored } from '../../ui/stored.js';
import { wireRun } from './run.js';

const LANGUAGE_KEY = 'docs-language';
const ANNOUNCEMENT_MS = 4000;

const announcer = document.getElementById('announcer');
let announcementTimer = 0;

/** Shows a message for a few seconds and announces it to screen readers. */
function announce(text) {
  announcer.textContent = text;
  clearTimeout(announcementTimer);
  announcementTimer = setTimeout(() => {
    announcer.textContent = '';
  }, ANNOUNCEMENT_MS);
}

/** Adds a copy button to the tab bar or the caption of each code block, except output blocks. */
function wireCopyButtons() {
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
        () => announce('The browser blocked copying. Select the text instead.'),
      );
    });
    bar.append(button);
  }
}

/** Applies the selected language to all tab bars. */
function wireTabs() {
  const choose = (language) => {
    for (const input of document.querySelectorAll(`.tab-bar input[value="${CSS.escape(language)}"]`)) input.checked = true;
  };
  const stored = readStored(LANGUAGE_KEY);
  if (stored !== null) choose(stored);
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.tab-bar input')) return;
    const { top } = target.parentElement.getBoundingClientRect();
    choose(target.value);
    // Without storage the selection applies to this page only.
    keepStored(LANGUAGE_KEY, target.value);
    // Keeps the scroll position, because the height of the blocks above has changed.
    scrollBy(0, target.parentElement.getBoundingClientRect().top - top);
  });
}

/** Closes the mobile menu when a link targets the same page. */
function wireMenu() {
  const menu = document.getElementById('docs-menu');
  menu.addEventListener('click', ({ target }) => {
    if (target.closest('a') && menu.matches(':popover-open')) menu.hidePopover();
  });
  const current = menu.querySelector('[aria-current]');
  if (current) menu.scrollTop = current.offsetTop - menu.offsetTop - menu.clientHeight / 3;
}

/** Redirects anchors of the former single-page documentation: `#error-CODE`, `#/Tag/operationId`. */
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
wireCopyButtons();
wireMenu();
wireRun();
