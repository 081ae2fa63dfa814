import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { drizzle } from 'drizzle-orm/d1';
import { hashesOf, newRefreshToken } from '../../src/areas/accounts/session.service.ts';
import { PART_NAMES } from '../../src/areas/service-status/status.domain.ts';
import { createTokenReader } from '../../src/platform/access/policy/credentials.ts';
import { createSignedClaims } from '../../src/platform/access/sessions/sessions.ts';
import { sessions, users } from '../../src/platform/access/tokens.tables.ts';
import { createContentStore } from '../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { DEFAULT_DELAYS, type Hop } from '../../test/distance/simulator.ts';
import { MOUNT_PATH, seedCodex } from '../../test/support/codex/seeded-codex.ts';
import { EXAMPLE_INSTANT, storeExamples, storeListing } from '../../test/support/example-data.ts';
import { demoLeaderboards } from '../demo/leaderboards.ts';
import { type RunningBundle, startBundle, TOKEN_KEY } from '../lib/bundle.ts';
import { productionVars, tokenFormatIn } from '../lib/config.ts';
import { createDemoClient } from '../lib/demo-client.ts';
import { runMain, UserError } from '../lib/main.ts';
import { inRoot } from '../lib/paths.ts';
import { withObjectExports } from '../lib/service-entry.ts';

type Credential = 'none' | 'token' | 'session' | 'cookie';

/** A request of the table. */
interface Path {
  path: string;
  credential: Credential;
  /** Maximum virtual milliseconds: with settings, and when a request waits for them. The first use of a token has none. */
  targets: { warm: number; cold: number };
}

interface Measure {
  status: number;
  ms: number;
  sequence: (Hop & { within: Hop[] })[];
  /** Hops that ran in parallel or after the response. */
  others: Hop[];
}

interface Command {
  /** Forget the service with its caches, as in a new isolate. */
  isCold?: boolean;
  advanceMs?: number;
  evictedGate?: string;
}

const FAST = { warm: 30, cold: 38 };
const FRONT_PAGE = { warm: 30, cold: 60 };
const PORTAL = { warm: 350, cold: 350 };

const PATHS: readonly Path[] = [
  { path: '/v1/rotations/server-time', credential: 'none', targets: FAST },
  { path: '/v1/rotations/server-time', credential: 'token', targets: FAST },
  { path: '/v1/rotations/calendar', credential: 'none', targets: FAST },
  { path: '/v1/feeds/news', credential: 'none', targets: FAST },
  { path: '/v1/codexes/mount', credential: 'token', targets: FAST },
  { path: '/v1/codexes/search?q=dragon', credential: 'token', targets: FAST },
  { path: '/v1/market/listings', credential: 'token', targets: FAST },
  { path: '/v1/leaderboards', credential: 'token', targets: FAST },
  { path: '/v1/mods', credential: 'none', targets: FAST },
  { path: '/v1/token', credential: 'token', targets: FAST },
  { path: '/', credential: 'none', targets: FRONT_PAGE },
  { path: '/servers', credential: 'none', targets: FAST },
  { path: '/activity', credential: 'none', targets: FAST },
  { path: '/codex', credential: 'none', targets: FAST },
  { path: '/codex/mount', credential: 'none', targets: FAST },
  { path: `/codex/mount/entry?path=${encodeURIComponent(MOUNT_PATH)}`, credential: 'none', targets: FAST },
  { path: '/status', credential: 'none', targets: FAST },
  { path: '/portal/tokens', credential: 'cookie', targets: PORTAL },
  { path: '/tokens', credential: 'session', targets: PORTAL },
];

/** Columns of the table. */
const SCENARIOS = ['warm', 'settings expired', 'after a quiet minute', 'isolate cold', 'gate cold', 'first use', 'after a write'] as const;
type Scenario = (typeof SCENARIOS)[number];

/** Time since the last request: the next second. */
const WARM_MS = 1000;
const EXPIRED_MS = 20_000;
const QUIET_MS = 60_000;
const SESSION_SECRET = 'a secret of the bench, 32 or more';
const HOUR_MS = 3_600_000;
const YEAR_SECONDS = 365 * 86_400;

