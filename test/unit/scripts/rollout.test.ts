import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { StepError } from '../../../scripts/deploy/deploy-steps.ts';
import { failsMore, type RolloutOptions, rollBack, rollOut, targetOfRollback } from '../../../scripts/deploy/rollout.ts';
import { readWranglerConfig } from '../../../scripts/lib/config.ts';
import { addDeployment, addVersion, secretBinding, type VersionBinding, type Worker } from '../../support/upstreams/platform/account.ts';
import { OUTAGES, outageAt } from '../../support/upstreams/platform/outages.ts';
import { type Platform, startPlatform } from '../../support/upstreams/platform/platform.ts';
import { quickWrangler } from '../../support/upstreams/platform/wrangler.ts';

const { name = '' } = readWranglerConfig('production');
const COMMAND = 'npm run deploy -- production';
let platform: Platform;
let older: string;
let running: string;

const worker = () => platform.account.workers[name] as Worker;
const newest = () => worker().versions[0]?.id ?? '';

/** A Worker with two versions, of which the second gets all requests. */
function seed(olderBindings: VersionBinding[] = [], runningBindings: VersionBinding[] = []): void {
  const subdomain = { enabled: false, previews_enabled: false };
  platform.account.workers[name] = { migrationTag: 'v3', versions: [], deployments: [], subdomain };
  platform.account.serving = name;
  const add = (bindings: VersionBinding[]) => {
    const { id } = addVersion(worker(), [], false);
    worker().versions[0]?.bindings.push(...bindings);
    addDeployment(worker(), [{ version_id: id, percentage: 100 }]);
    return id;
  };
  older = add(olderBindings);
  running = add(runningBindings);
}

/** Deployments since `seed`, oldest first, as `version:percentage`. */
const shares = () =>
  worker()
    .deployments.slice(0, -2)
    .reverse()
    .map(({ versions }) => versions.map(({ version_id, percentage }) => `${label(version_id)}:${percentage}`).join(' '));
const label = (id: string) => (id === older ? 'older' : id === running ? 'running' : 'new');
const printed = () => vi.mocked(console.log).mock.calls.flat();

const rollOutNew = (options: Partial<RolloutOptions> = {}) =>
  rollOut({
    environment: 'production',
    origin: platform.origin,
    secrets: [],
    waitMs: 300_000,
    command: COMMAND,
    pause: async () => {},
    wrangler: quickWrangler(platform, name),
    ...options,
  });

