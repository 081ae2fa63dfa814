import { sql } from 'drizzle-orm';
import { modDownloadsDaily, modReleases, mods } from '../../src/areas/mods-catalog/records/catalog.tables.ts';
import { storeExamples } from '../../test/support/example-data.ts';
import type { ArchiveBindings } from '../lib/archive/bindings.ts';
import { loadDemo } from '../lib/archive/demo.ts';
import { type DemoSize, demoBuilds } from '../lib/archive/demo-builds.ts';
import { createDemoClient, type DemoClient, type DemoServer } from '../lib/demo-client.ts';
import { DEMO_GAME_STEPS } from '../lib/dev/demo-mark.ts';
import { demoCaptures, demoGiveaways, demoMods, demoProject, demoServerHistory, demoSupporters } from './community.ts';
import { demoLeaderboards } from './leaderboards.ts';
import { demoMarket } from './market.ts';

export const BRANCH = 'live-us';
const [FIRST_VERSION, SECOND_VERSION] = DEMO_GAME_STEPS;
const INDEX_JOB = 'codexes-index';
const SEARCH_JOB = 'search-index';
const INDEX_TIMEOUT_MS = 120_000;
const POLL_MS = 250;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Days of the market; the leaderboards have fewer. */
const MARKET_DAYS = 14;
const RECENT_HOURS = 12;
const SPARSE_HOURS = 12;

export interface DemoWorld {
  server: DemoServer;
  /** Database and archive of the server. */
  state: Omit<ArchiveBindings, 'dispose'>;
  /** Size of the demo game. */
  game: DemoSize;
  /** Length of the history of leaderboards and market, in hours. */
  hours: number;
}

/** Slightly more than a week, so that weekly windows start within the data. */
export const DEMO_SIZE: Pick<DemoWorld, 'game' | 'hours'> = { game: { files: 400, entries: 200 }, hours: 175 };

/** A step of the demo data. Runs once; an interrupted step can be repeated. */
export interface DemoStep {
  name: string;
  run(world: DemoWorld & { client: DemoClient; now: number }): Promise<void>;
}

/**
 * The demo data, created through the endpoints of bots and administrators. The examples of the OpenAPI document have fixed ids, which
 * no endpoint accepts, so they are stored directly.
 */
export const DEMO_STEPS: readonly DemoStep[] = [
  { name: 'examples', run: ({ state: { db, contents }, now }) => storeExamples(db, contents, now).catch(ignoreStored) },
  { name: 'supporters', run: ({ client }) => demoSupporters(client) },
  { name: 'giveaways', run: ({ client, server, now }) => demoGiveaways(client, server.portal, now) },
  // The job is not due before the next reset, so it is run by hand.
  {
    name: 'delves',
    run: ({ client }) =>
      client.post('/admin/jobs/delves-relay/run').then(
        () => {},
        () => {},
      ),
  },
  // The second version is stored after the first is indexed, because the codex compares indexed versions.
  { name: FIRST_VERSION, run: (world) => storeVersion(world, 1) },
  { name: SECOND_VERSION, run: (world) => storeVersion(world, 2) },
  { name: 'mods', run: ({ client, now }) => demoMods(client, now) },
  {
    name: 'project',
    run: ({ client, server, state: { db }, now }) =>
      demoProject(client, server.portal, now, async (days) => {
        await db
          .insert(modDownloadsDaily)
          .values([...days])
          .onConflictDoNothing();
        const total = sql`(select sum(n) from mod_downloads_daily where release_id = ${modReleases.id})`;
        await db.update(modReleases).set({ downloadCount: total }).where(sql`id in (select release_id from mod_downloads_daily)`);
        const ofReleases = sql`(select sum(download_count) from mod_releases where mod_id = ${mods.id})`;
        await db
          .update(mods)
          .set({ ownDownloads: ofReleases })
          .where(sql`id in (select mod_id from mod_releases where id in (select release_id from mod_downloads_daily))`);
      }),
  },
  { name: 'server history', run: ({ state: { db }, now }) => demoServerHistory(db, now) },
  { name: 'search', run: ({ client }) => indexSearch(client) },
];

