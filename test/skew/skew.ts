import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openArchive } from '../../scripts/lib/archive/bindings.ts';
import { loadDemo } from '../../scripts/lib/archive/demo.ts';
import { demoBuilds } from '../../scripts/lib/archive/demo-builds.ts';
import { buildBundle } from '../../scripts/lib/build-bundle.ts';
import { openMigratedState } from '../../scripts/lib/dev/local-state.ts';
import { settingsOf, varsOf } from '../../scripts/lib/dev/mock-services.ts';
import { storeSettings } from '../../scripts/lib/dev/stored-settings.ts';
import { createDumpWorld } from '../../scripts/lib/dumps/board-dumps.ts';
import { SyntheticMarket } from '../../scripts/lib/dumps/market-dumps.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { ROOT } from '../../scripts/lib/paths.ts';
import { LATEST_KEY } from '../../src/areas/backup/backup-files.store.ts';
import { buildTmod } from '../../src/areas/mods/tmod-layout.domain.ts';
import { createSealingKeyPair } from '../../src/platform/storage/sealed-box.ts';
import { SMOKE_CHECKS } from '../smoke/smoke-checks.ts';
import { UPSTREAM_SERVERS } from '../support/upstreams/registry.ts';
import type { RunningUpstream } from '../support/upstreams/upstream-server.ts';
import { type BuiltVersion, buildRevision, type MixedBundle, startMixed } from './mixed-bundle.ts';
import { newFailures, readAll, storeNeighbours } from './stored-values.ts';

const EMAIL = 'root@skew.example';
const PASSWORD = randomBytes(16).toString('hex');
const TIMEOUT_MS = 30_000;
const POLL_MS = 100;
const NOW = Math.floor(Date.now() / 1000);

/** Smoke checks that use objects. */
const SMOKED = [
  'a rotation has the rate limit headers',
  'a new token is accepted',
  'a revoked token is refused',
  'an unknown and a malformed token are refused',
  'parallel requests are counted exactly',
];
/** Jobs that start or ask objects. */
const JOBS = ['events-watch', 'webhooks-deliver', 'archive-sync-live-us', 'mods-mirror', 'codexes-index'];
/** Error of a call to a method that the other version lacks. */
const MISSING_METHOD = /does not implement the method|is not a function/;

interface World extends MixedBundle {
  /** Credential of the superuser's session. */
  session: string;
  /** Number of deliveries that the webhook received. */
  deliveries(): number;
}

