import type { D1Database } from '@cloudflare/workers-types';
import { openLocalState } from '../../scripts/lib/dev/local-state.ts';
import { storeSettings } from '../../scripts/lib/dev/stored-settings.ts';
import { gameAuthUpstream } from '../support/upstreams/game-auth.ts';
import { gameSocketsUpstream } from '../support/upstreams/game-sockets.ts';

const MINUTE = 60;
/** Minutes from the start of an outage to the start of the next one, and those of an outage. */
const CYCLE = 6;
const DOWN = 5;
/** Minutes that the webhooks wait. The outages are shorter than the last one. */
export const OUTAGE_LIMITS: readonly number[] = [2, 3, 30];
/** Number of outages in a round that is not killed. */
const OUTAGES = 3;
const JOB_TIMEOUT_MS = 10_000;
const POLL_MS = 20;

/** A running server, and the session of a superuser. */
interface Signed {
  url: string;
  session: string;
}

/**
 * A game server that is down for five of six minutes. A round of probes runs for each minute and is repeated after a kill, so that an
 * outage lasts across kills. `firstProbe` is later than the clock of the runtime, whose own rounds then count as older and are discarded.
 */
export async function startOutages(state: string, firstProbe: number) {
  const sockets = await gameSocketsUpstream.start(0);
  const auth = await gameAuthUpstream.start(0);
  const settings = {
    ...sockets.settings,
    ...auth.settings,
    game_status_probe_attempts: 1,
    game_status_probe_retry_delay_seconds: 0,
  };
  await withState(state, (binding) => storeSettings(binding, Object.keys(settings), Object.entries(settings)));
  let minute = 0;

  async function probe(server: Signed): Promise<boolean> {
    const eu = minute % CYCLE < DOWN ? 'refused' : 'floods';
    await fetch(`${sockets.url}/control`, { method: 'PUT', body: JSON.stringify({ state: { eu, us: 'floods', pts: 'floods' } }) });
    return runJob(server, 'game-status', firstProbe + minute * MINUTE);
  }

  return {
    /** Runs rounds of probes until the server is killed, or until a few outages have ended. */
    async run(server: Signed): Promise<void> {
      const last = (Math.floor(minute / CYCLE) + OUTAGES) * CYCLE;
      while (minute < last && (await probe(server))) minute += 1;
    },

    /** Ends the leases of interrupted jobs, which otherwise last for the timeout of the job: eleven minutes for the probes. */
    endLeases: () => withState(state, (binding) => binding.prepare('UPDATE job_runs SET lease_until = NULL').run()),

    /** Starts of the outages that have ended. */
    ended: () => Array.from({ length: Math.floor(minute / CYCLE) }, (_, at) => firstProbe + at * CYCLE * MINUTE),
    /** Queues outages that a kill left in the outbox. */
    queue: (server: Signed) => runJob(server, 'game-status-outages', firstProbe + minute * MINUTE),
    /** Time of the next round of probes. */
    now: () => firstProbe + minute * MINUTE,

    async stop(): Promise<void> {
      await Promise.all([sockets.stop(), auth.stop()]);
    },
  };
}

async function withState(state: string, work: (binding: D1Database) => Promise<unknown>): Promise<void> {
  const opened = await openLocalState(state);
  await work(opened.binding);
  await opened.dispose();
}

/** Starts a job at a time and waits for its end. False when the server was killed meanwhile. */
async function runJob({ url, session }: Signed, name: string, now: number): Promise<boolean> {
  const headers = { Authorization: `Bearer ${session}`, 'X-Test-Now': String(now) };
  const until = Date.now() + JOB_TIMEOUT_MS;
  try {
    await fetch(`${url}/admin/jobs/${name}/run`, { method: 'POST', headers });
    while (Date.now() < until) {
      const response = await fetch(`${url}/admin/jobs/${name}`, { headers });
      const job = (await response.json()) as { last_success_at: string | null; state: string };
      if (job.state !== 'running' && Date.parse(job.last_success_at ?? '') === now * 1000) return true;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return false;
  } catch {
    return false;
  }
}
