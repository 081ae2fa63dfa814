/** Forms that send inserts, the insert log with receipts, and stored dumps, which can be replayed. */
import { call, callRaw, get, INGEST_ID, read, sendFile } from '../api.js';
import { announce, button, byId, debounced, email, facts, fill, h, number, sentence, table, time } from '../dom.js';
import { wireForm } from '../form.js';
import { wirePagedTable } from '../paged-table.js';
import '../portal.js';

const INSERT = /^\/v1\/[a-z0-9/_-]+\/insert$/;

/** The summary repeats the first rejected lines, which the receipt lists. */
const MAX_SUMMARY_LENGTH = 160;
const shortened = (text) => (text.length <= MAX_SUMMARY_LENGTH ? text : `${text.slice(0, MAX_SUMMARY_LENGTH)}…`);

function resultOf({ success, rejected, receipt_id: id }) {
  const partly = success && rejected > 0;
  const badge = h('span', { className: `badge ${partly ? 'warn' : success ? 'good' : 'bad'}` }, success ? 'accepted' : 'rejected');
  const note = partly ? [h('br'), h('span', { className: 'hint' }, `${number(rejected)} rejected`)] : [];
  const receipt =
    id === null
      ? []
      : [
          h(
            'div',
            { className: 'actions small' },
            button('Receipt', () => openReceipt(id)),
          ),
        ];
  return h('div', {}, badge, ...note, ...receipt);
}

const columns = [
  { title: 'Time', value: (entry) => time(entry.timestamp) },
  { title: 'Insert', value: ({ endpoint }) => h('code', {}, endpoint) },
  { title: 'Result', value: resultOf },
  { title: 'Summary', value: ({ summary, error }) => shortened(error ?? summary ?? '') },
  {
    title: 'Account',
    value: (entry) =>
      h(
        'span',
        {},
        entry.user_email === null ? 'the service or a deleted account' : email(entry.user_email),
        h('br'),
        h('span', { className: 'hint' }, entry.token_name === null ? entry.auth_via : `${entry.auth_via}: ${entry.token_name}`),
      ),
  },
];

const POLL_MS = 1500;
const MAX_POLLS = 80;

const STATES = { received: ['being processed', 'warn'], accepted: ['accepted', 'good'], rejected: ['rejected', 'bad'] };

function stateBadge(state) {
  const [text, kind] = STATES[state];
  return h('span', { className: `badge ${kind}` }, text);
}

/** Reasons of the market are codes; others quote the data. */
const CODE = /^[a-z_]+$/;

const problemColumns = [
  { title: 'Line', kind: 'number', value: ({ line }) => (line === null ? '' : number(line)) },
  { title: 'Reason', kind: 'wide', value: ({ reason }) => (CODE.test(reason) ? reason.replaceAll('_', ' ') : reason) },
];

/** Elements that show a receipt. */
function receiptView(receipt) {
  const { state, received, accepted, ignored, rejected, problems } = receipt;
  const count = (value) => (value === null ? 'not read' : number(value));
  const more =
    rejected > problems.length && problems.length > 0
      ? [h('p', { className: 'hint' }, `The first ${problems.length} of ${number(rejected)}.`)]
      : [];
  return [
    h(
      'dl',
      { className: 'facts' },
      ...facts([
        ['Insert', h('span', {}, h('code', {}, receipt.endpoint), ' ', stateBadge(state))],
        ['Received', time(receipt.received_at)],
        ...(state === 'received'
          ? []
          : [
              ['Records', count(received)],
              ['Accepted', count(accepted)],
              ...(ignored > 0 ? [['Not tracked', count(ignored)]] : []),
              ['Rejected', count(rejected)],
            ]),
        ['Receipt', h('code', {}, receipt.id)],
      ]),
    ),
    ...(receipt.error === null ? [] : [h('p', { className: 'error' }, sentence(receipt.error))]),
    ...(problems.length === 0 ? [] : [table('Rejected records', problemColumns, problems), ...more]),
  ];
}

/** Reads a receipt until the data is processed, at most two minutes. `show` receives each state. */
async function followReceipt(id, show) {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const receipt = await get(`/v1/ingest/${encodeURIComponent(id)}`);
    show(receipt);
    if (receipt.state !== 'received') return receipt;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}

function openReceipt(id) {
  byId('receipt').replaceChildren();
  byId('receipt-dialog').showModal();
  return fill(byId('receipt'), async () => receiptView(await get(`/v1/ingest/${encodeURIComponent(id)}`)));
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

/** Shows the receipt of a response under its form until the data is processed, then the log and the stored dumps. */
async function showReceipt(response, target) {
  const id = response.headers.get(INGEST_ID);
  if (id !== null) await followReceipt(id, (receipt) => byId(target).replaceChildren(...receiptView(receipt)));
  await Promise.all([showLog(), showDumps()]);
}

const bar = byId('upload-progress');

function showProgress(share) {
  bar.value = share;
  byId('upload-state').textContent = share < 1 ? `${Math.floor(share * 100)} % sent` : 'Sent. The service reads the file…';
}

wireForm(
  byId('upload-form'),
  async (_method, path, file) => {
    byId('upload-receipt').replaceChildren();
    bar.hidden = false;
    showProgress(0);
    try {
      const response = await sendFile(path, file, showProgress);
      await showReceipt(response, 'upload-receipt');
      await read(response);
    } finally {
      bar.hidden = true;
      byId('upload-state').textContent = '';
    }
  },
  {
    prepare({ method, body: { target, at, any_age: anyAge } }) {
      const [file] = byId('upload-file').files;
      if (!file) throw new Error('Select a file.');
      const query = new URLSearchParams();
      if (at !== undefined) query.set('timestamp', at);
      if (anyAge === 'true' && target.includes('leaderboards')) query.set('backfill', 'true');
      return { method, path: `${target}?${query}`, body: file };
    },
    done: () => announce('The file was received. See its receipt.'),
  },
);

wireForm(
  byId('replay-form'),
  async (method, path, body) => {
    const response = await callRaw(method, path, body);
    await showReceipt(response, 'replay-result');
    return read(response);
  },
  {
    prepare({ method, body: { endpoint, body } }) {
      if (!INSERT.test(endpoint)) throw new Error('The path must start with /v1/ and end with /insert.');
      try {
        return { method, path: endpoint, body: JSON.parse(body) };
      } catch {
        throw new Error('The body must be JSON.');
      }
    },
    done: () => announce('The insert was accepted.'),
  },
);

const wanted = new URLSearchParams(location.search);
if (wanted.get('success') === 'false') byId('success').value = 'false';
if (wanted.has('receipt')) void openReceipt(wanted.get('receipt'));
byId('only').addEventListener('input', debounced(showLog));
byId('success').addEventListener('change', showLog);
byId('filter').addEventListener('submit', (event) => event.preventDefault());
await Promise.all([showLog(), showDumps()]);
// The dumps appear with the log above them, which avoids a layout shift.
byId('dumps-section').hidden = false;
