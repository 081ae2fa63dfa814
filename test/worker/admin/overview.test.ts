import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createBillStore } from '../../../src/areas/admin/bill/bill.store.ts';
import { createOverviewBody, createOverviewEndpoint } from '../../../src/areas/admin/overview/overview.routes.ts';
import { storageSizeJob } from '../../../src/areas/admin/storage-sizes.jobs.ts';
import { createIngestLog, selectInserts } from '../../../src/areas/ingest/ingest.store.ts';
import { TrafficBody } from '../../../src/areas/usage/usage.schemas.ts';
import { createSignInRefusals } from '../../../src/platform/access/sessions/sign-in-refusals.ts';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { createTraffic } from '../../../src/platform/access/usage/traffic.ts';
import type { Job } from '../../../src/platform/durable/schedule/job.ts';
import { createJobsStore } from '../../../src/platform/durable/schedule/jobs.store.ts';
import { createScheduler } from '../../../src/platform/durable/schedule/scheduler.ts';
import { lazyRoutes } from '../../../src/platform/http/pipeline/route-groups.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS, fixedSettings, SETTINGS } from '../../support/declarations.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { outcome, portalWorld, signedInPerson } from '../accounts/world.ts';
import { testApp } from '../platform/test-app.ts';

const db = createDatabase(env.DB);
const OverviewBody = createOverviewBody(TrafficBody);
const NOW = 1_773_824_700;
const DAY = 86_400;
let superuser = '';

beforeAll(async () => {
  superuser = bearer(await createSuperuserToken());
});

const settings = fixedSettings();
const jobs: Job[] = [
  { name: 'broken', schedule: { everySeconds: 3600 }, timeoutSeconds: 5, run: () => Promise.reject(new Error('no upstream')) },
  { name: 'works', schedule: { everySeconds: 3600 }, timeoutSeconds: 5, run: async () => {} },
  { name: 'idle', schedule: { everySeconds: 3600 }, timeoutSeconds: 5, run: async () => {} },
];

function overviewApp(lastBackup: () => Promise<{ at: number; rows: number; bytes: number; tables: number } | null> = async () => null) {
  const scheduler = createScheduler({ jobs, runs: createJobsStore(db), settings, resumeSources: async () => {} });
  const ports = {
    selectInserts,
    trafficShape: () => import('../../../src/areas/usage/usage.schemas.ts'),
    countStreams: async () => ({ open: 7, capacity: 80, shards: 8, unreachable: 1 }),
    lastBackup,
    databaseGrowth: async () => ({
      bytes: 7_100_000_000,
      limitBytes: 10_000_000_000,
      bytesPerDay: 8_000_000,
      fullAt: NOW + 86_400,
      isAlarm: true,
    }),
  };
  const endpoints = [
    lazyRoutes(['/admin'], async () => [
      await createOverviewEndpoint({ db, findBill: createBillStore(db, env.CACHE).find }, () => scheduler, SETTINGS, ports),
    ]),
  ];
  const fetch = testApp({ deps: { endpoints } });
  return {
    scheduler,
    async read(now = NOW) {
      const response = await call('/admin/overview', { authorization: superuser, now }, fetch);
      return OverviewBody.parse(JSON.parse(response.text));
    },
  };
}

