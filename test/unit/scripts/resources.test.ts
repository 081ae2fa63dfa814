import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readFacts } from '../../../scripts/deploy/facts.ts';
import { createResources } from '../../../scripts/deploy/resources.ts';
import { UserError } from '../../../scripts/lib/main.ts';
import { addVersion, secretBinding } from '../../support/upstreams/platform/account.ts';
import { OUTAGES, outageAt } from '../../support/upstreams/platform/outages.ts';
import { type Platform, startPlatform } from '../../support/upstreams/platform/platform.ts';
import { ACCOUNT_ID, API_TOKEN } from '../../support/upstreams/platform/routes.ts';

const ACCOUNT = { id: ACCOUNT_ID, token: API_TOKEN };
const CONFIG = {
  name: 'service',
  vars: { REGION: 'weur' },
  d1_databases: [{ binding: 'DB', database_name: 'data' }],
  r2_buckets: [
    { binding: 'ONE', bucket_name: 'one' },
    { binding: 'TWO', bucket_name: 'two' },
  ],
};
let platform: Platform;
let ids: Record<string, string>;

const create = (config = CONFIG) =>
  createResources(ACCOUNT, { environment: 'production', config, onId: (table, _, id) => Object.assign(ids, { [table]: id }) });
const failureOf = (run: Promise<unknown>) => run.then(() => null).catch((error: unknown) => error);

beforeAll(async () => {
  platform = await startPlatform();
  platform.save();
});
afterAll(() => platform.stop());
beforeEach(() => {
  vi.stubEnv('CLOUDFLARE_API_BASE_URL', platform.api);
  vi.spyOn(console, 'log').mockImplementation(() => {});
  platform.restore();
  ids = {};
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function expectOneOfEach(): void {
  const { databases, namespaces, buckets } = platform.account;
  expect(databases).toMatchObject([
    { name: 'data', uuid: ids.d1_databases, running_in_region: 'WEUR', read_replication: { mode: 'auto' } },
  ]);
  expect(namespaces).toMatchObject([{ title: 'service-cache', id: ids.kv_namespaces }]);
  expect(buckets).toEqual(['one', 'two']);
}

describe('createResources', () => {
  it('creates each resource, with read replication, and reports the ids', async () => {
    await create();
    expectOneOfEach();
  });

  it('finds resources that exist, also on a later page, and creates none twice', async () => {
    for (let count = 0; count < 120; count += 1) {
      const name = `other-${count}`;
      const rest = { running_in_region: 'WEUR', read_replication: { mode: 'auto' }, version: 'production' as const, created_at: '' };
      platform.account.databases.push({ uuid: `id-${count}`, name, ...rest });
    }
    await create();
    const first = { ...ids };
    await create();
    expect(ids).toEqual(first);
    expect(platform.account.databases).toHaveLength(121);
  });

  it('creates nothing without a region', async () => {
    await expect(create({ ...CONFIG, vars: { REGION: '' } })).rejects.toThrow('--create needs REGION in [env.production.vars]');
    expect(platform.account.databases).toEqual([]);
  });

  it('says why read replication could not be switched on, after everything was created', async () => {
    await create();
    const at = platform.requests.findIndex((request) => request.startsWith('PUT'));
    platform.restore();
    platform.fail({ at, fault: 'error-500' });
    await expect(create()).rejects.toThrow('read replication could not be switched on (also possible in the dashboard: D1, Settings)');
    expect(platform.account.buckets).toEqual(['one', 'two']);
  });
});

describe('readFacts', () => {
  const read = (databaseId: string | null) => readFacts(ACCOUNT, { worker: 'service', secretsFile: null, databaseId });
  const query = (sql: string) =>
    fetch(`${platform.api}/accounts/${ACCOUNT_ID}/d1/database/${ids.d1_databases}/query`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${API_TOKEN}` },
      body: JSON.stringify({ sql }),
    });

  it('reads names of secrets, applied migrations, superusers and the placement', async () => {
    await create();
    const worker = { migrationTag: undefined, versions: [], deployments: [], subdomain: { enabled: false, previews_enabled: false } };
    platform.account.workers.service = worker;
    addVersion(worker, [secretBinding('SESSION_SECRET', 'x')], false);
    await query(`CREATE TABLE d1_migrations (name); INSERT INTO d1_migrations VALUES ('0000_schema.sql');
      CREATE TABLE users (is_superuser); INSERT INTO users VALUES (1), (0), (1)`);
    expect(await read(ids.d1_databases ?? '')).toEqual({
      secrets: ['SESSION_SECRET'],
      database: { applied: ['0000_schema.sql'], superusers: 2, isRestoring: false },
      placement: { region: 'weur', hasReplicas: true },
    });
  });

  it('reports no secrets and no migrations for an account without a Worker and without tables', async () => {
    await create();
    expect(await read(ids.d1_databases ?? '')).toEqual({
      secrets: [],
      database: { applied: [], superusers: 0, isRestoring: false },
      placement: { region: 'weur', hasReplicas: true },
    });
    await query('CREATE TABLE restore_progress (name)');
    expect((await read(ids.d1_databases ?? '')).database?.isRestoring).toBe(true);
  });
});

describe.each(OUTAGES)('an outage of the platform: %s', (outage) => {
  it('at any request of createResources gives a short text, and a second run creates what is missing', async () => {
    await create();
    const count = platform.requests.length;
    expect(count).toBeGreaterThan(10);
    for (let at = 0; at < count; at += 1) {
      platform.restore();
      ids = {};
      platform.fail(outageAt(outage, at));
      const error = await failureOf(create());
      if (error !== null) expect([at, error]).toEqual([at, expect.any(UserError)]);
      if (error instanceof Error) expect(error.message.length).toBeLessThan(1000);
      platform.fail(null);
      await create();
      expectOneOfEach();
    }
  });

  it('at any request of readFacts gives a short text', async () => {
    await create();
    const run = () => readFacts(ACCOUNT, { worker: 'service', secretsFile: null, databaseId: ids.d1_databases ?? '' });
    platform.fail(null);
    await run();
    const count = platform.requests.length;
    for (let at = 0; at < count; at += 1) {
      platform.fail(outageAt(outage, at));
      expect([at, await failureOf(run())]).toEqual([at, expect.any(UserError)]);
    }
  });
});
