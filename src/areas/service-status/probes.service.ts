import { logError } from '../../platform/logging.ts';
import type { JobStatus } from '../../platform/schedule/scheduler.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { UpstreamState } from '../../platform/upstream/upstream-states.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { ALARM_SLACK_SECONDS, PROBE_TIMEOUT_MS } from './status.data.ts';
import { type Check, type Snapshot, worst } from './status.domain.ts';
import { jobItems, jobsCheck, upstreamItems, upstreamsCheck } from './work.domain.ts';

const PROBE_KEY = 'service-status-probe';
/** Name, limit and window of the counter that the probe of Durable Objects counts in. */
const PROBE_COUNTER = { name: 'service-status-probe', limit: 1_000_000, windowSeconds: 60 };

/** The heartbeat of the event stream. */
export interface Heartbeat {
  /** Seconds since the alarm should have fired; 0 while it is set for later. Null: no alarm is set. */
  overdueSeconds: number | null;
  /** Shards that have not confirmed the newest event. */
  behind: number;
}

export interface ProbesDeps {
  env: Pick<Env, 'DB' | 'CACHE' | 'OUTBOX' | 'BOARDS' | 'ARCHIVE' | 'RATE_LIMITS'>;
  heartbeat(now: UnixSeconds): Promise<Heartbeat>;
  jobs(now: UnixSeconds): Promise<JobStatus[]>;
  upstreams(): Promise<UpstreamState[]>;
}

const GREEN: Check = { state: 'green', detail: null };

/** Asks every part once, side by side, each within its time. Never throws. */
export async function createSnapshot({ env, heartbeat, jobs, upstreams }: ProbesDeps, now: UnixSeconds): Promise<Snapshot> {
  const [database, cache, files, objects, stream, work] = await Promise.all([
    probe('database', async () => {
      await env.DB.prepare('SELECT 1').first();
      return GREEN;
    }),
    probe('cache', async () => {
      await env.CACHE.put(PROBE_KEY, String(now));
      await env.CACHE.get(PROBE_KEY);
      return GREEN;
    }),
    Promise.all(
      [env.OUTBOX, env.BOARDS, env.ARCHIVE].map((bucket) =>
        probe('files', async () => {
          await bucket.head(PROBE_KEY);
          return GREEN;
        }),
      ),
    ).then(merged),
    probe('objects', async () => {
      const { name, limit, windowSeconds } = PROBE_COUNTER;
      await env.RATE_LIMITS.getByName(name).take(limit, windowSeconds, now);
      return GREEN;
    }),
    probe('stream', async () => streamCheck(await heartbeat(now))),
    workOf({ jobs, upstreams }, now),
  ]);
  // Who writes this runs, and the store says itself whether it took it.
  return { checkedAt: now, ...work, parts: { scheduler: GREEN, store: GREEN, database, cache, files, objects, stream, ...work.parts } };
}

async function probe(what: string, work: () => Promise<Check>): Promise<Check> {
  try {
    return await withTimeout(work(), PROBE_TIMEOUT_MS, what);
  } catch (error) {
    logError('a probe of the service status failed', error, { what });
    return { state: 'red', detail: 'the probe failed or took too long' };
  }
}

function merged(checks: readonly Check[]): Check {
  const state = worst(checks.map((check) => check.state));
  return checks.find((check) => check.state === state) ?? GREEN;
}

function streamCheck({ overdueSeconds, behind }: Heartbeat): Check {
  if (overdueSeconds === null) return { state: 'red', detail: 'the stream does not watch its sources' };
  if (overdueSeconds > ALARM_SLACK_SECONDS) return { state: 'red', detail: `the stream missed its alarm by ${overdueSeconds} s` };
  return behind > 0 ? { state: 'degraded', detail: `${behind} shards are behind` } : GREEN;
}

/** Jobs and outside services, whose state is in the database: without it no job runs either. */
async function workOf({ jobs, upstreams }: Pick<ProbesDeps, 'jobs' | 'upstreams'>, now: UnixSeconds) {
  try {
    const [listed, states] = await withTimeout(Promise.all([jobs(now), upstreams()]), PROBE_TIMEOUT_MS, 'jobs');
    const items = jobItems(listed, now);
    const sources = upstreamItems(listed, states);
    return { jobs: items, upstreams: sources, parts: { jobs: jobsCheck(listed, items), upstreams: upstreamsCheck(sources) } };
  } catch (error) {
    logError('the state of the jobs could not be read', error);
    const unread: Check = { state: 'red', detail: 'their state could not be read: the database did not answer' };
    return { jobs: [], upstreams: [], parts: { jobs: unread, upstreams: unread } };
  }
}
