/** Single requests of tokens, and why some got 429. */
import { get } from './api.js';
import { announce, busy, button, byId, fill, h, number, table } from './dom.js';
import { fullWindows, limitText } from './refusals.js';

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

let requests = [];
let cursor = null;
let tokenId = '';
let nameOf = () => '';

const withToken = (query) => {
  if (tokenId !== '') query.set('token_id', tokenId);
  return query;
};

async function readPage() {
  const [name, status] = byId('status').value.split('=');
  const query = withToken(new URLSearchParams({ limit: PAGE_SIZE }));
  if (name !== '') query.set(name, status);
  if (cursor !== null) query.set('cursor', cursor);
  const page = await get(`/tokens/requests?${query}`);
  requests.push(...page.items);
  cursor = page.next_cursor;
  byId('more').hidden = cursor === null;
  return table('Requests', columns, requests, 'No such requests in the last 30 days.');
}

function showRequests() {
  requests = [];
  cursor = null;
  return fill(byId('requests'), readPage);
}

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
byId('more').addEventListener('click', ({ currentTarget }) => busy(currentTarget, () => fill(byId('requests'), readPage)));

/** Shows the requests of a token, or of all for an empty id. `toName`: name of a token id. */
export function showRequestsOf(id, toName) {
  tokenId = id;
  nameOf = toName;
  return Promise.all([showRequests(), showReasons()]);
}
