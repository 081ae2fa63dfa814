import { env } from 'cloudflare:workers';
import { gunzipSync } from 'node:zlib';
import { createActivityService } from '../../src/areas/activity/activity.service.ts';
import { createActivityStore } from '../../src/areas/activity/activity.store.ts';
import { createClassActivityService } from '../../src/areas/activity/class-activity.service.ts';
import { createClassActivityStore } from '../../src/areas/activity/class-activity.store.ts';
import { createPlayerRows } from '../../src/areas/leaderboards/captures/player-rows.service.ts';
import { IngestQueue } from '../../src/areas/leaderboards/ingest/ingest-queue.service.ts';
import { derivedEntriesOf, ingestWorkOf } from '../../src/areas/leaderboards/ingest/ingest-work.service.ts';
import { createPlayerDocumentCheck } from '../../src/areas/leaderboards/ingest/search-documents.service.ts';
import { createPlayersService } from '../../src/areas/leaderboards/players/players.service.ts';
import { createTotalsWriter } from '../../src/areas/leaderboards/players/totals.service.ts';
import { createTotalsStore } from '../../src/areas/leaderboards/players/totals.store.ts';
import { composeApp } from '../../src/composition.ts';
import { pick, type RandomSource, randomBelow, seededRandom } from '../../src/platform/kit/random.ts';
import { clearActivity } from '../worker/activity/captures.ts';
import { boardLine, dumpOf, type Row, storedKeys } from '../worker/leaderboards/dumps.ts';
import { clearStorage, db, memoryJobs, newStores, receive } from '../worker/leaderboards/stores.ts';
import { DEFAULT_SETTINGS } from './declarations.ts';

const HOUR = 3600;
/** Ten hours before a weekly reset, Monday 2026-03-09 11:00 UTC. */
const START = 1_773_054_000 - 10 * HOUR;
/** Captures lie in three days, so that some windows of a day have gaps and others have none. */
const SLOTS = 72;
const NOW = START + SLOTS * HOUR;
const PLAYERS = 7;
/** Every update writes an object for each. */
const TOTALS_SHARDS = 2;
const LIFETIME_BOARDS = [1, 2, 3];
const WEEKLY_BOARDS = [4000, 4001, 10_003, 21_005];
const POWER_RANK_BOARDS = [1000, 1001];

/** Columns that tell when a row was written, not what it says. */
const TIMES_OF_WRITING = new Set(['id', 'base', 'created_at', 'updated_at', 'computed_at', 'stored_at', 'revision', 'words', 'hash']);
/** Search types of players and boards. */
const SEARCHED = 'type IN (3, 4)';

/** Everything that this test does not compare, because it is a source or counts changes. */
const UNCOMPARED = new Set(['activity_revisions', 'totals/']);

/** A dump of an hour: scores rise slowly, players change names, some names are repeated or spelled in two ways, some boards are missing. */
function randomDump(random: RandomSource, slot: number): string {
  const chance = (of: number) => randomBelow(random, of) === 0;
  const players = Array.from({ length: PLAYERS }, (_, player) => ({ player, name: `Player ${player}${chance(4) ? 'b' : 'a'}` })).filter(
    () => !chance(9),
  );
  if (chance(3)) players.push({ player: PLAYERS, name: pick(random, players)?.name ?? 'Alone' });
  if (chance(4)) players.push({ player: PLAYERS + 1, name: (pick(random, players)?.name ?? 'Alone').toUpperCase() });
  const rowsOf = (board: number, isWeekly: boolean): Row[] =>
    players
      .map(({ player, name }): Row => [name, 5000 * (player + 1) + board + (isWeekly ? 60 : 1) * (chance(2) ? slot : 0)])
      .sort(([, one], [, other]) => other - one);
  const lines = [
    ...LIFETIME_BOARDS.map((uuid) => boardLine(uuid, rowsOf(uuid, false))),
    ...POWER_RANK_BOARDS.map((uuid) => boardLine(uuid, rowsOf(30_000, false))),
    ...WEEKLY_BOARDS.map((uuid) => boardLine(uuid, rowsOf(uuid, true))),
    boardLine(77, rowsOf(77, false)),
  ];
  return dumpOf(...lines.filter((_, index) => index === 0 || !chance(6)));
}

