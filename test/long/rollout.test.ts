import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { StepError } from '../../scripts/deploy/deploy-steps.ts';
import { type RolloutOptions, rollOut } from '../../scripts/deploy/rollout.ts';
import { runWrangler } from '../../scripts/lib/commands.ts';
import { readWranglerConfig } from '../../scripts/lib/config.ts';
import type { Worker } from '../support/upstreams/platform/account.ts';
import { DeployCheckout, SECRETS } from '../support/upstreams/platform/checkout.ts';
import { PLATFORM_FAULTS, type Platform, type PlatformFailure, startPlatform } from '../support/upstreams/platform/platform.ts';
import { quickWrangler } from '../support/upstreams/platform/wrangler.ts';

const TIMEOUT = 600_000;
const { migrations, name = '' } = readWranglerConfig('production');
let platform: Platform;

const worker = () => platform.account.workers[name] as Worker;
const run = (wrangler: NonNullable<RolloutOptions['wrangler']> = runWrangler) =>
  rollOut({
    environment: 'production',
    origin: platform.origin,
    secrets: [],
    waitMs: 0,
    command: 'npm run deploy -- production',
    pause: async () => {},
    wrangler,
  });

/** One kind of outage for each request, in turn. */
function failureAt(at: number): PlatformFailure {
  const fault = PLATFORM_FAULTS[at % PLATFORM_FAULTS.length] ?? 'reset';
  return { at, fault, lasts: true };
}

/** A readable text that says what stands and what to run next. */
function expectText(error: unknown): void {
  expect(error).toBeInstanceOf(StepError);
  const { message } = error as Error;
  expect(message).not.toMatch(/\n\s+at .+:\d+|If you think this is a bug/);
  expect(message).toMatch(/\nNow: {4}.+\nNext: {3}np[mx] /);
}

beforeAll(async () => {
  platform = await startPlatform();
  for (const [variable, value] of Object.entries(platform.env)) vi.stubEnv(variable, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await platform.stop();
});
beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  platform.fail(null);
});

describe('rollOut with wrangler', () => {
  it('deploys the first version at once, and then one in shares', { timeout: TIMEOUT }, async () => {
    await run();
    expect(worker().deployments).toHaveLength(1);
    await run();
    const shares = worker().deployments.map(({ versions }) => versions.map(({ percentage }) => percentage).join('+'));
    expect(shares).toEqual(['100', '50+50', '90+10', '100+0', '100']);
    expect(worker().migrationTag).toBe(migrations.at(-1)?.tag);
  });

  it('deploys a version that adds an object class at once, and says so', { timeout: TIMEOUT }, async () => {
    worker().migrationTag = migrations.at(-2)?.tag;
    const before = worker().deployments.length;
    await run();
    expect(worker().deployments).toHaveLength(before + 1);
    const text = 'production: the version adds or changes an object class: it gets all requests at once';
    expect(vi.mocked(console.log).mock.calls.flat()).toContain(text);
  });

  it('changes nothing when the platform fails at any kind of request of an upload, and then succeeds', { timeout: TIMEOUT }, async () => {
    if (!platform.account.workers[name]) await run(quickWrangler(platform, name));
    worker().migrationTag = migrations.at(-1)?.tag;
    platform.fail(null);
    await run();
    const before = worker().deployments[0];
    const running = before?.versions[0]?.version_id;
    const uploaded = platform.requests.findIndex((request) => request.endsWith('/versions'));
    expect(uploaded).toBeGreaterThan(5);
    // The four look-ups of buckets differ in the name alone.
    const kinds = platform.requests.slice(0, uploaded + 1).map((request) => request.replace(/buckets\/.*/, 'buckets'));
    for (const [at, kind] of kinds.entries()) {
      if (kinds.indexOf(kind) < at) continue;
      platform.fail(failureAt(at));
      const error: unknown = await run().catch((thrown: unknown) => thrown);
      expectText(error);
      // The number of look-ups before an upload varies: this failure followed the upload.
      if (platform.requests.some((request) => request.startsWith('POST') && request.endsWith('/deployments'))) break;
      expect([at, worker().deployments[0]]).toEqual([at, before]);
      const text = at < 2 ? 'the Worker is unchanged' : `version ${running} still gets all requests`;
      expect([at, (error as Error).message]).toEqual([at, expect.stringContaining(text)]);
    }
    platform.fail(null);
    await run();
    expect(worker().deployments[0]?.versions).toMatchObject([{ percentage: 100 }]);
  });

  it('says what stands when the platform fails at any request after the rollout', { timeout: TIMEOUT }, async () => {
    // The upload has its own test, and takes most of the time.
    const quick = quickWrangler(platform, name);
    const wrangler: typeof quick = (args, env) => (args[0] === 'triggers' ? runWrangler(args, env) : quick(args, env));
    await run(wrangler);
    const { requests } = platform;
    const first = requests.findLastIndex((request) => request.endsWith('/deployments')) + 1;
    for (let at = first; at < requests.length; at += 1) {
      platform.fail(failureAt(at));
      const error: unknown = await run(wrangler).catch((thrown: unknown) => thrown);
      // wrangler ignores a failure to set tags.
      if (error instanceof Error) expect([at, error.message]).toEqual([at, expect.stringContaining('triggers deploy --env production')]);
      expect(worker().deployments[0]?.versions).toMatchObject([{ percentage: 100 }]);
    }
  });
});

describe('npm run deploy', () => {
  it('creates everything, applies all migrations and deploys; goes on where an outage stopped it; goes back once', {
    timeout: TIMEOUT,
  }, async () => {
    platform.account.workers = {};
    const checkout = new DeployCheckout(platform);
    try {
      const missing = await checkout.deploy('--create', '--secrets-file', 'missing.env');
      expect(missing).toMatchObject({ code: 1, output: expect.stringMatching(/^--secrets-file: missing\.env does not exist\.\n$/) });
      expect(platform.account.databases).toEqual([]);

      // In the middle of the migrations.
      platform.fail({ at: 40, fault: 'cut', lasts: true });
      const stopped = await checkout.deploy('--create', '--secrets-file', checkout.secretsFile);
      expect(stopped.code).toBe(1);
      expect(stopped.output).toContain('Failed: applying the migrations');
      expect(stopped.output).toContain(`Next:   npm run deploy -- production --create --secrets-file ${checkout.secretsFile}`);
      expect(stopped.output).not.toMatch(/\n\s+at .+:\d+/);
      platform.fail(null);

      const created = await checkout.deploy('--create', '--secrets-file', checkout.secretsFile);
      expect([created.code, created.output]).toEqual([0, expect.stringContaining('production: deployed.')]);
      expect(platform.account).toMatchObject({
        databases: [{}],
        namespaces: [{}],
        buckets: [{}, {}, {}, {}].map(() => expect.any(String)),
      });
      const secrets = worker().versions[0]?.bindings.filter(({ type }) => type === 'secret_text');
      expect(secrets?.map((secret) => secret.name).sort()).toEqual(Object.keys(SECRETS).sort());

      const check = await checkout.deploy('--check');
      expect([check.code, check.output]).toEqual([0, expect.stringContaining('production: 0 problems')]);
      const back = await checkout.deploy('--rollback');
      expect([back.code, back.output]).toEqual([1, expect.stringContaining('no earlier version')]);
    } finally {
      checkout.remove();
    }
  });
});
