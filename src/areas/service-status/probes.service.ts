import { healthOf } from '../../platform/durable/schedule/job-health.domain.ts';
import type { JobStatus } from '../../platform/durable/schedule/scheduler.ts';
import { logError } from '../../platform/kit/logging.ts';
import { withTimeout } from '../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { UpstreamState } from '../../platform/upstream/upstream-states.ts';
import { sizeCheck } from './database-size.domain.ts';
import { ALARM_SLACK_SECONDS, PROBE_TIMEOUT_MS } from './status.data.ts';
import {
  type Check,
  type Durations,
  type JobItem,
  type Snapshot,
  type State,
  type TimedPart,
  type UpstreamItem,
  worst,
} from './status.domain.ts';

const PROBE_KEY = 'service-status-probe';
/** Rate limit counter that the Durable Object probe uses. */
const PROBE_COUNTER = { name: 'service-status-probe', limit: 1_000_000, windowSeconds: 60 };

interface Heartbeat {
  /** Seconds since the alarm was due; 0: due later; null: no alarm is set. */
  overdueSeconds: number | null;
  /** Shards that have not confirmed the newest event. */
  behind: number;
}

interface ProbesDeps {
  env: Pick<Env, 'DB' | 'CACHE' | 'OUTBOX' | 'BOARDS' | 'ARCHIVE' | 'RATE_LIMITS'>;
  heartbeat(now: UnixSeconds): Promise<Heartbeat>;
  jobs(now: UnixSeconds): Promise<JobStatus[]>;
  upstreams(): Promise<UpstreamState[]>;
  /** Milliseconds of a monotonic clock. */
  clock?(): number;
}

const GREEN: Check = { state: 'green', detail: null };
const NO_RESPONSE: Check = { state: 'red', detail: 'the probe failed or timed out' };

/** Probes all parts concurrently, each with a timeout. Never throws. */
export async function createSnapshot(
  { env, heartbeat, jobs, upstreams, clock = () => performance.now() }: ProbesDeps,
  now: UnixSeconds,
): Promise<Snapshot> {
  const durationsMs: Durations = {};
  let databaseBytes: number | undefined;
  const timed = async (part: TimedPart, work: () => Promise<Check>): Promise<Check> => {
    const start = clock();
    const check = await probe(part, work);
    if (check !== NO_RESPONSE) durationsMs[part] = Math.max(durationsMs[part] ?? 0, Math.round(clock() - start));
    return check;
  };
  const [database, cache, files, objects, stream, work] = await Promise.all([
    timed('database', async () => {
      const { meta } = await env.DB.prepare('SELECT 1').run();
      databaseBytes = meta.size_after;
      return sizeCheck(databaseBytes);
    }),
    timed('cache', async () => {
      await env.CACHE.put(PROBE_KEY, String(now));
      await env.CACHE.get(PROBE_KEY);
      return GREEN;
    }),
    Promise.all(
      [env.OUTBOX, env.BOARDS, env.ARCHIVE].map((bucket) =>
        timed('files', async () => {
          await bucket.head(PROBE_KEY);
          return GREEN;
        }),
      ),
    ).then(mergeChecks),
    timed('objects', async () => {
      const { name, limit, windowSeconds } = PROBE_COUNTER;
      await env.RATE_LIMITS.getByName(name).consume(limit, windowSeconds, now);
      return GREEN;
    }),
    timed('stream', async () => streamCheck(await heartbeat(now))),
    createWorkChecks({ jobs, upstreams }, now),
  ]);
  // A running check implies a running scheduler. The store sets its own state on write.
  const parts = { scheduler: GREEN, store: GREEN, database, cache, files, objects, stream, ...work.parts };
  return { checkedAt: now, ...work, parts, durationsMs, ...(databaseBytes !== undefined && { databaseBytes }) };
}

async function probe(what: string, work: () => Promise<Check>): Promise<Check> {
  try {
    return await withTimeout(work(), PROBE_TIMEOUT_MS, what);
  } catch (error) {
    logError('status probe failed', error, { what });
    return NO_RESPONSE;
  }
}

function mergeChecks(checks: readonly Check[]): Check {
  const state = worst(checks.map((check) => check.state));
  return checks.find((check) => check.state === state) ?? GREEN;
}

