import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import type { PartName } from '../../../src/areas/service-status/status.domain.ts';
import { HISTORY } from '../../../src/areas/service-status/status.object.ts';
import { composeApp } from '../../../src/composition.ts';
import { jobRuns } from '../../../src/platform/durable/schedule/jobs.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { upstreamSources } from '../../../src/platform/upstream/upstream.tables.ts';
import { appFetch } from '../../support/app-fetch.ts';
import { withQuickTimers } from '../../support/eventually.ts';
import { call } from '../../support/requests.ts';
import { emptyCoordinator } from '../events/objects.ts';
import { createFailingBinding, type FailureMode } from './dead.ts';

/** Bindings that replace those of the environment. */
type Bindings = Partial<Env>;

interface StatusBody {
  status: string;
  read_from: string | null;
  parts: { name: PartName; state: string; detail: string | null }[];
  jobs: { name: string; state: string }[];
  upstreams: { name: string; state: string; failures: number; next_try_at: number | null }[];
  incidents: { part: PartName; state: string; opened_at: number; closed_at: number | null }[];
  days: { red_minutes: Record<string, number> }[];
}

/** Upstream backoff and the alarm of the stream use real time, so each test starts an hour later. */
let start = Math.floor(Date.now() / 60_000) * 60;
const db = createDatabase(env.DB);

function isolate(bindings: Bindings = {}) {
  const composed = composeApp({ ...env, ...bindings });
  const fetch = appFetch(createApp(composed));
  return {
    scheduler: composed.scheduler,
    check: (now: number) => composed.ports.checkService(now),
    read: async (now: number) => {
      const { status, text } = await call('/v1/status', { now }, fetch);
      expect(status).toBe(200);
      return JSON.parse(text) as StatusBody;
    },
    page: (now: number) => call('/status', { now }, fetch),
  };
}

const stateOf = (body: StatusBody, part: PartName) => body.parts.find(({ name }) => name === part)?.state;

/** Records a successful run of every job at `now`. */
async function runAllJobs(now: number): Promise<void> {
  await db.delete(upstreamSources);
  const run = { lastRunAt: now, lastSuccessAt: now, lastError: null, failures: 0 };
  const [first, ...others] = (await composeApp(env).scheduler.status(now)).map(({ name }) =>
    db
      .insert(jobRuns)
      .values({ name, ...run })
      .onConflictDoUpdate({ target: jobRuns.name, set: run }),
  );
  if (first) await db.batch([first, ...others]);
}

/** Stores a green snapshot, preceded by a closed incident that later reads must still contain. */
async function healthyMinutes(): Promise<void> {
  await env.EVENT_COORDINATOR.getByName('coordinator').wake();
  await runAllJobs(start);
  const healthy = isolate();
  await healthy.check(start - 180);
  await isolate({ OUTBOX: createFailingBinding<R2Bucket>('throws') }).check(start - 120);
  await healthy.check(start - 60);
  await healthy.check(start);
  const { status, read_from: readFrom, parts } = await isolate().read(start + 1);
  expect([status, readFrom, ...parts.filter(({ state }) => state !== 'green')]).toEqual(['green', 'object']);
}

function expectSurvivingHistory({ incidents, days }: StatusBody): void {
  expect(incidents).toContainEqual(expect.objectContaining({ part: 'files', opened_at: start - 120, closed_at: start - 60 }));
  expect(days.some(({ red_minutes }) => (red_minutes.files ?? 0) > 0)).toBe(true);
}