/** The real work of the ingest object, with a queue in memory. */
export function createWalk() {
  const { context } = composeApp(env);
  const { jobs, storage } = memoryJobs();
  const stores = { ...newStores(), totals: createTotalsStore(env.BOARDS, TOTALS_SHARDS) };
  const playerDocuments = createPlayerDocumentCheck({
    ...stores,
    rows: createPlayerRows(stores),
    index: context.ports.searchIndex,
    formerNames: stores.renames.formerNames,
  });
  const work = { ...ingestWorkOf(context), totals: createTotalsWriter(stores).add, playerDocuments };
  const queue = new IngestQueue(storage, work, () => NOW * 1000);
  const entries = derivedEntriesOf(context);
  const { captures } = stores;
  const activity = createActivityService({ store: createActivityStore(db), clock: () => NOW, onFigures: async () => {} });
  const classes = createClassActivityService({
    store: createClassActivityStore(db),
    settings: { current: () => DEFAULT_SETTINGS },
    clock: () => NOW,
  });
  let ids = 0;

  async function runJobs(most = Number.MAX_SAFE_INTEGER): Promise<void> {
    for (let round = 0; round < most && queue.nextAt() !== null; round += 1) {
      if (round > 2000) throw new Error('the queue has no end');
      const waits = [...jobs.values()].filter(({ failures: count }) => count > 0);
      if (waits.length > 0) throw new Error(`a job failed: ${JSON.stringify(waits)}`);
      await queue.round();
    }
  }

  async function refresh(): Promise<void> {
    const { signal } = new AbortController();
    const activityStore = createActivityStore(db);
    const classStore = createClassActivityStore(db);
    for (let round = 0; (await activityStore.listStale(1)).length + (await classStore.listStale(1)).length > 0; round += 1) {
      if (round > 50) throw new Error('the refresh has no end');
      await activity.refresh(signal);
      await classes.refresh(signal);
    }
  }

  async function insert(anchor: number, dump: string): Promise<void> {
    ids += 1;
    const task = await receive(dump, anchor, `v${ids}`, { isBackfill: true, digest: dump });
    queue.add({ kind: 'ingest', task });
  }

  async function replay(anchor: number): Promise<void> {
    const capture = await captures.find(anchor);
    if (!capture?.rawKey) return;
    ids += 1;
    const task = await receive('', anchor, `v${ids}`, { isBackfill: true, digest: capture.digest, rawKey: capture.rawKey, isReplay: true });
    queue.add({ kind: 'ingest', task });
  }

  async function remove(anchor: number): Promise<void> {
    const removed = await captures.remove(anchor);
    const { boardPack = null, playerPack = null } = removed ?? {};
    queue.add({ kind: 'removed', task: { anchor, boardPack, playerPack, isRecomputed: true } });
  }

  /** What the daily job queues. */
  function updateTotals(): void {
    queue.add({ kind: 'totals', task: { until: NOW, shard: null, rebuildOf: null } });
    queue.add({ kind: 'player-documents', task: { after: '' } });
  }

  /** Everything that is derived, by table and folder. */
  async function snapshot(): Promise<Record<string, unknown>> {
    const seen: Record<string, unknown> = {};
    for (const stored of Object.values(entries).flatMap((entry) => entry.stored)) {
      if (UNCOMPARED.has(stored)) continue;
      seen[stored] = stored.includes('/') ? await objectsIn(stored) : await rowsIn(stored);
    }
    const players = createPlayersService({ ...newStores(), totals: stores.totals });
    const names = Array.from({ length: PLAYERS }, (_, player) => [`player ${player}a`, `player ${player}b`]).flat();
    seen.totals = await Promise.all(names.map((name) => players.boards(name, { ...DEFAULT_SETTINGS, leaderboardRenamesEnabled: false })));
    return seen;
  }

  return { runJobs, refresh, insert, replay, remove, updateTotals, snapshot, entries };
}

async function rowsIn(table: string): Promise<unknown[]> {
  const where = table === 'search_entries' ? ` WHERE ${SEARCHED}` : '';
  const { results } = await env.DB.prepare(`SELECT * FROM ${table}${where}`).all<Record<string, unknown>>();
  const rows = results.map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !TIMES_OF_WRITING.has(column))));
  return rows.sort().map((row) => Object.fromEntries(JSON.parse(row) as [string, unknown][]));
}

async function objectsIn(prefix: string): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  for (const key of (await storedKeys(prefix)).sort()) {
    const bytes = await (await env.BOARDS.get(key))?.arrayBuffer();
    if (!bytes) continue;
    const text = key.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : new TextDecoder().decode(bytes);
    seen[key] = key.endsWith('.json') ? { ...(JSON.parse(text) as object), computed_at: 0 } : text;
  }
  return seen;
}

async function clearAll(): Promise<void> {
  await clearStorage();
  await clearActivity();
  for (const table of ['search_entries', 'search_sources']) await env.DB.prepare(`DELETE FROM ${table} WHERE ${SEARCHED}`).run();
}

/** Runs random operations, then compares everything derived with a rebuild from nothing. Returns both, and what was done. */
export async function walkAndRebuild(seed: string, operations: number) {
  const random = seededRandom(`derived data ${seed}`);
  await clearAll();
  const walk = createWalk();
  const dumps = new Map<number, string>();
  const done: string[] = [];
  const at = (slot: number) => START + slot * HOUR;
  for (let number = 0; number < operations; number += 1) {
    const known = [...dumps.keys()];
    const kind =
      known.length < 4
        ? 'insert'
        : pick(random, ['insert', 'insert', 'insert', 'beside', 'beside', 'correct', 'replay', 'delete'] as const);
    const slot =
      kind === 'insert' || known.length === 0
        ? randomBelow(random, SLOTS)
        : kind === 'beside'
          ? Math.min(SLOTS - 1, (pick(random, known) ?? 0) + 1)
          : (pick(random, known) ?? 0);
    done.push(`${kind} ${slot}`);
    if (kind === 'delete') {
      dumps.delete(slot);
      await walk.remove(at(slot));
    } else if (kind === 'replay') await walk.replay(at(slot));
    else {
      const dump = randomDump(random, slot);
      dumps.set(slot, dump);
      await walk.insert(at(slot), dump);
    }
    if (randomBelow(random, 8) === 0) walk.updateTotals();
    // Some operations begin before the jobs of earlier ones are done. A deletion and a replay find what is published.
    await walk.runJobs(randomBelow(random, 3) === 0 ? 2 : undefined);
    if (randomBelow(random, 3) === 0) await walk.runJobs().then(walk.refresh);
  }
  walk.updateTotals();
  await walk.runJobs();
  await walk.refresh();
  const walked = await walk.snapshot();

  await clearAll();
  const rebuild = createWalk();
  for (const [slot, dump] of [...dumps].sort(([one], [other]) => one - other)) {
    await rebuild.insert(at(slot), dump);
    await rebuild.runJobs();
  }
  rebuild.updateTotals();
  await rebuild.runJobs();
  await rebuild.refresh();
  return { walked, rebuilt: await rebuild.snapshot(), done };
}