/** A session of the ordinary account. */
async function createSession({ database }: RunningBundle): Promise<string> {
  const db = drizzle(database);
  const now = Math.floor(Date.now() / 1000);
  const [account] = await db.select({ id: users.id }).from(users).limit(1);
  const hashes = hashesOf(newRefreshToken());
  if (!account || !hashes) throw new UserError('The demo data has no account.');
  const id = crypto.randomUUID();
  const times = { refreshedAt: now, createdAt: now, lastUsedAt: now, expiresAt: now + YEAR_SECONDS };
  await db.insert(sessions).values({ id, userId: account.id, ...hashes, ...times });
  return createSignedClaims(SESSION_SECRET).sign('access', { sub: account.id, ver: 0, sid: id }, YEAR_SECONDS, now);
}

/** Data of every area that the table reads. */
async function storeData(bundle: RunningBundle, superuser: string): Promise<void> {
  const db = createDatabase(bundle.database);
  const contents = createContentStore((await bundle.mf.getR2Bucket('ARCHIVE')) as unknown as R2Bucket);
  await storeExamples(db, contents);
  await storeListing(db, Math.floor(Date.now() / 1000));
  // The dump is written as a stream, for which Node lacks the runtime's classes; no path of the table reads it.
  const dumps = { putStream: async ({ body }: { body: ReadableStream }) => void (await new Response(body).arrayBuffer()) };
  await seedCodex(db, { ...contents, ...dumps } as never, 'live-us', EXAMPLE_INSTANT);
  const token = await bundle.mintToken();
  const now = Math.floor(Date.now() / HOUR_MS) * (HOUR_MS / 1000);
  await demoLeaderboards(createDemoClient({ base_url: bundle.url, token, superuser_token: superuser, portal: null }), [now]);
  const cache = await bundle.mf.getKVNamespace('CACHE');
  await cache.put('feeds/news', JSON.stringify({ fetchedAt: now, items: [] }));
  const game = { online: true, host: 'game.example', port: 6560, latency_ms: 42, error: null, probe: 'deep' };
  const environment = { status: 'online', online: true, game };
  const auth = { online: true, http_status: 200, latency_ms: 120, error: null };
  const environments = { eu: environment, us: environment, pts: environment };
  await cache.put('game-status', JSON.stringify({ overall: 'online', auth, environments, checked_at: now }));
}

const SHORT: Readonly<Record<Hop['place'], string>> = {
  primary: 'PRIMARY',
  replica: 'replica',
  near: 'object',
  far: 'FAR',
  kv: 'kv',
  r2: 'r2',
};

/** The hops in sequence; in brackets those that an object waited for, after `+` those that nothing waited for. */
function hopsText({ sequence, others }: Measure): string {
  const texts = sequence.map(({ place, within }) =>
    within.length > 0 ? `${SHORT[place]}(${within.map((hop) => SHORT[hop.place]).join(' ')})` : SHORT[place],
  );
  const more = others.length > 0 ? ` + ${others.length}` : '';
  return `${texts.join(' ') || '-'}${more}`;
}