describe('GET /admin/overview', () => {
  it('returns the growth of the database and when its limit is reached', async () => {
    const { storage } = await overviewApp().read();
    expect(storage.growth).toEqual({
      limit_bytes: 10_000_000_000,
      bytes_per_day: 8_000_000,
      full_at: new Date((NOW + 86_400) * 1000).toISOString(),
      is_alarm: true,
    });
  });

  it('reports a quiet service', async () => {
    const { read } = overviewApp();
    const body = await read(NOW - 100 * DAY);
    expect(body).toMatchObject({
      jobs: { total: 3, failing: 0, late: 0, waiting: 3, items: [] },
      inserts: { accepted: 0, rejected: 0, received: 0, with_problems: 0, latest_rejected: [] },
      streams: { open: 7, capacity: 80, shards: 8, unreachable: 1 },
      last_backup: null,
      sign_ins: { refused: 0, refused_before: 0, by_code: [] },
    });
    expect(body.storage.database_bytes).toBeGreaterThan(0);
  });

  it('lists failing jobs, rejected inserts, refused sign-ins, changed settings and the last backup', async () => {
    const { read, scheduler } = overviewApp(async () => ({ at: NOW - 60, rows: 12, bytes: 34, tables: 5 }));
    for (const name of ['broken', 'works']) await (await scheduler.start(name, NOW - 60))?.work;
    const log = createIngestLog(db);
    const base = { now: NOW - 60, userId: null, tokenId: null, summary: null, error: null };
    const counts = { received: 3, accepted: 1, ignored: 0, rejected: 2 };
    await log.record({ ...base, endpoint: 'market', summary: 'partly', counts });
    for (let count = 0; count < 7; count += 1) await log.record({ ...base, endpoint: 'leaderboards', error: `no board ${count}` });
    await log.record({ ...base, now: NOW - 2 * DAY, endpoint: 'old', error: 'too old' });
    await log.receive({ ...base, endpoint: 'leaderboards', receiptId: crypto.randomUUID() });
    const refusals = createSignInRefusals(db);
    for (const code of ['invalid_credentials', 'account_locked', 'invalid_credentials', 'second_factor_required'] as const) {
      await refusals.count(code, NOW);
    }
    await refusals.count('invalid_credentials', NOW - DAY - 3600);
    const [account] = await db.select().from(users).limit(1);
    const insert = env.DB.prepare(
      'INSERT INTO setting_changes (key, old_value, new_value, changed_at, changed_by_user_id) VALUES (?, ?, ?, ?, ?)',
    );
    await env.DB.batch([
      insert.bind('feedback.chat_webhook', '"very-secret"', '"another-secret"', NOW - 50, account?.id),
      insert.bind('public_anon_rate_limit_max', null, '7', NOW - 40, account?.id),
      insert.bind('a.removed.setting', '"was-a-secret"', null, NOW - 30, 'deleted'),
    ]);
    const traffic = createTraffic(db, null, () => 0);
    for (const status of [200, 200, 429, 500]) traffic.record({ hasToken: true, status, durationMs: 30, at: NOW }, () => {});
    traffic.record({ hasToken: false, status: 200, durationMs: 30, at: NOW }, () => {});
    await traffic.flush();

    const body = await read();
    expect(body.jobs).toMatchObject({ failing: 1, waiting: 1, items: [{ name: 'broken', health: 'failing', last_error: 'no upstream' }] });
    expect(body.inserts).toMatchObject({ accepted: 1, rejected: 7, received: 1, with_problems: 1 });
    expect(body.inserts.latest_rejected.map(({ error }) => error)).toEqual([6, 5, 4, 3, 2].map((number) => `no board ${number}`));
    expect(body.sign_ins).toEqual({
      refused: 3,
      refused_before: 1,
      by_code: [
        { code: 'invalid_credentials', count: 2 },
        { code: 'account_locked', count: 1 },
      ],
    });
    expect(body.setting_changes.map(({ key, old_value, new_value, user_email }) => [key, old_value, new_value, user_email])).toEqual([
      ['a.removed.setting', '********', null, null],
      ['public_anon_rate_limit_max', null, '7', account?.email],
      ['feedback.chat_webhook', '********', '********', account?.email],
    ]);
    expect(body.traffic).toMatchObject({
      period_seconds: 3600,
      with_token: { count: 4, error_count: 2, rate_limited: 1, avg_duration_ms: 30, p50_ms: 28, p95_ms: 34 },
      without_token: { count: 10, error_count: 0 },
    });
    expect(body.last_backup).toEqual({ finished_at: new Date((NOW - 60) * 1000).toISOString(), rows: 12, bytes: 34 });
  });

  it('shows the rest when the last backup cannot be read', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { read } = overviewApp(() => Promise.reject(new Error('no bucket')));
    expect(await read()).toMatchObject({ last_backup: null, jobs: { total: 3 } });
    vi.restoreAllMocks();
  });

  it('reads the database in one batch', async () => {
    const batch = vi.spyOn(env.DB.withSession().constructor.prototype, 'batch');
    const { read } = overviewApp();
    await read();
    expect(batch.mock.calls.filter(([statements]) => (statements as unknown[]).length === 9)).toHaveLength(1);
    vi.restoreAllMocks();
  });
});

describe('refused sign-ins', () => {
  it('are counted by error code, for known and unknown accounts alike', async () => {
    const world = portalWorld();
    const { client, email } = await signedInPerson(world);
    const login = (address: string, password: string) => world.client().post('/auth/login', { email: address, password });
    expect(outcome(await login(email, 'wrong password'))).toMatch(/401|400/);
    expect(outcome(await login('nobody@example.com', 'wrong password'))).toMatch(/401|400/);
    await db.update(users).set({ isSuperuser: true }).where(eq(users.email, email));
    const { sign_ins: signIns } = (await client.get('/admin/overview')).body;
    expect(signIns.refused).toBe(2);
  });
});

describe('storage-sizes', () => {
  const page = (count: number, cursor: string | null) => ({
    objects: Array.from({ length: count }, () => ({ size: 10 })),
    truncated: cursor !== null,
    cursor,
  });

  it('measures a large bucket in several runs, then once a day', async () => {
    let lists = 0;
    const list = async ({ cursor }: { cursor?: string } = {}) => {
      lists += 1;
      const at = Number(cursor ?? 0);
      return page(1000, at < 24 ? String(at + 1) : null);
    };
    const job = storageSizeJob(db, { LARGE: { list } as never });
    const run = (now: number) => job.run({ now, settings: DEFAULT_SETTINGS, isManual: false, signal: new AbortController().signal });
    const { read } = overviewApp();
    const stored = async () => (await read()).storage.stores;
    await run(NOW);
    expect([lists, await stored()]).toEqual([10, []]);
    await run(NOW + 3600);
    await run(NOW + 7200);
    const measured = [{ name: 'LARGE', objects: 25_000, bytes: 250_000, measured_at: new Date((NOW + 7200) * 1000).toISOString() }];
    expect([lists, await stored()]).toEqual([25, measured]);
    await run(NOW + 10_800);
    expect(lists).toBe(25);
    await run(NOW + 7200 + DAY);
    expect([lists, await stored()]).toEqual([35, measured]);
  });

  it('measures the real buckets of the service', async () => {
    await env.ARCHIVE.put('overview-test', 'x'.repeat(100));
    await storageSizeJob(db, { ARCHIVE: env.ARCHIVE }).run({
      now: NOW,
      settings: DEFAULT_SETTINGS,
      isManual: true,
      signal: new AbortController().signal,
    });
    const { read } = overviewApp();
    const store = (await read()).storage.stores.find(({ name }) => name === 'ARCHIVE');
    expect(store?.bytes).toBeGreaterThanOrEqual(100);
  });
});
