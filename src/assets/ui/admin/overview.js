/** The first page of a superuser: what is wrong, then figures. */
import { get } from '../api.js';
import { milliseconds, SAMPLE_HINT, trafficCharts } from '../charts.js';
import { busy, byId, fill, h, number, sizeText, table, time } from '../dom.js';
import '../portal.js';

const HOUR_MS = 3_600_000;
/** A nightly backup is late after this time. */
const BACKUP_LATE_MS = 26 * HOUR_MS;
/** Refused sign-ins of a day that need no attention, and the growth that does. */
const FEW_REFUSALS = 10;
const REFUSALS_GROWTH = 3;

/** A tile: what is checked, the figure, and a note. `kind`: `good`, `warn`, `bad`, or empty. */
function tile({ label, value, note, kind = '', href }) {
  const title = href ? h('a', { href }, label) : label;
  return h('li', { className: `card ${kind}` }, h('h2', {}, title), h('b', {}, value), h('p', { className: 'hint' }, note));
}

const MAX_NAMED_JOBS = 3;

function jobsTile({ total, failing, late, waiting, items }) {
  const link = { label: 'Jobs', href: '/portal/admin/jobs' };
  if (failing + late === 0) {
    return { ...link, value: 'none failing', note: `${total} jobs${waiting > 0 ? `, ${waiting} not run yet` : ''}.`, kind: 'good' };
  }
  const value = [failing > 0 ? `${failing} failing` : '', late > 0 ? `${late} late` : ''].filter(Boolean).join(', ');
  const names = items.slice(0, MAX_NAMED_JOBS).map(({ name }) => name);
  const more = failing + late - names.length;
  return { ...link, value, note: `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`, kind: 'bad' };
}

function insertsTile({ accepted, rejected, received, with_problems: partly }) {
  const parts = [`${number(accepted)} accepted`, ...(partly > 0 ? [`${number(partly)} of them with rejected lines`] : [])];
  if (received > 0) parts.push(`${number(received)} being processed`);
  return {
    label: 'Inserts, 24 hours',
    value: rejected === 0 ? 'none rejected' : `${number(rejected)} rejected`,
    note: `${parts.join(', ')}.`,
    kind: rejected > 0 ? 'bad' : partly > 0 ? 'warn' : 'good',
    href: rejected > 0 ? '/portal/admin/ingest?success=false' : '/portal/admin/ingest',
  };
}

function signInsTile({ refused, refused_before: before }) {
  const isUnusual = refused > FEW_REFUSALS && refused > REFUSALS_GROWTH * before;
  return {
    label: 'Sign-ins, 24 hours',
    value: refused === 0 ? 'none refused' : `${number(refused)} refused`,
    note: `${before === 0 ? 'None' : number(before)} the day before.`,
    kind: isUnusual ? 'warn' : 'good',
    href: refused > 0 ? '#refused-sign-ins' : undefined,
  };
}

function backupTile(backup) {
  const label = 'Last backup';
  if (!backup) return { label, value: 'no backup yet', note: 'The database exists once.', kind: 'warn' };
  const isLate = Date.now() - Date.parse(backup.finished_at) > BACKUP_LATE_MS;
  return {
    label,
    value: time(backup.finished_at),
    note: `${number(backup.rows)} rows, ${sizeText(backup.bytes)}.`,
    kind: isLate ? 'bad' : 'good',
  };
}

function streamsTile({ open, capacity, unreachable }) {
  const isFull = open > 0.9 * capacity;
  const lost = unreachable > 0 ? `, ${unreachable} shards do not respond` : '';
  const kind = unreachable > 0 ? 'bad' : isFull ? 'warn' : 'good';
  return { label: 'Event streams', value: `${number(open)} open`, note: `Room for ${number(capacity)}${lost}.`, kind };
}

function growthText(growth) {
  if (growth === null || growth.bytes_per_day === null) return '';
  const until = growth.full_at === null ? '' : `, full on ${growth.full_at.slice(0, 10)}`;
  return ` of ${sizeText(growth.limit_bytes)}, ${sizeText(Math.max(0, growth.bytes_per_day))} a day${until}`;
}

