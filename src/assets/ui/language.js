/**
 * Switch in the footer of every page: the language of names of the game. The choice is a cookie, because pages are made on the server; without
 * one the languages of the browser decide. Languages are loaded when the switch is opened.
 */
const COOKIE = 'language';
const YEAR_SECONDS = 31_536_000;
const AS_BROWSER = 'as the browser';

const keptLanguage = () => new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(document.cookie)?.[1] ?? '';

/** `code`: empty to forget the choice. */
function keep(code) {
  const age = code === '' ? 0 : YEAR_SECONDS;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API, and plain HTTP has it nowhere.
  document.cookie = `${COOKIE}=${code}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
}

function nameOf(code) {
  if (code === '') return AS_BROWSER;
  try {
    return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The page again, without the language that its address names. */
function reload() {
  const url = new URL(location.href);
  if (!url.searchParams.has('lang')) return location.reload();
  url.searchParams.delete('lang');
  location.replace(url);
}

function option(code, kept) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', textContent: nameOf(code), lang: code || 'en', ariaPressed: String(code === kept) });
  button.addEventListener('click', () => {
    keep(code);
    reload();
  });
  return button;
}

async function offer(list, status) {
  status.textContent = 'Loading…';
  try {
    const response = await fetch('/v1/codexes/languages');
    if (!response.ok) throw new Error(`status ${response.status}`);
    const codes = (await response.json()).items.map(({ code }) => code);
    status.textContent = codes.length < 2 ? 'The game files are in English only.' : '';
    if (codes.length > 1) list.replaceChildren(...['', ...codes].map((code) => option(code, keptLanguage())));
    return true;
  } catch {
    status.textContent = 'The languages cannot be loaded at the moment.';
    return false;
  }
}

const choice = document.getElementById('language-choice');
if (choice) {
  const [list, status] = [choice.querySelector('.choices-bar'), choice.querySelector('[role="status"]')];
  let isLoaded = false;
  document.getElementById('language-name').textContent = nameOf(keptLanguage());
  choice.addEventListener('toggle', async () => {
    if (choice.open && !isLoaded) isLoaded = await offer(list, status);
  });
  choice.hidden = false;
}
