import { eq } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { contentsOf } from '../../scripts/lib/archive/bindings.ts';
import type { RunningBundle } from '../../scripts/lib/bundle.ts';
import { postMarketDump, SyntheticMarket } from '../../scripts/lib/dumps/market-dumps.ts';
import { type Staged, stageEntry } from '../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../src/areas/codexes/indexer/codex-writes.store.ts';
import { statusSegments } from '../../src/areas/game-status/game-status.tables.ts';
import type { TokenGateObject } from '../../src/platform/access/tokens/token-gate.object.ts';
import { apiTokens, users } from '../../src/platform/access/tokens.tables.ts';
import type { UsageRecord } from '../../src/platform/access/usage/usage-buffer.ts';
import { createContentStore } from '../../src/platform/storage/content-store.ts';
import { createDatabase, type Database } from '../../src/platform/storage/database.ts';
import { seedActivity } from '../support/activity-history.ts';
import { createCodexBuilder } from '../support/codex/seeded-codex.ts';
import { SMALL_CODEX } from '../support/codex/small-codex.ts';
import { insertMod } from './authors.ts';
import { indexDocumentation } from './documentation.ts';
import { sendDump } from './replay.ts';

const HOUR = 3600;
const DAYS = 30;
const BRANCH = 'live-us';
const ROUTES = ['/v1/rotations/server-time', '/v1/rotations/challenge/current', '/v1/stats/classes/{tech_name}', '/v1/misc/game-status'];

/** Stores what public pages show: a history of some weeks for charts and timelines, a mod, a board, and the index of the search. */
export async function seedWorld(bundle: RunningBundle): Promise<void> {
  const { database: binding, mf, url } = bundle;
  const superuserToken = await bundle.mintToken({ superuser: true });
  const now = Math.floor(Date.now() / 1000);
  await seedServers(drizzle(binding), now);
  await seedActivity(drizzle(binding), now, DAYS, 3);
  await seedCodex(createDatabase(binding), (await mf.getR2Bucket('ARCHIVE')) as unknown as R2Bucket, now);
  await seedMarket(url, superuserToken, now);
  await sendDump(url, superuserToken);
  await insertMod(url, superuserToken);
  await indexDocumentation(url, superuserToken);
}

/** Stores the use of the first token of an account over some weeks. */
export async function seedUsage({ database, mf }: RunningBundle, email: string): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const [token] = await drizzle(database)
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(eq(users.email, email));
  if (!token) throw new Error(`${email} has no token`);
  const gates = (await mf.getDurableObjectNamespace('TOKEN_GATES')) as unknown as DurableObjectNamespace<TokenGateObject>;
  const gate = gates.get(gates.idFromName(token.id));
  const thisHour = now - (now % HOUR);
  for (let day = 1; day < DAYS; day += 1) {
    const records = ROUTES.map((route, index) => {
      const requestCount = Math.round((40 + 30 * Math.sin(day / 3)) * (ROUTES.length - index));
      const rateLimited = day % 7 === 0 ? Math.round(requestCount / 10) : 0;
      const errorCount = rateLimited + Math.round(requestCount / 25);
      const at = thisHour - day * 24 * HOUR;
      const record = (status: number, count: number): UsageRecord => ({
        method: 'GET',
        route,
        path: route,
        status,
        count,
        at,
        durationMilliseconds: count * (5 + index),
      });
      return [record(200, requestCount - errorCount), record(404, errorCount - rateLimited), record(429, rateLimited)];
    });
    await gate.recordUsage(records.flat().filter(({ count }) => count > 0));
  }
}

async function seedServers(database: DrizzleD1Database, now: number): Promise<void> {
  const past = (days: number) => now - Math.round(days * 24 * HOUR);
  const segments = [
    ['online', 30, 12],
    ['maintenance', 12, 11.7],
    ['online', 11.7, 4],
    ['down', 4, 3.9],
    ['online', 3.9, 0],
  ] as const;
  for (const environment of ['eu', 'us'] as const)
    for (const [status, from, to] of segments) {
      const endedAt = to === 0 ? null : past(to);
      await database.insert(statusSegments).values({ environment, status, startedAt: past(from), endedAt, lastConfirmedAt: past(to) });
    }
}

/** Stores a few entries and a recipe in two versions, for the codex pages. */
async function seedCodex(database: Database, bucket: R2Bucket, now: number): Promise<void> {
  const writes = createCodexWrites(database);
  const contents = { ...createContentStore(bucket), ...contentsOf(bucket) };
  const build = createCodexBuilder(database, contents, BRANCH, now);
  const stage = async (ordinal: number, entries: typeof SMALL_CODEX, change: 'added' | 'modified') => {
    const staged: Staged = {};
    for (const entry of entries) stageEntry(staged, entry, `e2e ${ordinal}`, change);
    await writes.stageRows(BRANCH, ordinal, staged);
    await build(ordinal);
  };
  await stage(1, SMALL_CODEX, 'added');
  const [first] = SMALL_CODEX;
  if (first) await stage(2, [{ ...first, entry: { ...first.entry, mastery: 75, description: 'Now with more legs.' } }], 'modified');
}

/** Sends a dump of a generated market. */
async function seedMarket(url: string, superuserToken: string, now: number): Promise<void> {
  const market = new SyntheticMarket({ seed: 1, newEachHour: 60, meanHours: 20, staples: ['Sun Sap'] });
  await postMarketDump({ baseUrl: url, superuserToken }, market.nextDump(now), now);
}
