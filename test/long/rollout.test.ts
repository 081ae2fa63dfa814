import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { failsMore, rollBack, rollOut } from '../../scripts/deploy/rollout.ts';
import { readWranglerConfig } from '../../scripts/lib/config.ts';
import { UserError } from '../../scripts/lib/main.ts';

const ACCOUNT = '0123456789abcdef0123456789abcdef';
const OLDER = '11111111-1111-4111-8111-111111111111';
const RUNNING = '22222222-2222-4222-8222-222222222222';
const NEW = '33333333-3333-4333-8333-333333333333';
const { migrations, name = '' } = readWranglerConfig('production');
const OVERRIDE = `${name}="${NEW}"`;

interface Deployment {
  id: string;
  created_on: string;
  versions: { version_id: string; percentage: number }[];
}

/** State of the mocked platform. */
const state = {
  hasWorker: true,
  migrationTag: migrations.at(-1)?.tag,
  /** Newest first. */
  deployments: [] as Deployment[],
  /** Failed requests of the new version among a hundred. */
  errorsOfNew: 0,
  mayReadAnalytics: true,
  /** Path that fails with the new version. */
  brokenPath: '',
  /** Secrets that were changed after the older version and the running one. */
  changedSecrets: '',
  /** Variables by version. */
  variables: {} as Record<string, Record<string, string>>,
  requests: [] as string[],
  /** Number of the request from which on the platform fails; null: never. */
  downFrom: null as number | null,
  /** Requests to the platform, with those that failed. */
  apiRequests: 0,
};
let server: Server;
let origin: string;

const ok = (result: unknown) => ({ status: 200, body: { success: true, errors: [], messages: [], result } });
const failed = (status: number, code: number, message: string) => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
});

function deploy(versions: Deployment['versions']) {
  const created_on = new Date(Date.UTC(2026, 10, 23, 0, state.deployments.length)).toISOString();
  const deployment = { id: `deployment-${state.deployments.length}`, created_on, source: 'wrangler', strategy: 'percentage', versions };
  state.deployments.unshift(deployment);
  return deployment;
}

function bindingsOf(version: string) {
  const variables = Object.entries(state.variables[version] ?? {}).map(([name, text]) => ({ type: 'plain_text', name, text }));
  return [...variables, { type: 'secret_text', name: 'TOKEN_KEY' }];
}

/** Mocks the requests of the platform's API that wrangler sends for versions and deployments, and the analytics. */
function respondAsPlatform(method: string, path: string, body: string, isForced: boolean): { status: number; body: unknown } {
  const script = `/accounts/${ACCOUNT}/workers/scripts/${name}`;
  if (path === '/graphql') {
    if (!state.mayReadAnalytics) return { status: 200, body: { data: null, errors: [{ message: 'not authorized for that account' }] } };
    const row = (scriptVersion: string, errors: number) => ({ sum: { requests: 100, errors }, dimensions: { scriptVersion } });
    const rows = [row(RUNNING, 1), row(NEW, state.errorsOfNew)];
    return { status: 200, body: { data: { viewer: { accounts: [{ workersInvocationsAdaptive: rows }] } }, errors: null } };
  }
  if (path === `/accounts/${ACCOUNT}/workers/services/${name}`) {
    const script = { id: name, tag: 'tag', tags: [], migration_tag: state.migrationTag, last_deployed_from: 'wrangler' };
    return state.hasWorker
      ? ok({ id: name, default_environment: { environment: 'production', script } })
      : failed(404, 10007, 'This Worker does not exist on your account.');
  }
  if (path === `${script}/deployments`) {
    if (!state.hasWorker) return failed(404, 10007, 'This Worker does not exist on your account.');
    if (method !== 'POST') return ok({ deployments: state.deployments });
    const { versions } = JSON.parse(body) as Pick<Deployment, 'versions'>;
    const text = `A secret has been changed since this version was deployed. The following secrets have changed: ${state.changedSecrets}`;
    if (state.changedSecrets && versions.length === 1 && versions[0]?.version_id !== NEW && !isForced) return failed(400, 10220, text);
    return ok(deploy(versions));
  }
  if (path.startsWith(`${script}/versions`)) {
    const version = (id: string) => ({
      id,
      number: 1,
      metadata: { created_on: '2026-11-23T00:00:00Z', source: 'wrangler' },
      annotations: {},
    });
    const id = path.slice(`${script}/versions/`.length);
    if (method === 'POST') return ok({ id: NEW, startup_time_ms: 1, metadata: { has_preview: false } });
    return ok(
      id === ''
        ? { items: [NEW, RUNNING, OLDER].map(version) }
        : { ...version(id), resources: { bindings: bindingsOf(id), script: {}, script_runtime: {} } },
    );
  }
  if (path.endsWith('/assets-upload-session')) return ok({ jwt: 'assets', buckets: [] });
  if (method === 'PUT' && path === script) {
    deploy([{ version_id: NEW, percentage: 100 }]);
    Object.assign(state, { hasWorker: true });
    return ok({ id: name, deployment_id: NEW, startup_time_ms: 1 });
  }
  if (path.endsWith('/domains/changeset')) return ok({ added: [], removed: [], updated: [], conflicting: [] });
  if (path.endsWith('/domains/records')) return ok([]);
  if (path.endsWith('/subdomain')) return ok({ subdomain: 'test', enabled: false, previews_enabled: false });
  if (path.endsWith('/secrets')) return ok([]);
  return ok({ bindings: [], subdomain: { enabled: false, previews_enabled: false } });
}

