/** The insert log, a form that sends an insert, and stored dumps, which can be replayed. */
import { call, get } from '../api.js';
import { announce, busy, button, byId, debounced, fill, h, number, table, time } from '../dom.js';
import { wireForm } from '../form.js';
import '../portal.js';

const INSERT = /^\/v1\/[a-z0-9/_-]+\/insert$/;

const columns = [
  { title: 'Time', value: (entry) => time(entry.timestamp) },
  { title: 'Insert', value: ({ endpoint }) => h('code', {}, endpoint) },
  {
    title: 'Result',
    value: ({ success }) => h('span', { className: `badge ${success ? 'good' : 'bad'}` }, success ? 'accepted' : 'rejected'),
  },
  { title: 'Summary', kind: 'wide', value: ({ summary, error }) => error ?? summary ?? '' },
  { title: 'Account', kind: 'wide', value: (entry) => entry.user_email ?? 'the service or a deleted account' },
  { title: 'Credential', value: (entry) => (entry.token_name === null ? entry.auth_via : `${entry.auth_via}: ${entry.token_name}`) },
];

/** Wires a table that loads page by page. `query` returns the query parameters. Returns the function that loads the first page. */
function wirePagedTable({ target, more, path, query, render }) {
  let rows = [];
  let cursor = null;
  const readPage = async () => {
    const parameters = query();
    if (cursor !== null) parameters.set('cursor', cursor);
    const page = await get(`${path}?${parameters}`);
    rows.push(...page.items);
    cursor = page.next_cursor;
    byId(more).hidden = cursor === null;
    return render(rows, page);
  };
  byId(more).addEventListener('click', ({ currentTarget }) => busy(currentTarget, () => fill(byId(target), readPage)));
  return () => {
    rows = [];
    cursor = null;
    byId(more).hidden = true;
    return fill(byId(target), readPage);
  };
}

const showLog = wirePagedTable({
  target: 'log',
  more: 'more-log',
  path: '/admin/ingest/log',
  query() {
    const query = new URLSearchParams({ limit: 50 });
    if (byId('only').value.trim() !== '') query.set('endpoint', byId('only').value.trim());
    if (byId('success').value !== '') query.set('success', byId('success').value);
    return query;
  },
  render: (rows) => table('Inserts', columns, rows, 'No inserts yet.'),
});

const iso = (seconds) => new Date(seconds * 1000).toISOString();

async function replay({ dump, anchor }) {
  await call('POST', '/admin/leaderboards/replay', { dump });
  announce(`The dump of ${iso(anchor)} is being replayed. The log shows the result.`);
}

const dumpColumns = [
  { title: 'Capture', value: ({ anchor }) => time(iso(anchor)) },
  { title: 'Received', value: (dump) => time(iso(dump.received_at)) },
  { title: 'Size', kind: 'number', value: ({ size }) => `${number(Math.ceil(size / 1024))} KB` },
  { title: 'Dump', kind: 'wide', value: ({ dump }) => h('code', {}, dump) },
  { title: 'Replay', value: (dump) => button('Replay', () => replay(dump)) },
];

const showDumps = wirePagedTable({
  target: 'dumps',
  more: 'more-dumps',
  path: '/admin/leaderboards/dumps',
  query: () => new URLSearchParams({ limit: 20 }),
  render: (rows, { total }) => [
    h('p', { className: 'hint' }, total === 1 ? '1 dump' : `${number(total)} dumps`),
    table('Dumps', dumpColumns, rows, 'No dumps stored yet. Send one to an insert endpoint of the leaderboards or the market.'),
  ],
});

wireForm(byId('replay-form'), call, {
  prepare({ method, body: { endpoint, body } }) {
    if (!INSERT.test(endpoint)) throw new Error('The path must start with /v1/ and end with /insert.');
    try {
      return { method, path: endpoint, body: JSON.parse(body) };
    } catch {
      throw new Error('The body must be JSON.');
    }
  },
  async done(response) {
    byId('replay-result').textContent = `Accepted: ${JSON.stringify(response)}`;
    await showLog();
  },
});

byId('only').addEventListener('input', debounced(showLog));
byId('success').addEventListener('change', showLog);
byId('filter').addEventListener('submit', (event) => event.preventDefault());
await Promise.all([showLog(), showDumps()]);
