import { env } from 'cloudflare:workers';
import { clientappArea } from '../../../src/areas/clientapp/index.ts';
import { createJobsStore } from '../../../src/platform/durable/schedule/jobs.store.ts';
import { createScheduler } from '../../../src/platform/durable/schedule/scheduler.ts';
import { withDefaults } from '../../../src/platform/settings/variables.data.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createUpstreamClient } from '../../../src/platform/upstream/upstream-client.ts';
import { createUpstreamStates } from '../../../src/platform/upstream/upstream-states.store.ts';
import { composedArea } from '../../support/composed-area.ts';
import { fixedSettings } from '../../support/declarations.ts';
import { type CallOptions, call, type TestResponse } from '../../support/requests.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';

/** 2026-03-10 15:30 UTC. */
export const NOW = 1_773_156_600;
export const JOB = 'clientapp-refresh';
const TABLES = ['clientapp_releases', 'clientapp_changelogs', 'upstream_sources', 'job_runs'];

/** Deletes all stored data, because the tests of a file share the storage. */
export async function clearClientapp(): Promise<void> {
  await env.DB.batch(TABLES.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
}

/** The area with its own cache and upstream stub, and without pauses between attempts. */
export function clientappWorld(vars: Record<string, string> = {}, database: D1Database = env.DB) {
  const session = upstreamSession('clientapp');
  const db = createDatabase(database);
  const settings = fixedSettings({ publicAnonRateLimitMax: 10_000 });
  const states = createUpstreamStates(db);
  const upstream = createUpstreamClient({
    userAgent: withDefaults(env).UPSTREAM_USER_AGENT,
    states,
    random: () => 0,
    pause: async () => {},
  });
  const area = composedArea(clientappArea, { bindings: { DB: database, ...session.vars, ...vars }, upstream });
  const scheduler = createScheduler({ jobs: area.jobs, runs: createJobsStore(db), settings, resumeSources: states.resume });
  const fetchApp = area.fetchWith(settings);
  return {
    ...session,
    scheduler,
    /** Runs the job like an administrator. Returns the error, or null. */
    async refresh(now = NOW): Promise<string | null> {
      await (await scheduler.start(JOB, now))?.work;
      return this.lastError(now);
    },
    /** Runs the job if it is due. Returns the error of the last run, or null. */
    async tick(now: number): Promise<string | null> {
      await scheduler.tick(now);
      return this.lastError(now);
    },
    async lastError(now: number): Promise<string | null> {
      return (await scheduler.status(now)).find(({ name }) => name === JOB)?.lastError ?? null;
    },
    async get(path: string, options: CallOptions = {}): Promise<TestResponse & { body: ReturnType<typeof JSON.parse> }> {
      const response = await call(`/v1/clientapp/${path}`, { now: NOW, ...options }, fetchApp);
      return { ...response, body: response.text === '' ? null : JSON.parse(response.text) };
    },
  };
}