/** The service: the header selects the version, if that is in the current deployment. */
function respondAsService(path: string, override: string | undefined): { status: number; body: unknown } {
  const isNew = override === OVERRIDE && state.deployments[0]?.versions.some(({ version_id }) => version_id === NEW);
  const version = isNew || state.deployments[0]?.versions.length === 1 ? state.deployments[0]?.versions.at(-1)?.version_id : RUNNING;
  return { status: isNew && path === state.brokenPath ? 500 : 200, body: { status: 'ok', version } };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const path = (request.url ?? '').split('?', 1)[0] ?? '';
      const prefix = '/client/v4';
      const override = request.headers['cloudflare-workers-version-overrides'] as string | undefined;
      const isApi = path.startsWith(prefix);
      if (isApi) {
        state.apiRequests += 1;
        if (state.downFrom !== null && state.apiRequests > state.downFrom) {
          response.writeHead(503, { 'Content-Type': 'text/html' }).end('<html>Service Unavailable</html>');
          return;
        }
      }
      const reply = isApi
        ? respondAsPlatform(request.method ?? '', path.slice(prefix.length), body, request.url?.endsWith('?force=true') ?? false)
        : respondAsService(path, override);
      state.requests.push(isApi ? `${request.method} ${path.slice(prefix.length)}` : `${path} ${override ?? ''}`.trim());
      response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    CLOUDFLARE_API_BASE_URL: `${origin}/client/v4`,
    CLOUDFLARE_API_TOKEN: 'loopback',
    CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
  });
});

afterAll(() => {
  for (const variable of ['CLOUDFLARE_API_BASE_URL', 'CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID']) delete process.env[variable];
  server.close();
});

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  const tag = migrations.at(-1)?.tag;
  Object.assign(state, { hasWorker: true, migrationTag: tag, errorsOfNew: 0, mayReadAnalytics: true, brokenPath: '', requests: [] });
  reset();
});

function reset(): void {
  Object.assign(state, { changedSecrets: '', variables: {}, requests: [], downFrom: null, apiRequests: 0 });
  state.deployments = [];
  deploy([{ version_id: OLDER, percentage: 100 }]);
  deploy([{ version_id: RUNNING, percentage: 100 }]);
}

/** Deployments that the test made, oldest first, as `first character of the version:percentage`. */
const shares = () =>
  state.deployments
    .slice(0, -2)
    .reverse()
    .map(({ versions }) => versions.map(({ version_id, percentage }) => `${version_id[0]}:${percentage}`).join(' '));

const TIMEOUT = 240_000;

async function rollOutNew(pauses: number[] = []) {
  const pause = async (milliseconds: number) => pauses.push(milliseconds);
  await rollOut({ environment: 'production', origin, secrets: [], waitMs: 300_000, pause });
}

describe('rollOut', () => {
  it('tests the new version without traffic, then gives it 10, 50 and 100 % with a pause and a check between', {
    timeout: TIMEOUT,
  }, async () => {
    const pauses: number[] = [];
    await rollOutNew(pauses);
    expect(shares()).toEqual(['2:100 3:0', '2:90 3:10', '2:50 3:50', '3:100']);
    expect(pauses).toEqual([300_000, 300_000]);
    const smoke = state.requests.filter((request) => request === `/v1/rotations/server-time ${OVERRIDE}`);
    expect(smoke).toHaveLength(3);
    expect(state.requests.filter((request) => request === 'POST /graphql')).toHaveLength(3);
    // Cron triggers do not belong to a version.
    expect(state.requests.slice(state.requests.lastIndexOf('POST /graphql'))).toContain(
      `PUT /accounts/${ACCOUNT}/workers/scripts/${name}/schedules`,
    );
  });

  it('gives all requests back when the new version fails more often', { timeout: TIMEOUT }, async () => {
    state.errorsOfNew = 4;
    await expect(rollOutNew()).rejects.toThrow(new RegExp(`fails more often.*\\nVersion ${RUNNING} gets all requests again`));
    expect(shares()).toEqual(['2:100 3:0', '2:90 3:10', '2:100']);
  });

  it('gives all requests back also when the upload changed a secret', { timeout: TIMEOUT }, async () => {
    Object.assign(state, { errorsOfNew: 4, changedSecrets: 'MAIL_API_KEY' });
    await expect(rollOutNew()).rejects.toThrow('gets all requests again');
    expect(shares().at(-1)).toBe('2:100');
  });

  it('gives the new version no requests when its smoke test fails', { timeout: TIMEOUT }, async () => {
    state.brokenPath = '/v1/mods';
    await expect(rollOutNew()).rejects.toThrow('smoke test: /v1/mods returned 500');
    expect(shares()).toEqual(['2:100 3:0', '2:100']);
  });

  it('uploads nothing when the error rates cannot be read', { timeout: TIMEOUT }, async () => {
    state.mayReadAnalytics = false;
    await expect(rollOutNew()).rejects.toThrow('the token needs the permission Account Analytics: Read');
    expect(shares()).toEqual([]);
  });

  it('deploys a version that adds an object class at once, and says so', { timeout: TIMEOUT }, async () => {
    state.migrationTag = migrations.at(-2)?.tag;
    await rollOutNew();
    expect(shares()).toEqual(['3:100']);
    const texts = vi.mocked(console.log).mock.calls.flat();
    expect(texts).toContain('production: the version adds or changes an object class: it gets all requests at once');
  });

  it('deploys the first version at once', { timeout: TIMEOUT }, async () => {
    state.hasWorker = false;
    state.migrationTag = undefined;
    await rollOutNew();
    expect(shares()).toEqual(['3:100']);
    expect(vi.mocked(console.log).mock.calls.flat()).toContain('production: this is the first version: it gets all requests at once');
  });

  it('refuses to start during another rollout', { timeout: TIMEOUT }, async () => {
    deploy([
      { version_id: RUNNING, percentage: 50 },
      { version_id: NEW, percentage: 50 },
    ]);
    await expect(rollOutNew()).rejects.toThrow(UserError);
  });
});

