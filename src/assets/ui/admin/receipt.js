/** The receipt of an insert: its numbers of records, and the invalid ones with their lines. */
import { get } from '../api.js';
import { facts, h, number, sentence, table, time } from '../dom.js';

const POLL_MS = 1500;
const MAX_POLLS = 80;

const STATES = { received: ['being processed', 'warn'], accepted: ['accepted', 'good'], rejected: ['rejected', 'bad'] };

export function stateBadge(state) {
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
export function receiptView(receipt) {
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
export async function followReceipt(id, show) {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const receipt = await get(`/v1/ingest/${encodeURIComponent(id)}`);
    show(receipt);
    if (receipt.state !== 'received') return receipt;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}
