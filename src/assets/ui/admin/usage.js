/** Usage of all accounts, and the requests of an account or token. */
import { get } from '../api.js';
import { totals } from '../charts.js';
import { busy, byId, debounced, fill, h, number, table, time } from '../dom.js';
import '../portal.js';

const userColumns = [
  { title: 'Account', kind: 'wide', value: (user) => user.email ?? 'deleted' },
  { title: 'Id', kind: 'wide', value: (user) => h('code', {}, user.user_id) },
  { title: 'Requests', kind: 'number', value: ({ count }) => number(count) },
  { title: 'Errors', kind: 'number', value: (user) => number(user.error_count) },
  { title: '429', kind: 'number', value: (user) => number(user.rate_limited) },
];

const eventColumns = [
  { title: 'Time', value: (event) => time(event.created_at) },
  { title: 'Request', kind: 'wide', value: ({ method, path }) => h('code', {}, `${method} ${path}`) },
  { title: 'Status', kind: 'number', value: (event) => String(event.status_code) },
  { title: 'Duration', kind: 'number', value: (event) => `${number(event.duration_ms)} ms` },
  { title: 'Token', kind: 'wide', value: (event) => h('code', {}, event.token_id) },
];

const OWNERS = ['user_id', 'token_id'];

let events = [];
let cursor = null;

const showActivity = () =>
  fill(byId('activity'), async () => {
    const activity = await get(`/admin/activity?days=${byId('days').value}&top=20`);
    return [
      totals(activity),
      h('h2', {}, 'Accounts with most requests'),
      table('Accounts', userColumns, activity.top_users, 'No requests.'),
    ];
  });

/** Loads a page of requests. They are stored by token, so an account id or token id is required. */
async function readPage() {
  byId('more').hidden = true;
  if (OWNERS.every((name) => byId(name).value.trim() === '')) return h('p', { className: 'hint' }, 'Enter an account id or a token id.');
  const query = new URLSearchParams({ limit: 50 });
  for (const name of ['status_code', ...OWNERS]) if (byId(name).value.trim() !== '') query.set(name, byId(name).value.trim());
  if (cursor !== null) query.set('cursor', cursor);
  const page = await get(`/admin/events?${query}`);
  events.push(...page.items);
  cursor = page.next_cursor;
  byId('more').hidden = cursor === null;
  return table('Requests', eventColumns, events, 'No requests.');
}

function showEvents() {
  events = [];
  cursor = null;
  return fill(byId('events'), readPage);
}

byId('days').addEventListener('change', showActivity);
byId('more').addEventListener('click', ({ currentTarget }) => busy(currentTarget, () => fill(byId('events'), readPage)));
for (const name of ['status_code', ...OWNERS]) byId(name).addEventListener('input', debounced(showEvents));
for (const id of ['filter', 'events-filter']) byId(id).addEventListener('submit', (event) => event.preventDefault());
await Promise.all([showActivity(), showEvents()]);
