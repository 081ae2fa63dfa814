/** Usage of the tokens of the account: charts, single requests, and why some got 429. */
import { get } from './api.js';
import { usageCharts } from './charts.js';
import { announce, button, byId, fill, h, number, table } from './dom.js';
import { wirePagedTable } from './paged-table.js';
import './portal.js';
import { fullWindows, limitText } from './refusals.js';

const [tokenList, daysList] = [byId('token'), byId('days')];

let tokens = [];
const nameOf = (id) => tokens.find((token) => token.id === id)?.name ?? 'a deleted token';

/** Requests shown at once. */
const PAGE_SIZE = matchMedia('(max-width: 40rem)').matches ? 10 : 25;
/** Number of full windows in the answer. */
const MAX_WINDOWS = 5;
/** Number of refused requests that the answer reads. */
const MAX_REFUSED = 200;
const exactTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** A time with seconds: requests of one window differ by seconds. */
const instant = (iso, format = exactTime) =>
  h('time', { dateTime: iso, title: `${iso.slice(0, 19).replace('T', ' ')} UTC` }, format.format(new Date(iso)));

const statusClass = (status) => (status === 429 ? 'badge warn' : status >= 400 ? 'badge bad' : 'badge good');

const columns = [
  { title: 'Time', value: (request) => instant(request.created_at) },
  { title: 'Request', kind: 'wide', value: ({ method, path }) => h('code', {}, `${method} ${path}`) },
  { title: 'Status', value: (request) => h('span', { className: statusClass(request.status_code) }, String(request.status_code)) },
  { title: 'Code', value: ({ code }) => (code === null ? '–' : h('a', { href: `/docs/errors#${code}` }, h('code', {}, code))) },
  {
    title: 'Duration',
    kind: 'number',
    value: (request) => `${number(request.duration_ms)} ms${request.count > 1 ? ` × ${number(request.count)}` : ''}`,
  },
  { title: 'Request id', value: ({ request_id: id }) => (id === null ? '–' : idButton(id)) },
];

/** The start of a request id. The button copies all of it. */
function idButton(id) {
  const copy = button(
    id.length > 8 ? `${id.slice(0, 8)}…` : id,
    async () => {
      await navigator.clipboard.writeText(id);
      announce('Request id copied.');
    },
    'id-button',
  );
  copy.title = `Copy ${id}`;
  return copy;
}

const withToken = (query) => {
  if (tokenList.value !== '') query.set('token_id', tokenList.value);
  return query;
};

const showRequests = wirePagedTable({
  target: 'requests',
  more: 'more',
  path: '/tokens/requests',
  query() {
    const [name, status] = byId('status').value.split('=');
    const query = withToken(new URLSearchParams({ limit: PAGE_SIZE }));
    if (name !== '') query.set(name, status);
    return query;
  },
  render: (rows) => table('Requests', columns, rows, 'No such requests in the last 30 days.'),
});

function windowItem({ tokenId: id, name, limit, seconds, startedAt, fullAt, resetAt, message, refused, routes }) {
  const [title, advice] = limitText({ name, message });
  const amount =
    limit === null ? '' : seconds !== null && startedAt !== null ? ` (${number(limit)} in ${number(seconds)} s)` : ` (${number(limit)})`;
  const when =
    startedAt === null
      ? ['first refused at ', instant(fullAt)]
      : ['window from ', instant(startedAt), ', full at ', instant(fullAt, clockTime), ', free again at ', instant(resetAt, clockTime)];
  const most = routes.slice(0, 3).flatMap(([route, count], index) => [index > 0 ? ', ' : '', h('code', {}, route), ` ${number(count)}×`]);
  return h(
    'li',
    {},
    h('p', {}, h('b', {}, `${title}${amount}, token ${nameOf(id)}`), ': ', ...when, '.'),
    h('p', {}, `${number(refused)} refused: `, ...most, '.'),
    h('p', { className: 'hint' }, advice),
  );
}

const showReasons = () =>
  fill(byId('refusals'), async () => {
    const query = withToken(new URLSearchParams({ status_code: 429, limit: MAX_REFUSED }));
    const { items, has_more: hasMore } = await get(`/tokens/requests?${query}`);
    const windows = fullWindows(items);
    if (items.length === 0) return h('p', {}, 'No request got 429 in the last 30 days.');
    const others = windows.length - MAX_WINDOWS;
    const older = others > 0 || hasMore ? [h('p', { className: 'hint' }, `Older ones are in the list below: select "429 only".`)] : [];
    const guide = h('p', {}, h('a', { href: '/docs/rate-limits#why-429-and-what-to-do' }, 'Guide: rate limits and 429'));
    if (windows.length === 0) return [h('p', {}, 'These requests were stored before limits were recorded.'), guide];
    return [h('ol', { className: 'refusals' }, ...windows.slice(0, MAX_WINDOWS).map(windowItem)), ...older, guide];
  });

byId('status').addEventListener('change', showRequests);
byId('requests-form').addEventListener('submit', (event) => event.preventDefault());

const show = () =>
  fill(byId('usage'), async () => {
    const path = tokenList.value === '' ? '/tokens/activity' : `/tokens/${encodeURIComponent(tokenList.value)}/activity`;
    const summary = await get(`${path}?days=${daysList.value}`);
    if (tokens.length === 0) {
      const link = h('a', { className: 'button primary', href: '/portal/tokens' }, 'Create a token');
      return [h('p', {}, 'No tokens yet. Requests appear here after you use a token.'), h('p', { className: 'links' }, link)];
    }
    const hint = tokenList.value === '' ? [h('p', { className: 'hint' }, 'Select a token to see its remaining rate limits.')] : [];
    return [...hint, ...usageCharts(summary)];
  });

const showSingle = () => Promise.all([showRequests(), showReasons()]);

daysList.addEventListener('change', show);
tokenList.addEventListener('change', () => Promise.all([show(), showSingle()]));
byId('usage-form').addEventListener('submit', (event) => event.preventDefault());

const requestedId = new URLSearchParams(location.search).get('token');

await fill(byId('usage-state'), async () => {
  tokens = await get('/tokens');
  const usable = tokens.filter(({ revoked }) => !revoked);
  // Remaining rate limits are shown per token, so the only token is selected.
  const selectedId = requestedId ?? (usable.length === 1 ? usable[0].id : null);
  for (const { id, name } of tokens) tokenList.append(h('option', { value: id, selected: id === selectedId }, name));
  await Promise.all([show(), showSingle()]);
  // The sections appear together, which avoids layout shifts.
  byId('usage-sections').hidden = false;
  return [];
});
if (location.hash === '#why-429') byId('why-429').scrollIntoView();