function storageTile({ database_bytes: database, growth, stores }) {
  const files = stores.reduce((sum, { bytes }) => sum + bytes, 0);
  const measured = stores.length === 0 ? 'No files measured yet.' : `${sizeText(files)} of files in ${stores.length} buckets.`;
  return {
    label: 'Storage',
    value: database === null ? 'unknown' : sizeText(database),
    note: `Database${growthText(growth)}. ${measured}`,
    href: '#storage',
    ...(growth?.is_alarm && { kind: 'bad' }),
  };
}

const dollars = (amount) => `$${amount.toFixed(2)}`;
const ESTIMATE_NOTES = { analytics: '', partly: ', partly an estimate', estimate: ', an estimate' };

function billTile(bill) {
  const label = 'Bill of the month';
  if (!bill) return { label, value: 'not computed yet', note: 'The job bill computes it every hour.' };
  const { today, month, forecast, daily_alarm: limit, is_alarm: isAlarm, source, problem } = bill;
  const todayText = `today ${dollars(today)}${limit > 0 ? ` of ${dollars(limit)}` : ''}`;
  return {
    label,
    value: `${dollars(forecast)} expected`,
    note: `${dollars(month)} up to now, ${todayText}${ESTIMATE_NOTES[source] ?? ''}.`,
    kind: isAlarm ? 'bad' : problem !== null ? 'warn' : '',
    href: '#bill',
  };
}

function requestsTile({ with_token: tokens, without_token: others }) {
  const errors = `${number(tokens.error_count)} errors, ${number(tokens.rate_limited)} of them 429`;
  return {
    label: 'Requests, 48 hours',
    value: number(tokens.count),
    note: `With a token: ${errors}. About ${number(others.count)} without.`,
    href: '/portal/admin/usage',
  };
}

function durationTile({ with_token: tokens, without_token: others }) {
  const note = `Median ${milliseconds(tokens.p50_ms)}. Without a token about ${milliseconds(others.p95_ms)}, median ${milliseconds(others.p50_ms)}.`;
  return { label: 'p95 with a token', value: milliseconds(tokens.p95_ms), note };
}

const jobColumns = [
  { title: 'Job', value: ({ name }) => h('code', {}, name) },
  {
    title: 'State',
    value: ({ health, failures }) =>
      h('span', {}, h('span', { className: 'badge bad' }, health), failures > 1 ? ` ${number(failures)} times` : ''),
  },
  { title: 'Error', kind: 'wide', value: ({ last_error: error }) => error ?? 'a run is overdue' },
  { title: 'Last success', value: (job) => time(job.last_success_at) },
];

const insertColumns = [
  { title: 'Time', value: ({ timestamp }) => time(timestamp) },
  { title: 'Insert', value: ({ endpoint }) => h('code', {}, endpoint) },
  { title: 'Reason', kind: 'wide', value: ({ error }) => error ?? 'unknown' },
  { title: 'Account', kind: 'wide', value: (entry) => entry.user_email ?? 'the service or a deleted account' },
  {
    title: 'Receipt',
    value: ({ receipt_id: id }) =>
      id === null ? '' : h('a', { href: `/portal/admin/ingest?receipt=${encodeURIComponent(id)}` }, 'Receipt'),
  },
];

const REASONS = {
  invalid_credentials: 'wrong password or code',
  account_locked: 'locked after too many attempts',
  device_unconfirmed: 'unknown device, confirmed by mail',
  email_unverified: 'email address not verified',
  captcha_failed: 'captcha failed',
  service_unavailable: 'a service did not respond',
};

const refusalColumns = [
  { title: 'Reason', kind: 'wide', value: ({ code }) => REASONS[code] ?? code.replaceAll('_', ' ') },
  { title: 'Sign-ins', kind: 'number', value: ({ count }) => number(count) },
];

const settingText = (value) => (value === null ? h('span', { className: 'hint' }, 'default') : h('code', {}, value));

const changeColumns = [
  { title: 'Time', value: (change) => time(change.changed_at) },
  { title: 'Setting', value: ({ key }) => h('code', {}, key) },
  {
    title: 'Before and after',
    kind: 'wide',
    value: (change) => h('span', {}, settingText(change.old_value), ' → ', settingText(change.new_value)),
  },
  { title: 'Account', kind: 'wide', value: (change) => change.user_email ?? 'deleted' },
];