beforeAll(emptyCoordinator);

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  start += 3600;
  await healthyMinutes();
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('GET /v1/status after a part fails', () => {
  const deaths: [PartName, string, (death: FailureMode) => Bindings][] = [
    ['database', 'D1', (death) => ({ DB: createFailingBinding(death) })],
    ['cache', 'KV', (death) => ({ CACHE: createFailingBinding(death) })],
    ['files', 'one R2 bucket', (death) => ({ ARCHIVE: createFailingBinding(death) })],
    ['objects', 'Durable Objects', (death) => ({ RATE_LIMITS: createFailingBinding(death) })],
    ['stream', 'the coordinator', (death) => ({ EVENT_COORDINATOR: createFailingBinding(death) })],
    ['stream', 'the shards', (death) => ({ EVENT_SHARDS: createFailingBinding(death) })],
    ['store', 'the status object', (death) => ({ SERVICE_STATUS: createFailingBinding(death) })],
  ];
  const cases = deaths.flatMap(([part, what, bindings]) =>
    (['throws', 'hangs'] as const).map((death) => ({ part, what, death, bindings: bindings(death) })),
  );

  it.each(cases)(
    'reports $part red within 90 s when $what $death, keeps the history, and reports green after recovery',
    async ({ part, bindings }) => {
      await withQuickTimers(() => isolate(bindings).check(start + 60));
      const reader = isolate(bindings);
      const body = await withQuickTimers(() => reader.read(start + 90));
      expect(stateOf(body, part)).toBe('red');
      expect(body.status).toBe('red');
      expectSurvivingHistory(body);
      const { status, text } = await withQuickTimers(() => reader.page(start + 90));
      expect([status, text.includes('Outage: a part of the service is down')]).toEqual([200, true]);

      await isolate().check(start + 120);
      const after = await isolate().read(start + 121);
      expect([after.status, after.read_from]).toEqual(['green', 'object']);
      expect(after.incidents[0]).toMatchObject({ part, state: 'red', opened_at: start + 60, closed_at: start + 120 });
      expectSurvivingHistory(after);
    },
  );

  it('reports no part green when both the status object and the KV copy fail', async () => {
    const bindings = {
      SERVICE_STATUS: createFailingBinding<Env['SERVICE_STATUS']>('hangs'),
      CACHE: createFailingBinding<KVNamespace>('throws'),
    };
    await expect(withQuickTimers(() => isolate(bindings).check(start + 60))).rejects.toThrow('not stored anywhere');
    const body = await withQuickTimers(() => isolate(bindings).read(start + 61));
    expect(body).toMatchObject({ status: 'red', read_from: null });
    expect(body.parts.map(({ state }) => state)).not.toContain('green');
    // An isolate with working bindings reads the earlier history, which is stale.
    const later = await isolate().read(start + 90);
    expect(later.status).toBe('red');
    expectSurvivingHistory(later);
  });

  it('reports scheduler red 90 s after the last cron trigger, and an incident after the next one', async () => {
    expect((await isolate().read(start + 89)).status).toBe('green');
    const body = await isolate().read(start + 90);
    expect([body.status, stateOf(body, 'scheduler')]).toEqual(['red', 'red']);
    expect(body.parts.map(({ state }) => state)).not.toContain('green');
    expectSurvivingHistory(body);
    await runAllJobs(start + 600);
    await isolate().check(start + 600);
    const after = await isolate().read(start + 601);
    expect(after.status).toBe('green');
    expect(after.incidents[0]).toMatchObject({ part: 'scheduler', opened_at: start + 60, closed_at: start + 600 });
  });

  it('reports stream red within 90 s when the alarm of the coordinator is missing', async () => {
    await runInDurableObject(env.EVENT_COORDINATOR.getByName('coordinator'), (_, state) => state.storage.deleteAlarm());
    await isolate().check(start + 60);
    expect(stateOf(await isolate().read(start + 90), 'stream')).toBe('red');
  });

  it('reports jobs red within 90 s when a job fails, without the error text', async () => {
    await env.DB.prepare('ALTER TABLE giveaways RENAME TO giveaways_gone').run();
    try {
      const { scheduler, check } = isolate();
      await (await scheduler.start('giveaways-step', start + 1))?.work;
      await check(start + 60);
      const body = await isolate().read(start + 90);
      expect([body.status, stateOf(body, 'jobs')]).toEqual(['red', 'red']);
      expect(body.jobs.filter(({ state }) => state === 'red').map(({ name }) => name)).toEqual(['giveaways-step']);
      // Error texts may contain tables, addresses and accounts, so they appear only in the log and on the admin pages.
      expect(JSON.stringify(body)).not.toMatch(/no such table|SELECT/i);
      expectSurvivingHistory(body);
    } finally {
      await env.DB.prepare('ALTER TABLE giveaways_gone RENAME TO giveaways').run();
    }
  });

  it('reports upstreams red within 90 s when a source fails, with its next attempt, and the service degraded', async () => {
    const bindings = { NEWS_FEED_URL: 'http://127.0.0.1:1/feed' };
    const { scheduler, check } = isolate(bindings);
    // Three attempts with pauses.
    await withQuickTimers(async () => (await scheduler.start('news-refresh', start + 1))?.work);
    await check(start + 60);
    const body = await isolate(bindings).read(start + 90);
    expect([body.status, stateOf(body, 'upstreams'), stateOf(body, 'jobs')]).toEqual(['degraded', 'red', 'degraded']);
    expect(body.upstreams.filter(({ state }) => state === 'red')).toEqual([
      expect.objectContaining({ failures: 1, next_try_at: start + 61, age_seconds: null }),
    ]);
    expectSurvivingHistory(body);
  });
});

describe('a history that a neighbour of this version stored', () => {
  const KEY = 'service-status';
  const newer = (text: string) => {
    const history = JSON.parse(text) as { snapshot: { parts: Record<string, unknown> }; incidents: object[] };
    history.snapshot.parts.queues = { state: 'paused', detail: null };
    delete history.snapshot.parts.stream;
    history.incidents.unshift({ part: 'queues', state: 'paused', openedAt: start, closedAt: null, detail: null });
    return JSON.stringify(history);
  };

  it('is read and continued in the object and in the copy', async () => {
    const stored = (await env.CACHE.get(KEY)) ?? '';
    await env.CACHE.put(KEY, newer(stored));
    await runInDurableObject(env.SERVICE_STATUS.getByName('status'), (_, state) => state.storage.kv.put(HISTORY, newer(stored)));
    const before = await isolate().read(start + 1);
    expect([before.status, stateOf(before, 'stream')]).toEqual(['red', 'unknown']);
    await isolate().check(start + 60);
    const after = await isolate().read(start + 61);
    expect([after.status, after.read_from, stateOf(after, 'stream')]).toEqual(['green', 'object', 'green']);
    expect(after.incidents.map(({ part }) => part)).not.toContain('queues');
    expectSurvivingHistory(after);
    const object = await runInDurableObject(env.SERVICE_STATUS.getByName('status'), (_, state) => state.storage.kv.get<string>(HISTORY));
    expect(JSON.parse(object ?? '').incidents[0]).toMatchObject({ part: 'queues', closedAt: start });
  });

  it('is continued in the copy alone', async () => {
    await env.CACHE.put(KEY, newer((await env.CACHE.get(KEY)) ?? ''));
    const bindings = { SERVICE_STATUS: createFailingBinding<Env['SERVICE_STATUS']>('throws') };
    await isolate(bindings).check(start + 60);
    const after = await isolate(bindings).read(start + 61);
    expect([stateOf(after, 'store'), stateOf(after, 'stream')]).toEqual(['red', 'green']);
    expectSurvivingHistory(after);
  });
});