describe('rollBack', () => {
  it('gives all requests to the version before the running one', { timeout: TIMEOUT }, async () => {
    await rollBack('production');
    expect(shares()).toEqual(['1:100']);
  });

  it('ends a rollout in favor of the running version', { timeout: TIMEOUT }, async () => {
    deploy([
      { version_id: RUNNING, percentage: 90 },
      { version_id: NEW, percentage: 10 },
    ]);
    await rollBack('production');
    expect(shares()).toEqual(['2:90 3:10', '2:100']);
  });
});

describe('rollBack past a changed secret or variable', () => {
  it('changes nothing, names the secrets and says what to do', { timeout: TIMEOUT }, async () => {
    state.changedSecrets = 'SESSION_SECRET, TOKEN_KEY';
    await expect(rollBack('production')).rejects.toThrow(
      new RegExp(
        `^Not rolled back: version ${OLDER} has the old values of SESSION_SECRET, TOKEN_KEY\\. .*older commit.*--with-old-secrets`,
      ),
    );
    expect(shares()).toEqual([]);
    await rollBack('production', { withOldSecrets: true });
    expect(shares()).toEqual(['1:100']);
  });

  it('prints the variables that go back', { timeout: TIMEOUT }, async () => {
    state.variables = {
      [RUNNING]: { REGION: 'weur', BASE_URL: 'https://b.test' },
      [OLDER]: { REGION: 'weur', BASE_URL: 'https://a.test' },
    };
    await rollBack('production');
    const texts = vi.mocked(console.log).mock.calls.flat();
    expect(texts).toContain('production: variables go back with the code:\n  BASE_URL: "https://b.test" -> "https://a.test"');
  });

  it('names the lack of an earlier version', { timeout: TIMEOUT }, async () => {
    state.deployments.pop();
    await expect(rollBack('production')).rejects.toThrow('no earlier version');
  });
});

describe('an outage of the platform', () => {
  it('at any request of a rollback changes nothing, and the rollback can be repeated', { timeout: TIMEOUT }, async () => {
    await rollBack('production');
    const count = state.apiRequests;
    expect(count).toBeGreaterThan(3);
    for (let at = 0; at < count; at += 1) {
      reset();
      state.downFrom = at;
      const error: unknown = await rollBack('production').catch((thrown: unknown) => thrown);
      expect([at, error]).toEqual([at, expect.any(UserError)]);
      expect((error as Error).message.length).toBeLessThan(2000);
      expect(shares()).toEqual([]);
      state.downFrom = null;
      await rollBack('production');
      expect(shares()).toEqual(['1:100']);
    }
  });
});

describe('failsMore', () => {
  const counts = (own: [number, number], other: [number, number]) =>
    new Map([
      ['new', { requests: own[0], errors: own[1] }],
      ['old', { requests: other[0], errors: other[1] }],
    ]);

  it('compares error rates, and ignores three errors and one percentage point', () => {
    expect(failsMore(counts([0, 0], [1000, 10]), 'new')).toBe(false);
    expect(failsMore(counts([3, 3], [1000, 0]), 'new')).toBe(false);
    expect(failsMore(counts([4, 4], [0, 0]), 'new')).toBe(true);
    expect(failsMore(counts([1000, 19], [9000, 90]), 'new')).toBe(false);
    expect(failsMore(counts([1000, 21], [9000, 90]), 'new')).toBe(true);
    expect(failsMore(new Map(), 'new')).toBe(false);
  });
});
