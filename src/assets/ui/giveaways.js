/** Open giveaways and the entries of the account. */
import { call, callOpen, get } from './api.js';
import { announce, button, byId, facts, fill, h, number, table, time } from './dom.js';
import { account } from './portal.js';

/** The account's entries by giveaway. */
let entries = new Map();

async function change({ id, title }, method, said) {
  await call(method, `/giveaways/${encodeURIComponent(id)}/entries`);
  announce(`${title}: ${said}`);
  await show();
}

function actionOf(giveaway) {
  return entries.has(giveaway.id)
    ? button('Withdraw', () => change(giveaway, 'DELETE', 'entry withdrawn.'))
    : button('Enter', () => change(giveaway, 'POST', 'you are entered.'), 'primary');
}

function cardOf(giveaway, action) {
  const isEntered = entries.has(giveaway.id);
  return h(
    'article',
    { className: 'card' },
    h('div', { className: 'token-head' }, h('h3', {}, giveaway.title), isEntered ? h('span', { className: 'badge good' }, 'entered') : ''),
    giveaway.description ? h('p', {}, giveaway.description) : '',
    h(
      'dl',
      { className: 'facts' },
      ...facts([
        ['Prize', giveaway.prize_name],
        ...(action ? [] : [['Starts', time(giveaway.starts_at)]]),
        ['Ends', time(giveaway.ends_at)],
        ...(action ? [['Entries', number(giveaway.entry_count)]] : []),
      ]),
    ),
    action ? h('div', { className: 'actions' }, action) : '',
  );
}

const cardsOf = (giveaways, none, action) =>
  giveaways.length === 0 ? h('p', { className: 'hint' }, none) : giveaways.map((giveaway) => cardOf(giveaway, action?.(giveaway)));

/** A prize code is shown on demand only, because others may see the screen. */
function outcomeOf({ won, prize_code: code, giveaway }) {
  if (!won) return giveaway.status === 'drawn' ? `won by ${giveaway.winner_username ?? 'another account'}` : giveaway.status;
  const place = h('span', {}, h('span', { className: 'badge good' }, 'you won'), ' ');
  place.append(button('Show the code', () => place.replaceChildren(h('code', {}, code))));
  return place;
}

const columns = [
  { title: 'Giveaway', kind: 'wide', value: ({ giveaway }) => h('span', {}, h('b', {}, giveaway.title), h('br'), giveaway.prize_name) },
  { title: 'Outcome', value: outcomeOf },
  { title: 'Entered', value: (entry) => time(entry.entered_at) },
  { title: 'Ends', value: ({ giveaway }) => time(giveaway.ends_at) },
];

async function show() {
  const mine = get('/giveaways/mine').then(({ items }) => {
    entries = new Map(items.map((entry) => [entry.giveaway.id, entry]));
    return items;
  });
  await Promise.all([
    fill(byId('mine'), async () => h('div', { className: 'small' }, table('List of your entries', columns, await mine, 'No entries yet.'))),
    fill(byId('open'), async () => {
      const open = await callOpen('GET', '/v1/giveaways/ongoing');
      await mine;
      return cardsOf(open, 'No open giveaways. The event stream and webhooks announce new ones.', actionOf);
    }),
    fill(byId('upcoming'), async () => cardsOf(await callOpen('GET', '/v1/giveaways/upcoming'), 'None planned yet.')),
  ]);
  // Avoids layout shifts: sections appear after the lists above them have loaded.
  for (const section of document.querySelectorAll('section[hidden]')) section.hidden = false;
}

await show();
const { is_verified: isVerified } = await account;
if (!isVerified) announce('Verify your email address before you enter a giveaway.');