const billColumns = [
  { title: 'Meter', kind: 'wide', value: ({ meter, is_estimate: isEstimate }) => (isEstimate ? `${meter} (estimate)` : meter) },
  { title: 'Up to now', kind: 'number', value: ({ amount }) => number(amount) },
  { title: 'By the end of the month', kind: 'number', value: (line) => dollars(line.dollars) },
];

const BILL_HINTS = {
  analytics: "Measured by the platform's analytics, for the whole account.",
  partly: "Measured by the platform's analytics for the whole account, except the lines marked as estimates.",
  estimate:
    "An estimate: the model of the documentation times the service's own counts of requests. With ANALYTICS_TOKEN the platform's figures are used.",
};

function billSection(bill) {
  if (!bill) return [];
  const { computed_at: computedAt, source, problem, yesterday, lines } = bill;
  const hint = [BILL_HINTS[source], problem === null ? '' : `${problem}.`, yesterday === null ? '' : `Yesterday: ${dollars(yesterday)}.`];
  const none = 'Nothing beyond the plan by the end of the month.';
  return [
    section(
      'Bill',
      h('p', { className: 'hint' }, `${hint.filter(Boolean).join(' ')} At list prices, as of `, time(computedAt), '.'),
      table('Bill', billColumns, lines, none),
    ),
  ];
}

const storeColumns = [
  { title: 'Bucket', value: ({ name }) => h('code', {}, name) },
  { title: 'Size', kind: 'number', value: ({ bytes }) => sizeText(bytes) },
  { title: 'Objects', kind: 'number', value: ({ objects }) => number(objects) },
  { title: 'Measured', value: (store) => time(store.measured_at) },
];

const section = (title, ...content) => h('section', { id: title.toLowerCase().replaceAll(' ', '-') }, h('h2', {}, title), ...content);
/** A section that is left out without rows. */
const onlyWith = (rows, title, ...content) => (rows.length === 0 ? [] : [section(title, ...content)]);

const show = () =>
  fill(byId('overview'), async () => {
    const { jobs, inserts, traffic, streams, storage, ...rest } = await get('/admin/overview');
    const { last_backup: backup, setting_changes: changes, sign_ins: signIns, bill } = rest;
    const tiles = [jobsTile(jobs), insertsTile(inserts), signInsTile(signIns), backupTile(backup), streamsTile(streams), billTile(bill)];
    const wrong = ['bad', 'warn'].flatMap((kind) => tiles.filter((one) => one.kind === kind));
    const names = wrong.map(({ label }) => label.split(',')[0]);
    const outcome = wrong.length === 0 ? 'Nothing needs attention.' : `Look at: ${names.join(', ')}.`;
    return [
      h(
        'p',
        {},
        h('strong', { className: `outcome ${wrong[0]?.kind ?? 'good'}` }, outcome),
        ' ',
        h('span', { className: 'hint' }, 'As of ', time(rest.checked_at), '.'),
      ),
      h('ul', { className: 'tiles' }, ...[...tiles, requestsTile(traffic), durationTile(traffic), storageTile(storage)].map(tile)),
      ...onlyWith(jobs.items, 'Failing jobs', table('Failing jobs', jobColumns, jobs.items)),
      ...onlyWith(inserts.latest_rejected, 'Rejected inserts', table('Rejected inserts', insertColumns, inserts.latest_rejected)),
      ...onlyWith(signIns.by_code, 'Refused sign-ins', table('Refused sign-ins', refusalColumns, signIns.by_code)),
      section('Requests', h('p', { className: 'hint' }, SAMPLE_HINT), ...trafficCharts(traffic, 2)),
      ...billSection(bill),
      section('Changed settings', table('Changed settings', changeColumns, changes, 'No setting was changed.')),
      section(
        'Storage',
        table('Storage', storeColumns, storage.stores, 'Not measured yet: the job storage-sizes measures the buckets once a day.'),
      ),
    ];
  });

byId('refresh').addEventListener('click', ({ currentTarget }) => busy(currentTarget, show));
await show();
