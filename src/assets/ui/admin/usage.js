/** Usage of all accounts with charts, and the requests of an account or token. */
import { get } from '../api.js';
import { SAMPLE_HINT, totals, trafficCharts } from '../charts.js';
import { button, byId, debounced, email, fill, h, number, table, time } from '../dom.js';
import { wirePagedTable } from '../paged-table.js';
import '../portal.js';

const MAX_FOUND = 8;

const userColumns = [
  { title: 'Account', kind: 'wide', value: (user) => accountButton(user.user_id, user.email ?? 'deleted') },
  { title: 'Requests', kind: 'number', value: ({ count }) => number(count) },
  { title: 'Errors', kind: 'number', value: (user) => number(user.error_count) },
  { title: '429', kind: 'number', value: (user) => number(user.rate_limited) },
];

const foundColumns = [
  { title: 'Account', kind: 'wide', value: (user) => accountButton(user.id, user.email) },
  { title: 'Name', value: (user) => user.display_name ?? '' },
  { title: 'Requests', kind: 'number', value: (user) => number(user.total_requests) },
  { title: '429', kind: 'number', value: (user) => number(user.rate_limited) },
  { title: 'Last used', value: (user) => time(user.last_used_at) },
];

const eventColumns = [
  { title: 'Time', value: (event) => time(event.created_at) },
  { title: 'Request', kind: 'wide', value: ({ method, path }) => h('code', {}, `${method} ${path}`) },
  { title: 'Status', kind: 'number', value: (event) => String(event.status_code) },
  { title: 'Duration', kind: 'number', value: (event) => `${number(event.duration_ms)} ms` },
  { title: 'Token', kind: 'wide', value: (event) => h('code', {}, event.token_id) },
];

const OWNERS = ['user_id', 'token_id'];

/** A button that shows the requests of an account. */
function accountButton(id, label) {
  return button(email(label), () => {
    byId('user_id').value = id;
    byId('token_id').value = '';
    byId('requests-title').scrollIntoView();
    return showEvents();
  });
}

const showActivity = () =>
  fill(byId('activity'), async () => {
    const days = Number(byId('days').value);
    const activity = await get(`/admin/activity?days=${days}&top=20`);
    return [
      h('p', { className: 'hint' }, SAMPLE_HINT),
      ...trafficCharts(activity.traffic, days),
      h('h2', {}, 'Accounts with most requests'),
      totals(activity),
      h('p', { className: 'hint' }, 'As of ', time(activity.as_of), '. Later requests are counted when their tokens report.'),
      table('Accounts', userColumns, activity.top_users, 'No requests.'),
    ];
  });

/** Accounts whose address or name has the text. */
const showFound = () =>
  fill(byId('found'), async () => {
    const text = byId('q').value.trim();
    if (text === '') return '';
    const query = new URLSearchParams({ q: text, days: byId('days').value, limit: MAX_FOUND });
    const { items, total } = await get(`/admin/users?${query}`);
    const more = total > items.length ? [h('p', { className: 'hint' }, `The first ${items.length} of ${number(total)}.`)] : [];
    return [table('Found accounts', foundColumns, items, 'No matching accounts. Shorten the search.'), ...more];
  });

const showEventsOfOwner = wirePagedTable({
  target: 'events',
  more: 'more',
  path: '/admin/events',
  query() {
    const query = new URLSearchParams({ limit: 50 });
    for (const name of ['status_code', ...OWNERS]) if (byId(name).value.trim() !== '') query.set(name, byId(name).value.trim());
    return query;
  },
  render: (rows) => table('Requests', eventColumns, rows, 'No requests.'),
});

/** Requests are stored by token, so an account id or token id is required. */
function showEvents() {
  if (OWNERS.some((name) => byId(name).value.trim() !== '')) return showEventsOfOwner();
  byId('more').hidden = true;
  return fill(byId('events'), () => h('p', { className: 'hint' }, 'Search for an account, or enter an account id or a token id.'));
}

byId('days').addEventListener('change', () => Promise.all([showActivity(), showFound()]));
byId('q').addEventListener('input', debounced(showFound));
for (const name of ['status_code', ...OWNERS]) byId(name).addEventListener('input', debounced(showEvents));
for (const id of ['filter', 'events-filter']) byId(id).addEventListener('submit', (event) => event.preventDefault());
await Promise.all([showActivity(), showEvents()]);