/** The message of a failure, which must be a text for an operator. */
async function failureOf(run: Promise<unknown>): Promise<string | null> {
  const error: unknown = await run.then(
    () => null,
    (thrown) => thrown,
  );
  if (error === null) return null;
  expect(error).toBeInstanceOf(StepError);
  const { message } = error as Error;
  expect(message.length).toBeLessThan(1500);
  expect(message).not.toMatch(/\n\s+at /);
  expect(message).toMatch(/\nFailed: .+\nNow: {4}.+\nNext: {3}np[mx] /);
  return message;
}

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());
beforeEach(() => {
  for (const [variable, value] of Object.entries(platform.env)) vi.stubEnv(variable, value);
  vi.spyOn(console, 'log').mockImplementation(() => {});
  seed();
  Object.assign(platform.account, { counts: {}, mayReadAnalytics: true, brokenPath: '' });
  platform.fail(null);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('rollOut', () => {
  it('tests the new version without traffic, then gives it 10, 50 and 100 % with a pause and a check between', async () => {
    const pauses: number[] = [];
    await rollOutNew({ pause: async (milliseconds) => pauses.push(milliseconds) });
    expect(shares()).toEqual(['running:100 new:0', 'running:90 new:10', 'running:50 new:50', 'new:100']);
    expect(pauses).toEqual([300_000, 300_000]);
    const smoke = platform.requests.filter((request) => request === `service /v1/rotations/server-time ${name}="${newest()}"`);
    expect(smoke).toHaveLength(3);
    expect(platform.requests.filter((request) => request === 'POST /graphql')).toHaveLength(3);
    expect(platform.requests.at(-1)).toMatch(/^PUT .*\/schedules$/);
  });

  it('gives all requests back when the new version fails more often', async () => {
    const pause = async () => {
      platform.account.counts = { [running]: { requests: 100, errors: 1 }, [newest()]: { requests: 100, errors: 4 } };
    };
    const message = await failureOf(rollOutNew({ pause }));
    expect(message).toMatch(/^the new version fails more often than the running one\n/);
    expect(message).toContain(`Now:    version ${running} gets all requests again; applied migrations stay\nNext:   ${COMMAND}`);
    expect(shares()).toEqual(['running:100 new:0', 'running:90 new:10', 'running:100']);
  });

  it('gives all requests back also when the upload changed a secret', async () => {
    seed([], [secretBinding('MAIL_API_KEY', 'old')]);
    platform.account.brokenPath = '/v1/mods';
    const wrangler = quickWrangler(platform, name, [{ name: 'MAIL_API_KEY', type: 'secret_text', text: 'new' }]);
    expect(await failureOf(rollOutNew({ wrangler }))).toContain('smoke test: /v1/mods returned 500');
    expect(shares()).toEqual(['running:100 new:0', 'running:100']);
  });

  it('uploads nothing when the error rates cannot be read', async () => {
    platform.account.mayReadAnalytics = false;
    expect(await failureOf(rollOutNew())).toContain('the token needs the permission Account Analytics: Read');
    expect(worker().versions).toHaveLength(2);
  });

  it('deploys the first version at once', async () => {
    platform.account.workers = {};
    await rollOutNew();
    expect(worker().deployments).toHaveLength(1);
    expect(printed()).toContain('production: this is the first version: it gets all requests at once');
  });

  it('refuses to start during another rollout, and names the command that ends it', async () => {
    addDeployment(worker(), [
      { version_id: older, percentage: 50 },
      { version_id: running, percentage: 50 },
    ]);
    await expect(rollOutNew()).rejects.toThrow(/^An earlier rollout is incomplete.*npm run deploy -- production --rollback/);
  });

  it('says that the new version may still get requests when they cannot be given back', async () => {
    platform.account.brokenPath = '/v1/status';
    // The smoke test of 0 % is the last thing that works.
    const pause = async () => {};
    await rollOutNew({ pause }).catch(() => {});
    const at = platform.requests.findIndex((request) => request.startsWith('service /v1/status')) + 1;
    seed();
    platform.fail({ at, fault: 'error-500', lasts: true });
    const message = await failureOf(rollOutNew({ pause }));
    expect(message).toContain('smoke test: /v1/status returned 500');
    expect(message).toContain(`Failed: the rollout, and giving all requests back to version ${running}
Now:    the new version may still get requests: npx wrangler deployments status --env production
Next:   npx wrangler versions deploy ${running}@100 --yes --env production`);
  });

  it('says that routes and cron triggers may be old when only they fail', async () => {
    await rollOutNew();
    const at = platform.requests.length - 1;
    seed();
    platform.fail({ at, fault: 'busy-429' });
    expect(
      await failureOf(rollOutNew()),
    ).toContain(`Now:    version ${newest()} gets all requests, but routes and cron triggers may not be up to date
Next:   npx wrangler triggers deploy --env production`);
  });
});

describe('rollBack', () => {
  it('gives all requests to the version before the running one', async () => {
    await rollBack('production');
    expect(shares()).toEqual(['older:100']);
  });

  it('does not return to the version that an earlier rollback left', async () => {
    await rollBack('production');
    await expect(rollBack('production')).rejects.toThrow('no earlier version');
    expect(shares()).toEqual(['older:100']);
  });

  it('ends a rollout in favor of the running version', async () => {
    const { id } = addVersion(worker(), [], false);
    addDeployment(worker(), [
      { version_id: running, percentage: 90 },
      { version_id: id, percentage: 10 },
    ]);
    await rollBack('production');
    expect(shares()).toEqual(['running:90 new:10', 'running:100']);
  });

  it.each([
    [
      'changed',
      [secretBinding('KEEP', 'x'), secretBinding('TOKEN_KEY', 'old')],
      [secretBinding('KEEP', 'x'), secretBinding('TOKEN_KEY', 'new')],
    ],
    ['deleted', [secretBinding('TOKEN_KEY', 'old')], []],
  ])('changes nothing past a secret that was %s, names it and says what to do', async (_, before, after) => {
    seed(before, after);
    await expect(rollBack('production')).rejects.toThrow(
      new RegExp(`^Not rolled back: version ${older} has the old values of TOKEN_KEY\\. .*older commit.*--with-old-secrets`),
    );
    expect(shares()).toEqual([]);
    await rollBack('production', { withOldSecrets: true });
    expect(shares()).toEqual(['older:100']);
  });

  it('prints the variables that go back, and secrets that the earlier version lacks', async () => {
    const variable = (text: string) => ({ name: 'BASE_URL', type: 'plain_text', text });
    seed([variable('https://a.test')], [variable('https://b.test'), secretBinding('NEW_KEY', 'x')]);
    await rollBack('production');
    expect(printed()).toContain('production: variables go back with the code:\n  BASE_URL: "https://b.test" -> "https://a.test"');
    expect(printed()).toContain('production: secrets that the earlier version lacks:\n  NEW_KEY');
  });

  it('names the lack of an earlier version', async () => {
    worker().deployments.pop();
    await expect(rollBack('production')).rejects.toThrow('no earlier version');
  });
});

describe('targetOfRollback', () => {
  const history = (...states: string[]) =>
    states.reverse().map((state) => ({ created_on: '', versions: state.split('+').map((version_id) => ({ version_id, percentage: 1 })) }));

  it('is the version before the first deployment of the running one', () => {
    expect(targetOfRollback(history('a', 'b'))).toBe('a');
    expect(targetOfRollback(history('a', 'a+b', 'b'))).toBe('a');
    expect(targetOfRollback(history('a', 'b', 'a'))).toBeUndefined();
    expect(targetOfRollback(history('o', 'a', 'b', 'a'))).toBe('o');
  });

  it('is the running version during a rollout', () => {
    expect(targetOfRollback(history('o', 'a', 'a+b'))).toBe('a');
    expect(targetOfRollback(history('o', 'a', 'a+b', 'a+b'))).toBe('a');
    expect(targetOfRollback([])).toBeUndefined();
  });
});

describe.each(OUTAGES)('an outage of the platform: %s', (outage) => {
  /** Number of requests of a run without a fault. */
  async function requestsOf(run: () => Promise<unknown>): Promise<number> {
    platform.fail(null);
    await run();
    return platform.requests.length;
  }

  /** The account, with the random ids in the order in which they appear. */
  function stateOfAccount(): string {
    const ids: string[] = [];
    return JSON.stringify(platform.account).replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `id ${ids.indexOf(id)}`;
    });
  }

  it('at any request of a rollout leaves one version with all requests or says which may have some, and a second run succeeds', async () => {
    const count = await requestsOf(rollOutNew);
    expect(count).toBeGreaterThan(25);
    const completed = new Set<string>();
    for (let at = 0; at < count; at += 1) {
      seed();
      platform.fail(outageAt(outage, at));
      const message = await failureOf(rollOutNew());
      platform.fail(null);
      const isWhole = worker().deployments[0]?.versions.length === 1;
      // The response of the last request that has an effect may be lost: then the deployment is complete.
      if (message === null) expect([at, shares().at(-1)]).toEqual([at, 'new:100']);
      else if (!isWhole) expect([at, message]).toEqual([at, expect.stringContaining('may still get requests')]);
      if (!isWhole && worker().deployments[0]?.versions[0]?.percentage !== 100) await rollBack('production');
      // The account is all that a second run starts from.
      const state = stateOfAccount();
      if (completed.has(state)) continue;
      await rollOutNew();
      expect([at, shares().at(-1)]).toEqual([at, 'new:100']);
      completed.add(state);
    }
  });

  it('at any request of a rollback changes nothing or completes it, and the next command completes it', async () => {
    const count = await requestsOf(() => rollBack('production'));
    expect(count).toBeGreaterThan(3);
    for (let at = 0; at < count; at += 1) {
      seed();
      platform.fail(outageAt(outage, at));
      const message = await failureOf(rollBack('production'));
      platform.fail(null);
      const next = /Next: {3}(.*)/.exec(message ?? '')?.[1] ?? '';
      if (next.endsWith('--rollback')) await rollBack('production');
      else if (next !== '') expect(next).toBe(`npx wrangler versions deploy ${older}@100 --yes --env production`);
      if (next === '' || next.endsWith('--rollback')) expect([at, shares()]).toEqual([at, ['older:100']]);
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
