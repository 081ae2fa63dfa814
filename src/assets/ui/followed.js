/** What this device follows: items with their prices and one player. A row shows them; pages of items have a button to follow. */
import { announce, byId, h } from './dom.js';
import { keepStored, readStored } from './stored.js';

const ITEMS_KEY = 'followed-items';
const PLAYER_KEY = 'my-player';
/** As many as one request shows. */
const MAX_ITEMS = 12;

export const readPlayer = () => readStored(PLAYER_KEY);
export const keepPlayer = (name) => keepStored(PLAYER_KEY, name);

/** The names of the followed items, in the order in which they were added. Another version of the page may have stored anything. */
export function readItems() {
  try {
    const names = JSON.parse(readStored(ITEMS_KEY) ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string').slice(0, MAX_ITEMS) : [];
  } catch {
    return [];
  }
}

const keepItems = (names) => keepStored(ITEMS_KEY, names.length === 0 ? null : JSON.stringify(names));

const itemUrl = (name) => `/market/item?${new URLSearchParams({ name })}`;
const playerUrl = (name) => `/players?${new URLSearchParams({ name })}`;

function chip({ name, href, value, stop }) {
  return h(
    'li',
    {},
    h('a', { href }, name),
    h('span', { className: 'followed-value', title: value }, value),
    h(
      'button',
      { type: 'button', className: 'quiet', title: 'Stop following', 'aria-label': `Stop following ${name}`, onclick: stop },
      '×',
    ),
  );
}

/** Shows the row; `figures`: null while they are loaded. */
function showRow(row, figures) {
  const [items, player] = [readItems(), readPlayer()];
  const prices = new Map(figures?.items.map(({ name, price }) => [name, price]));
  const currency = row.dataset.currency;
  const priceOf = (name) => {
    if (figures === null) return '…';
    const price = prices.get(name) ?? null;
    return price === null ? 'not listed' : `${price.toLocaleString(undefined, { maximumFractionDigits: 3 })} ${currency}`;
  };
  const placeOf = () => {
    if (figures === null) return '…';
    return figures.player === null ? 'on no board' : `#${figures.player.rank} ${figures.player.board}`;
  };
  /** Removes one, and moves the focus to the next. */
  const stop = (keep, name) => (event) => {
    const buttons = [...row.querySelectorAll('button')];
    const at = buttons.indexOf(event.currentTarget);
    keep();
    showRow(row, figures);
    announce(`No longer following ${name}.`);
    const left = [...row.querySelectorAll('button')];
    (left[Math.min(at, left.length - 1)] ?? byId('main')).focus();
  };
  row.replaceChildren(
    ...(player === null
      ? []
      : [chip({ name: player, href: playerUrl(player), value: placeOf(), stop: stop(() => keepPlayer(null), player) })]),
    ...items.map((name) =>
      chip({
        name,
        href: itemUrl(name),
        value: priceOf(name),
        stop: stop(() => keepItems(readItems().filter((other) => other !== name)), name),
      }),
    ),
  );
  if (row.childNodes.length > 0) document.documentElement.dataset.followed = '';
  else delete document.documentElement.dataset.followed;
}

async function loadRow(row) {
  showRow(row, null);
  const [items, player] = [readItems(), readPlayer()];
  if (items.length === 0 && player === null) return;
  const query = new URLSearchParams({ items: items.join('|'), player: player ?? '' });
  const response = await fetch(`/portal/followed?${query}`).catch(() => null);
  if (response?.ok) showRow(row, await response.json());
}

/** The button of the page of an item. */
function showButton(place) {
  const { item } = place.dataset;
  const items = readItems();
  const isFollowed = items.includes(item);
  const toggle = () => {
    if (!isFollowed && items.length >= MAX_ITEMS) return announce(`You follow ${MAX_ITEMS} items; stop following one first.`);
    const isKept = keepItems(isFollowed ? items.filter((name) => name !== item) : [...items, item]);
    if (!isKept) return announce('The browser does not allow pages to store anything.');
    announce(isFollowed ? `No longer following ${item}.` : `Following ${item}: its price is on the front page and the market page.`);
    showButton(place);
    place.querySelector('button').focus();
  };
  const label = isFollowed ? 'Stop following the price' : 'Follow the price';
  place.replaceChildren(h('button', { type: 'button', onclick: toggle }, label));
}

const row = byId('followed');
if (row) {
  loadRow(row);
  // Another tab of the same device.
  addEventListener('storage', ({ key }) => {
    if (key === ITEMS_KEY || key === PLAYER_KEY) loadRow(row);
  });
}
const place = byId('follow-item');
if (place) showButton(place);
