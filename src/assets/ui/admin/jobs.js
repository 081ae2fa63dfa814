/** The background jobs. */
import { call, get } from '../api.js';
import { announce, button, byId, fill, h, number, sentence, table, time } from '../dom.js';
import '../portal.js';

/** State of a job with its badge. An idle job is `bad` if its last run failed or no run succeeded. */
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
  announce(`${name} started.`);
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
    value: ({ name, schedule }) => h('span', {}, h('code', {}, name), h('br'), h('span', { className: 'hint' }, scheduleText(schedule))),
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

/** Replaces the seconds in a schedule with the largest suitable unit. */
const scheduleText = (schedule) =>
  schedule.replace(/every (\d+) s/, (_, text) => {
    const seconds = Number(text);
    if (seconds % 86_400 === 0) return seconds === 86_400 ? 'daily' : `every ${seconds / 86_400} days`;
    if (seconds % 3600 === 0) return seconds === 3600 ? 'hourly' : `every ${seconds / 3600} h`;
    if (seconds % 60 === 0) return seconds === 60 ? 'every minute' : `every ${seconds / 60} min`;
    return `every ${seconds} s`;
  });

const isFailing = (job) => stateOf(job).kind === 'bad';

/** Lists the jobs, failing ones first. */
const show = () =>
  fill(byId('jobs'), async () => {
    const { items } = await get('/admin/jobs');
    const failing = items.filter(isFailing);
    const summary = failing.length === 0 ? 'No failing jobs.' : `${failing.length} of ${items.length} jobs are failing.`;
    return [h('p', { className: 'hint' }, summary), table('Jobs', columns, [...failing, ...items.filter((job) => !isFailing(job))])];
  });

await show();