/** Full hours up to now: each of the last twelve and every twelfth before them, so that a week is imported in seconds. */
export function dumpInstants(now: number, hours: number): number[] {
  const newest = Math.floor(now / HOUR) * HOUR;
  const back = Array.from({ length: hours }, (_, index) => hours - 1 - index);
  return back.filter((hour) => hour <= RECENT_HOURS || hour % SPARSE_HOURS === 0).map((hour) => newest - hour * HOUR);
}

/** One instant a day before the first, two weeks back from the last: prices of the market are compared with those of the week before. */
function earlierInstants(instants: readonly number[]): number[] {
  const [first = 0, last = 0] = [instants[0], instants.at(-1)];
  const days = Math.max(0, Math.floor((first - (last - MARKET_DAYS * DAY)) / DAY));
  return Array.from({ length: days }, (_, index) => first - (days - index) * DAY);
}

/**
 * Sends the hourly reports since the last stored leaderboards, at most `hours` back. Repeats the reports of an interrupted run.
 */
export async function reportHours({ server, hours }: Pick<DemoWorld, 'server' | 'hours'>): Promise<void> {
  const client = createDemoClient(server);
  const { items } = (await client.read('/v1/leaderboards/timestamps?limit=1')) as { items: number[] };
  const instants = dumpInstants(Math.floor(Date.now() / 1000), hours).filter((at) => at > (items[0] ?? 0));
  if (instants.length === 0) return;
  await demoCaptures(client, instants);
  await demoMarket(client, items.length === 0 ? [...earlierInstants(instants), ...instants] : instants);
  await demoLeaderboards(client, instants);
}

/** Runs the remaining steps, then the reports. Calls `onDone` after each step. */
export async function fillDemo(world: DemoWorld, done: readonly string[] = [], onDone: (name: string) => void = () => {}): Promise<void> {
  const client = createDemoClient(world.server);
  for (const step of DEMO_STEPS) {
    if (done.includes(step.name)) continue;
    await step.run({ ...world, client, now: Math.floor(Date.now() / 1000) });
    onDone(step.name);
  }
  await reportHours(world);
}

/** Ignores rows that an interrupted run has stored. */
function ignoreStored(error: unknown): void {
  if (!String(error instanceof Error ? (error.cause ?? error) : error).includes('UNIQUE constraint')) throw error;
}

/** Archives a version of the demo game with the sync engine, and indexes it. */
async function storeVersion({ state, game, client }: DemoWorld & { client: DemoClient }, version: 1 | 2): Promise<void> {
  const { first, second } = demoBuilds(game);
  await loadDemo({ branch: BRANCH, archive: state, builds: [version === 1 ? first : second], parallel: 4 });
  await indexVersion(client, version);
}

/** Indexes a version of the archive and waits until its entries are visible. */
export async function indexVersion(client: DemoClient, version: number, timeoutMs = INDEX_TIMEOUT_MS): Promise<void> {
  await client.post(`/admin/jobs/${INDEX_JOB}/run`).catch(() => null);
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
    const { items } = (await client.read('/v1/codexes/builds').catch(() => ({ items: [] }))) as { items: { ordinal: number }[] };
    if (items.some(({ ordinal }) => ordinal >= version)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`version ${version} of the codexes was not indexed in time`);
}

/** Copies the codex and the documentation into the search now instead of within a minute. */
export async function indexSearch(client: DemoClient): Promise<void> {
  await client.post(`/admin/jobs/${SEARCH_JOB}/run`).catch(() => null);
  for (const deadline = Date.now() + INDEX_TIMEOUT_MS; Date.now() < deadline; ) {
    const { count } = (await client.read('/v1/search?q=quickstart&types=doc&limit=1')) as { count: number };
    if (count > 0) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('the search was not indexed in time');
}