function streamCheck({ overdueSeconds, behind }: Heartbeat): Check {
  if (overdueSeconds === null) return { state: 'red', detail: 'the stream has no alarm set' };
  if (overdueSeconds > ALARM_SLACK_SECONDS) return { state: 'red', detail: `the stream missed its alarm by ${overdueSeconds} s` };
  return behind > 0 ? { state: 'degraded', detail: `${behind} shards are behind` } : GREEN;
}

/** State of jobs and external services. Red without the database, because no job runs then. */
async function createWorkChecks({ jobs, upstreams }: Pick<ProbesDeps, 'jobs' | 'upstreams'>, now: UnixSeconds) {
  try {
    const [jobStatuses, states] = await withTimeout(Promise.all([jobs(now), upstreams()]), PROBE_TIMEOUT_MS, 'jobs');
    const items = jobItems(jobStatuses, now);
    const sources = upstreamItems(jobStatuses, states);
    return { jobs: items, upstreams: sources, parts: { jobs: jobsCheck(jobStatuses, items, now), upstreams: upstreamsCheck(sources) } };
  } catch (error) {
    logError('job state could not be read', error);
    const unknown: Check = { state: 'red', detail: 'state unknown: the database did not respond' };
    return { jobs: [], upstreams: [], parts: { jobs: unknown, upstreams: unknown } };
  }
}

/** Enabled jobs with their states. */
function jobItems(jobs: readonly JobStatus[], now: UnixSeconds): JobItem[] {
  return enabled(jobs).map((job) => ({
    name: job.name,
    state: jobState(job, now),
    lastRunAt: job.lastRunAt,
    lastSuccessAt: job.lastSuccessAt,
    failures: job.failures,
    nextRunAt: job.nextRunAt,
  }));
}

function jobState(job: JobStatus, now: UnixSeconds): State {
  const health = healthOf(job, now);
  if (health === 'waiting') return 'unknown';
  return health === 'ok' ? 'green' : 'red';
}

/** Combined state of all jobs. Failing upstream jobs only degrade it, because their sources are already red. */
function jobsCheck(jobs: readonly JobStatus[], items: readonly JobItem[], now: UnixSeconds): Check {
  const upstreamJobs = new Set(jobs.filter(({ sources }) => sources.length > 0).map(({ name }) => name));
  const failing = items.filter(({ state }) => state === 'red');
  const internal = failing.filter(({ name }) => !upstreamJobs.has(name));
  const waiting = jobs.filter((job) => !job.isConditional && healthOf(job, now) === 'waiting');
  if (internal.length > 0) return { state: 'red', detail: `failing or late: ${names(internal)}` };
  if (failing.length > 0) return { state: 'degraded', detail: `backing off from external services: ${names(failing)}` };
  // Jobs that have not run yet are unknown, not failed.
  if (waiting.length > 0) return { state: 'green', detail: `not yet run: ${names(waiting)}` };
  return { state: 'green', detail: null };
}

/** Sources of enabled jobs. */
function upstreamItems(jobs: readonly JobStatus[], states: readonly UpstreamState[]): UpstreamItem[] {
  const stateBySource = new Map(states.map((state) => [state.source, state]));
  return enabled(jobs)
    .flatMap((job) => job.sources.map((source) => ({ source, job })))
    .map(({ source, job }) => {
      const state = stateBySource.get(source);
      const failures = state?.failures ?? 0;
      const nextTryAt = failures > 0 ? Math.max(job.nextRunAt ?? 0, state?.pausedUntil ?? 0) || null : null;
      const itemState: State = failures > 0 ? 'red' : state?.lastSuccessAt == null ? 'unknown' : 'green';
      return { name: source, state: itemState, lastSuccessAt: state?.lastSuccessAt ?? null, failures, nextTryAt };
    });
}

function upstreamsCheck(items: readonly UpstreamItem[]): Check {
  const failing = items.filter(({ state }) => state === 'red');
  return failing.length === 0 ? { state: 'green', detail: null } : { state: 'red', detail: `failing: ${names(failing)}` };
}

function enabled(jobs: readonly JobStatus[]): JobStatus[] {
  return jobs.filter(({ state }) => state !== 'disabled' && state !== 'unconfigured');
}

/** At most five names. */
function names(items: readonly { name: string }[]): string {
  const listed = items.slice(0, 5).map(({ name }) => name);
  return items.length > listed.length ? `${listed.join(', ')} and ${items.length - listed.length} more` : listed.join(', ');
}
