/** Open giveaways and the entries of the account. */
import { call, callOpen, get } from './api.js';
import { announce, button, byId, facts, fill, h, number, table, time } from './dom.js';
import { account } from './portal.js';

/** Entries of the account by giveaway id. */
let entries = new Map();

async function changeEntry({ id, title }, method, message) {
  await call(method, `/giveaways/${encodeURIComponent(id)}/entries`);
  announce(`${title}: ${message}`);
  await show();
}

function actionOf(giveaway) {
  return entries.has(giveaway.id)
    ? button('Withdraw', () => changeEntry(giveaway, 'DELETE', 'entry withdrawn.'))
    : button('Enter', () => changeEntry(giveaway, 'POST', 'you are entered.'), 'primary');
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

/** Result of a giveaway. The prize code is shown on demand, because other people may see the screen. */
function outcomeOf({ won, prize_code: code, giveaway }) {
  if (!won) return giveaway.status === 'drawn' ? `won by ${giveaway.winner_username ?? 'another account'}` : giveaway.status;
  const result = h('span', {}, h('span', { className: 'badge good' }, 'you won'), ' ');
  result.append(button('Show the code', () => result.replaceChildren(h('code', {}, code))));
  return result;
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
  // Sections appear after the lists above them are loaded, which avoids layout shifts.
  for (const section of document.querySelectorAll('section[hidden]')) section.hidden = false;
}

await show();
const { is_verified: isVerified } = await account;
if (!isVerified) announce('Verify your email address before you enter a giveaway.');