/** Requests that use the classes of objects; the file of a class in the storage proves it. */
const CHECKS: Readonly<Record<string, (world: World) => Promise<void>>> = {
  'an insert with an idempotency key is replayed': async (world) => {
    const token = await world.mintToken({ superuser: true });
    const headers = { 'Idempotency-Key': randomBytes(12).toString('hex') };
    const insert = () => send(world, '/v1/rotations/challenge/insert', { token, headers, body: { name: 'Racing Challenge' } });
    const first = await insert();
    assert.deepEqual(await insert(), first);
  },
  'a stream receives an event': async (world) => {
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${await world.mintToken()}` };
    const response = await fetch(`${world.url}/v1/events/stream`, { headers, signal: stop.signal });
    assert.equal(response.status, 200);
    const token = await world.mintToken({ superuser: true });
    await send(world, '/v1/rotations/chaos-chest/insert', { token, body: { name: 'Racing Challenge' } });
    const timer = setTimeout(() => stop.abort(new UserError('the stream received no event in time')), TIMEOUT_MS);
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('Racing Challenge')) break;
    }
    clearTimeout(timer);
    assert.match(text, /Racing Challenge/);
  },
  'a dump of the market is accepted': async (world) => {
    const market = new SyntheticMarket({ seed: 3, newEachHour: 50, meanHours: 20 }).nextDump(NOW);
    await send(world, '/v1/market/insert', { token: await world.mintToken({ superuser: true }), body: formOf(market) });
  },
  'a dump of leaderboards is stored': async (world) => {
    const dump = createDumpWorld({ seed: 3, boards: 2, entries: 20, players: 40 }).dump(NOW);
    await send(world, '/v1/leaderboards/insert', { token: await world.mintToken({ superuser: true }), body: formOf(dump) });
    await until('the leaderboards', async () => (await count(world, 'SELECT count(*) AS n FROM capture_boards')) > 0);
  },
  'a webhook receives a test event': async (world) => {
    const target = { url: 'https://hooks.example.com/skew', events: ['challenge'] };
    const { id } = await send(world, '/v1/webhooks/signed', { token: world.session, body: target });
    await send(world, `/v1/webhooks/signed/${id}/test`, { token: world.session });
    await until('the delivery', async () => world.deliveries() > 0);
  },
  'a release of a mod is inserted and downloaded': async (world) => {
    const content = new TextEncoder().encode('content');
    const file = buildTmod({ version: 1, properties: new Map([['title', content]]), files: [{ path: 'ui/tiny.swf', content }] });
    const release = { tag: '1.0.0', artifact_base64: Buffer.from(file).toString('base64') };
    const body = { handle: 'ana', title: 'Tiny Wings', release };
    const token = await world.mintToken({ superuser: true });
    const stored = (await send(world, '/v1/mods/insert', { token, body })) as { release: { download_url: string } };
    const response = await fetch(new URL(new URL(stored.release.download_url, world.url).pathname, world.url));
    assert.equal(response.status, 200);
    await response.arrayBuffer();
  },
  'a revoked token ends in its gate': async (world) => {
    const created = await send(world, '/tokens', { token: world.session, body: { name: 'skew', scopes: 0 } });
    const used = () => fetch(`${world.url}/v1/token`, { headers: { authorization: `Bearer ${created.token}` } });
    assert.equal((await used()).status, 200);
    await send(world, `/tokens/${created.id}/revoke`, { token: world.session, body: { reason: 'skew test' } });
    assert.equal((await used()).status, 401);
  },
  'the jobs with objects run': async (world) => {
    for (const job of JOBS) await send(world, `/admin/jobs/${job}/run`, { token: world.session });
    const names = JOBS.map((job) => `'${job}'`).join();
    const isDone = `SELECT count(*) AS n FROM job_runs WHERE name IN (${names}) AND duration_ms IS NOT NULL AND lease_until IS NULL`;
    await until('the end of the jobs', async () => (await count(world, isDone)) === JOBS.length);
    // The archive's host has no mock: an object that reports it as unreachable has run.
    const failed = await world.database
      .prepare(
        `SELECT name, last_error FROM job_runs WHERE name IN (${names}) AND failures > 0 AND last_error NOT LIKE 'archive-%: no response%'`,
      )
      .all();
    assert.deepEqual(failed.results, []);
  },
  'a backup is written': async (world) => {
    await send(world, '/admin/jobs/backup/run', { token: world.session });
    const bucket = await world.mf.getR2Bucket('BACKUPS', 'serving');
    await until('the backup', async () => (await bucket.head(LATEST_KEY)) !== null);
  },
  'the status of the service is probed and read': async (world) => {
    const worker = (await world.mf.getWorker('serving')) as unknown as { scheduled(options: { cron: string }): Promise<unknown> };
    await worker.scheduled({ cron: '* * * * *' });
    assert.equal((await fetch(`${world.url}/v1/status`)).status, 200);
  },
  'no method is missing': async ({ logs }) => {
    assert.deepEqual(
      logs.filter((line) => MISSING_METHOD.test(line)),
      [],
    );
  },
};

/**
 * `npm run test:long -- skew --against REVISION`: a deployment keeps two versions live, so the Worker of this checkout runs over the objects
 * of a revision, and the reverse.
 */
await runMain(async () => {
  const { against } = parseArgs({ options: { against: { type: 'string' } } }).values;
  if (!against) throw new UserError('usage: npm run test:long -- skew --against REVISION');
  await buildBundle();
  const current: BuiltVersion = { name: 'this checkout', root: ROOT };
  const other = await buildRevision(against);
  const upstreams = await Promise.all(UPSTREAM_SERVERS.map((server) => server.start(0)));
  try {
    const failed = (await runChecks(current, other, upstreams)) + (await runChecks(other, current, upstreams));
    console.log(`skew: ${failed} failed`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    await Promise.all(upstreams.map((server) => server.stop()));
    await other.remove();
  }
});

/** Runs all checks with one pair of versions and returns the number of failures. */
async function runChecks(serving: BuiltVersion, objects: BuiltVersion, upstreams: readonly RunningUpstream[]): Promise<number> {
  console.log(`Worker of ${serving.name}, objects of ${objects.name}:`);
  const persistTo = mkdtempSync(join(tmpdir(), 'skew-state-'));
  const receiver = await startReceiver();
  const vars = {
    ENVIRONMENT: 'development',
    LOG_SAMPLE: '0',
    PASSWORD_COST: '1024',
    SESSION_SECRET: randomBytes(32).toString('hex'),
    SUPERUSER_EMAIL: EMAIL,
    SUPERUSER_PASSWORD: PASSWORD,
    BACKUP_PUBLIC_KEY: (await createSealingKeyPair()).publicKey,
    ...varsOf(upstreams),
    SIGNED_WEBHOOK_POST_BASE: receiver.url,
  };
  let bundle: MixedBundle | null = null;
  let failed = 0;
  const run = async (name: string, check: () => Promise<void>) => {
    try {
      await check();
      console.log(`  ok    ${name}`);
    } catch (error) {
      failed += 1;
      console.error(`  FAIL  ${name}\n${error instanceof Error ? error.message : error}`);
    }
  };
  try {
    await storeArchive(persistTo);
    const mixed = await startMixed(serving, objects, { vars, persistTo });
    bundle = mixed;
    const settings = Object.entries(settingsOf(upstreams));
    await storeSettings(
      mixed.database,
      settings.map(([key]) => key),
      settings,
    );
    for (const name of mixed.lackedClasses) console.log(`  left out: ${name}, which ${objects.name} lacks`);
    for (const name of SMOKED) await run(name, async () => SMOKE_CHECKS[name]?.({ ...mixed, directUrl: null, tokenKey: '' }));
    const signedIn = await send(mixed, '/auth/login', { body: { email: EMAIL, password: PASSWORD } });
    const world = { ...mixed, session: String(signedIn.access_token), deliveries: receiver.count };
    for (const [name, check] of Object.entries(CHECKS)) await run(name, () => check(world));
    await run('every class that both versions have was used', async () => {
      const used = classesUsed(persistTo);
      assert.deepEqual(
        mixed.sharedClasses.filter((name) => !used.includes(name)),
        [],
      );
    });
    const token = await mixed.mintToken({ superuser: true });
    const statuses = await readAll(mixed, world.session, token);
    for (const neighbour of ['newer', 'older'] as const) {
      await run(`stored JSON of the ${neighbour} neighbour is read`, async () => {
        const { values, restore } = await storeNeighbours(mixed, neighbour);
        assert.ok(values > 0);
        try {
          assert.deepEqual(newFailures(statuses, await readAll(mixed, world.session, token)), []);
          await CHECKS['the jobs with objects run']?.(world);
        } finally {
          await restore();
        }
      });
    }
    // What these versions stored, read with their parts exchanged: also the values of objects.
    await bundle.dispose();
    const exchanged = await startMixed(objects, serving, { vars, persistTo });
    bundle = exchanged;
    await run('the values that both stored are read with the versions exchanged', async () => {
      assert.deepEqual(newFailures(statuses, await readAll(exchanged, world.session, token)), []);
      await CHECKS['the jobs with objects run']?.({ ...world, ...exchanged });
    });
  } finally {
    await bundle?.dispose();
    receiver.server.close();
    rmSync(persistTo, { recursive: true, force: true });
  }
  return failed;
}

/** Stores a version of the game's files, which the codex index reads. */
async function storeArchive(state: string): Promise<void> {
  await (await openMigratedState(state)).dispose();
  const archive = await openArchive({ isRemote: false, state });
  try {
    await loadDemo({ branch: 'live-us', archive, builds: [demoBuilds({ files: 20, entries: 20 }).first], parallel: 4 });
  } finally {
    await archive.dispose();
  }
}

/** Classes with storage of an instance in the other version. */
function classesUsed(persistTo: string): string[] {
  const folder = join(persistTo, 'do');
  const classes = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('objects-')) : [];
  const hasInstance = (name: string) => readdirSync(join(folder, name)).some((file) => /^[0-9a-f]{64}\.sqlite$/.test(file));
  return classes.filter(hasInstance).map((name) => name.slice('objects-'.length));
}

interface Sent {
  token?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: object;
}

/** Sends a request that must be accepted, and returns the JSON of the response. */
async function send(
  { url }: { url: string },
  path: string,
  { token, method = 'POST', headers, body }: Sent,
): Promise<Record<string, unknown>> {
  const isForm = body instanceof FormData;
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${path}: ${response.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function formOf(text: string): FormData {
  const form = new FormData();
  form.append('file', new File([text], 'dump.cfg', { type: 'text/plain' }));
  return form;
}

async function count({ database }: World, sql: string): Promise<number> {
  return Number((await database.prepare(sql).first<{ n: number }>())?.n ?? 0);
}

/** Waits for what an object does after the response. */
async function until(name: string, isDone: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; !(await isDone()); await new Promise((resolve) => setTimeout(resolve, POLL_MS))) {
    if (Date.now() > end) throw new UserError(`${name} did not arrive in time`);
  }
}

async function startReceiver(): Promise<{ url: string; server: Server; count(): number }> {
  let received = 0;
  const server = createServer((incoming, outgoing) => {
    received += 1;
    incoming.resume();
    outgoing.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, count: () => received };
}
