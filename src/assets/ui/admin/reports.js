/** The queue of reports, and the decided ones. */
import { call, get } from '../api.js';
import { announce, button, byId, email, fill, h, number, table, time } from '../dom.js';
import { wireForm } from '../form.js';
import '../portal.js';

const PAGE_SIZE = 50;
let reports = [];
/** Report of the open dialog. */
let chosen = null;

function openDecision(report) {
  chosen = report;
  byId('decide-note-about').textContent = `${report.page}: ${report.reason}`;
  byId('decide-dialog').showModal();
}

const common = [
  { title: 'Page', kind: 'wide', value: ({ page }) => h('a', { href: page }, page) },
  { title: 'Reason', value: ({ reason }) => reason },
  { title: 'Report', kind: 'wide', value: ({ message }) => message },
];
const openColumns = [
  ...common,
  { title: 'From', value: (report) => (report.reporter_email === null ? 'visitor' : email(report.reporter_email)) },
  { title: 'Sent', value: (report) => time(report.created_at) },
  { title: 'Actions', value: (report) => button('Close', () => openDecision(report)) },
];
const decidedColumns = [
  ...common,
  { title: 'Decision', value: ({ decision }) => decision },
  { title: 'Note', kind: 'wide', value: (report) => report.decision_note ?? '' },
  { title: 'By', value: (report) => h('code', {}, report.decided_by) },
  { title: 'Decided', value: (report) => time(report.decided_at) },
];

async function readPage(isNewest) {
  const state = byId('state').value;
  const { items, open } = await get(`/admin/reports?state=${state}&limit=${PAGE_SIZE}&offset=${reports.length}`);
  if (!isNewest()) return [];
  reports.push(...items);
  byId('more').hidden = items.length < PAGE_SIZE;
  const columns = state === 'open' ? openColumns : decidedColumns;
  return [h('p', { className: 'hint' }, `${number(open)} open`), table('Reports', columns, reports, 'No reports in this list.')];
}

function show() {
  reports = [];
  byId('more').hidden = true;
  return fill(byId('reports'), readPage);
}

wireForm(byId('decide-form'), call, {
  prepare: (request) => ({ ...request, path: request.path.replace('{report}', `/admin/reports/${encodeURIComponent(chosen.id)}`) }),
  async done() {
    byId('decide-dialog').close();
    byId('decide-form').reset();
    announce('Report closed.');
    await show();
  },
});
byId('more').addEventListener('click', () => fill(byId('reports'), readPage));
byId('state').addEventListener('change', show);
byId('filter').addEventListener('submit', (event) => event.preventDefault());
await show();
