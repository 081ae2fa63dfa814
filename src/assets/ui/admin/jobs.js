/** The background jobs. */
import { call, get } from '../api.js';
import { announce, button, byId, fill, h, number, sentence, table, time } from '../dom.js';
import '../portal.js';
import { HEALTHS, isBad, jobsSentence } from './job-texts.js';

/** Badge of the health of a job, and the duration of its last run. */
function stateOf({ health, state, duration_ms: duration }) {
  const [text, kind] = health === 'off' ? [state, ''] : HEALTHS[health];
  const notes = [state === 'running' ? 'running' : '', duration === null ? '' : `${number(duration)} ms`].filter(Boolean);
  return h('div', {}, h('span', { className: `badge ${kind}` }, text), h('div', { className: 'hint' }, notes.join(', ')));
}

async function run({ name }) {
  await call('POST', `/admin/jobs/${encodeURIComponent(name)}/run`);
  announce(`${name} started.`);
  await show();
}

/** The last run, the last success if it was another run, the error, and the next run. */
function runsOf(job) {
  const line = (...content) => h('div', {}, ...content);
  const last = line(time(job.last_run_at));
  const hasOtherSuccess = job.last_success_at !== null && job.last_success_at !== job.last_run_at;
  const success = hasOtherSuccess ? [line('last success: ', time(job.last_success_at))] : [];
  const next = job.next_run_at === null ? [] : [h('div', { className: 'hint one-line' }, 'next: ', time(job.next_run_at))];
  // The error of a disabled job is not a problem.
  const error = job.last_error === null ? [] : [h('p', { className: job.health === 'off' ? 'hint' : 'error' }, sentence(job.last_error))];
  return h('div', {}, last, ...success, ...error, ...next);
}

const columns = [
  {
    title: 'Job',
    kind: 'wide',
    value: ({ name, schedule }) => h('span', {}, h('code', {}, name), h('br'), h('span', { className: 'hint' }, scheduleText(schedule))),
  },
  { title: 'State', value: stateOf },
  { title: 'Last run', kind: 'wide', value: runsOf },
  {
    title: 'Actions',
    value: (job) =>
      h(
        'div',
        { className: 'actions small one-line' },
        button('Run now', () => run(job)),
        button('History', () => openHistory(job)),
      ),
  },
];

/** Replaces the seconds in a schedule with the largest suitable unit. */
const scheduleText = (schedule) =>
  schedule.replace(/every (\d+) s/, (_, text) => {
    const seconds = Number(text);
    if (seconds % 86_400 === 0) return seconds === 86_400 ? 'daily' : `every ${seconds / 86_400} days`;
    if (seconds % 3600 === 0) return seconds === 3600 ? 'hourly' : `every ${seconds / 3600} h`;
    if (seconds % 60 === 0) return seconds === 60 ? 'every minute' : `every ${seconds / 60} min`;
    return `every ${seconds} s`;
  });

const episodeColumns = [
  { title: 'From', value: ({ from }) => time(from) },
  { title: 'To', value: ({ to }) => time(to) },
  { title: 'Runs', kind: 'number', value: ({ runs }) => number(runs) },
  { title: 'Longest', kind: 'number', value: ({ max_duration_ms: most }) => (most === null ? '' : `${number(most)} ms`) },
  {
    title: 'Result',
    kind: 'wide',
    value: ({ error }) => (error === null ? h('span', { className: 'badge good' }, 'ok') : h('p', { className: 'error' }, sentence(error))),
  },
];

function openHistory({ name }) {
  byId('job-dialog-title').textContent = name;
  byId('job').replaceChildren();
  byId('job-dialog').showModal();
  return fill(byId('job'), async () => {
    const { history } = await get(`/admin/jobs/${encodeURIComponent(name)}`);
    return [
      h('p', { className: 'hint' }, 'Consecutive runs with the same result, newest first.'),
      table('Earlier runs', episodeColumns, history, 'This job has not run yet.'),
    ];
  });
}

/** Lists the jobs, failing and late ones first. */
const show = () =>
  fill(byId('jobs'), async () => {
    const { items } = await get('/admin/jobs');
    const rows = [...items.filter(isBad), ...items.filter((job) => !isBad(job))];
    return [h('p', { className: items.some(isBad) ? 'error' : 'hint' }, jobsSentence(items)), table('Jobs', columns, rows)];
  });

await show();
