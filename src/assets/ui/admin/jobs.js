/** The background jobs. */
import { call, get } from '../api.js';
import { announce, button, byId, fill, h, number, sentence, table, time } from '../dom.js';
import '../portal.js';

/** State of a job. An idle job is bad when its last run failed and when it never succeeded. */
function stateOf({ state, last_run_at: ranAt, last_success_at: succeededAt, last_error: error }) {
  if (state !== 'idle') return { text: state, kind: state === 'running' ? 'warn' : '' };
  if (ranAt === null) return { text: 'not run yet', kind: '' };
  if (succeededAt === null) return { text: 'never succeeded', kind: 'bad' };
  return error === null ? { text: 'idle', kind: 'good' } : { text: 'last run failed', kind: 'bad' };
}

const badgeOf = (job) => {
  const { text, kind } = stateOf(job);
  return h('span', { className: `badge ${kind}` }, text);
};

async function run({ name }) {
  await call('POST', `/admin/jobs/${encodeURIComponent(name)}/run`);
  announce(`${name} runs.`);
  await show();
}

/** Time and duration of the last run, and the last success if it was another run. */
function lastRunOf(job) {
  if (job.last_run_at === null) return 'never';
  const error = job.last_error === null ? [] : [h('p', { className: 'error' }, sentence(job.last_error))];
  const took = job.duration_ms === null ? '' : `, ${number(job.duration_ms)} ms`;
  const success =
    job.last_success_at === job.last_run_at || job.last_success_at === null ? [] : [h('br'), 'last success: ', time(job.last_success_at)];
  return h('span', {}, time(job.last_run_at), took, ...success, ...error);
}

const columns = [
  {
    title: 'Job',
    kind: 'wide',
    value: ({ name, schedule }) => h('span', {}, h('code', {}, name), h('br'), h('span', { className: 'hint' }, readable(schedule))),
  },
  { title: 'State', value: badgeOf },
  { title: 'Last run', kind: 'wide', value: lastRunOf },
  { title: 'Next', value: (job) => time(job.next_run_at, '') },
  {
    title: 'Actions',
    value: (job) =>
      h(
        'div',
        { className: 'actions small' },
        button('Run now', () => run(job)),
      ),
  },
];

/** The interval of a schedule as text. */
const readable = (schedule) =>
  schedule.replace(/every (\d+) s/, (_, text) => {
    const seconds = Number(text);
    if (seconds % 86_400 === 0) return seconds === 86_400 ? 'daily' : `every ${seconds / 86_400} days`;
    if (seconds % 3600 === 0) return seconds === 3600 ? 'hourly' : `every ${seconds / 3600} h`;
    if (seconds % 60 === 0) return seconds === 60 ? 'every minute' : `every ${seconds / 60} min`;
    return `every ${seconds} s`;
  });

const needsLook = (job) => stateOf(job).kind === 'bad';

/** Failing jobs first. */
const show = () =>
  fill(byId('jobs'), async () => {
    const { items } = await get('/admin/jobs');
    const failing = items.filter(needsLook);
    const said = failing.length === 0 ? 'No failing jobs.' : `${failing.length} of ${items.length} jobs are failing.`;
    return [h('p', { className: 'hint' }, said), table('Jobs', columns, [...failing, ...items.filter((job) => !needsLook(job))])];
  });

await show();