/** `npm run bench -- distance`: hops in sequence and virtual milliseconds of requests far from the database. `--reuse` uses the existing `dist/`, `--against DIST` that of another checkout. */
await runMain(async () => {
  const folder = inRoot('test/distance');
  const wrapper = {
    'worker.js': withObjectExports(readFileSync(`${folder}/worker.js`, 'utf8')),
    'simulator.js': stripTypeScriptTypes(readFileSync(`${folder}/simulator.ts`, 'utf8')),
  };
  const vars = { ENVIRONMENT: 'development', RATE_LIMIT_MULTIPLIER: '100', LOG_SAMPLE: '0', SESSION_SECRET };
  const at = process.argv.indexOf('--against');
  const built = at < 0 ? {} : { bundleFolder: process.argv[at + 1] ?? '' };
  const bundle = await startBundle({
    ...built,
    reuseBuild: process.argv.includes('--reuse'),
    wrapper,
    vars,
  });
  try {
    const superuser = await bundle.mintToken({ superuser: true });
    await storeData(bundle, superuser);
    const session = await createSession(bundle);
    const readToken = createTokenReader(tokenFormatIn({ ...productionVars(), TOKEN_KEY }));
    const idOf = (secret: string) => {
      const token = readToken(secret);
      if (typeof token === 'string') throw new UserError('The token is malformed.');
      return token.id;
    };
    /** Clock of the isolate ahead of real time. */
    let clockMs = 0;

    async function measure({ path, credential }: Path, secret: string, command: Command): Promise<Measure> {
      clockMs += command.advanceMs ?? 0;
      await storeStatus();
      const authorization = { none: '', token: `Bearer ${secret}`, session: `Bearer ${session}`, cookie: '' }[credential];
      const response = await fetch(bundle.url + path, {
        redirect: 'manual',
        headers: {
          'X-Distance': JSON.stringify(command),
          'CF-Connecting-IP': '203.0.113.7',
          ...(authorization ? { Authorization: authorization } : {}),
          ...(credential === 'cookie' ? { Cookie: `portal_session=${session}` } : {}),
        },
      });
      const text = await response.text();
      if (!response.ok) throw new UserError(`${path}: ${response.status} ${text.slice(0, 500)}`);
      const measured = JSON.parse(text) as Measure;
      if (measured.status !== 200) throw new UserError(`${path}: status ${measured.status}`);
      return measured;
    }

    /** Changes a tracked list in an isolate, which moves the bookmark that the isolate requires. */
    async function write(): Promise<void> {
      const response = await fetch(`${bundle.url}/admin/supporters`, {
        method: 'POST',
        headers: {
          'X-Distance': '{}',
          'Content-Type': 'application/json',
          Authorization: `Bearer ${superuser}`,
        },
        body: JSON.stringify({ name: crypto.randomUUID() }),
      });
      await response.text();
    }

    /** The check of the last minute, which cron stores. */
    async function storeStatus(): Promise<void> {
      const check = { state: 'green', detail: null };
      const parts = Object.fromEntries(PART_NAMES.map((name) => [name, check]));
      const snapshot = { checkedAt: Math.floor((Date.now() + clockMs) / 1000), parts, jobs: [], upstreams: [] };
      await (await bundle.mf.getKVNamespace('CACHE')).put('service-status', JSON.stringify({ snapshot, days: [], incidents: [] }));
    }

    const rows = new Map<Path, Map<Scenario, Measure>>();
    for (const path of PATHS) {
      const secret = await bundle.mintToken();
      const evictedGate = idOf(secret);
      const row = new Map<Scenario, Measure>();
      const first = await measure(path, secret, {});
      if (path.credential === 'token') row.set('first use', first);
      row.set('warm', await measure(path, secret, { advanceMs: WARM_MS }));
      row.set('settings expired', await measure(path, secret, { advanceMs: EXPIRED_MS }));
      row.set('after a quiet minute', await measure(path, secret, { advanceMs: QUIET_MS }));
      await write();
      row.set('after a write', await measure(path, secret, { advanceMs: WARM_MS }));
      row.set('isolate cold', await measure(path, secret, { isCold: true }));
      if (path.credential === 'token') row.set('gate cold', await measure(path, secret, { evictedGate }));
      rows.set(path, row);
    }

    const { primary, replica, near, far, kv, r2, lag } = DEFAULT_DELAYS;
    console.log(
      `Milliseconds: D1 primary ${primary}, replica ${replica} (behind by ${lag} after a write), near object ${near}, far object ${far}, KV ${kv}, R2 ${r2}.\n`,
    );
    console.log(`| path | ${SCENARIOS.join(' | ')} |\n|---|${SCENARIOS.map(() => '---').join('|')}|`);
    for (const [{ path, credential, targets }, row] of rows) {
      const cells = SCENARIOS.map((scenario) => {
        const measured = row.get(scenario);
        if (!measured) return '';
        const target = scenario === 'isolate cold' || scenario === 'after a quiet minute' ? targets.cold : targets.warm;
        const isMet = scenario === 'first use' || measured.ms <= target;
        if (!isMet) process.exitCode = 1;
        return `${measured.ms}${isMet ? '' : ' !'}: ${hopsText(measured)}`;
      });
      console.log(`| \`${path}\`${credential === 'none' ? '' : `, ${credential}`} | ${cells.join(' | ')} |`);
    }
    console.log(
      '\nPRIMARY, replica: D1. object, FAR: Durable Objects near the reader and near the database; in brackets what the object waited for.',
    );
    console.log('`+ n`: hops in parallel or in the background. `!`: above the target.');
  } finally {
    await bundle.dispose();
  }
});
