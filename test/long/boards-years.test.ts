import { env } from 'cloudflare:workers';
import pMap from 'p-map';
import { beforeAll, describe, expect, it } from 'vitest';
import { playerKey } from '../../src/areas/leaderboards/captures/board-rows.domain.ts';
import { createPackingService } from '../../src/areas/leaderboards/captures/packing.service.ts';
import { PlayerShardBuilder, shardOf } from '../../src/areas/leaderboards/captures/player-shards.domain.ts';
import { ingestWorkOf } from '../../src/areas/leaderboards/ingest/ingest-work.service.ts';
import { OBJECT_CONCURRENCY } from '../../src/areas/leaderboards/leaderboards.data.ts';
import { addAppearance, encodeTotals, type Totals } from '../../src/areas/leaderboards/players/totals.domain.ts';
import { composeApp } from '../../src/composition.ts';
import { DEFAULT_SETTINGS } from '../support/declarations.ts';
import { bearer } from '../support/requests.ts';
import { createToken } from '../support/tokens.ts';
import { boardLine, dumpOf } from '../worker/leaderboards/dumps.ts';
import { clearStorage, newStores, receive } from '../worker/leaderboards/stores.ts';
import { createAges } from './years.ts';

/** Days with a capture an hour; `BOARD_DAYS=<number>` in the environment for a shorter test. */
const DAYS = Number((env as { BOARD_DAYS?: string }).BOARD_DAYS ?? 1095);
const WEEK = 7;
/** On the weekday of the last day: the report of anomalies reads the hours since the weekly reset. */
const FIRST_MONTH = 28 + (DAYS % WEEK);
const HOUR = 3600;
const HOURS_PER_DAY = 24;
const DAY = HOURS_PER_DAY * HOUR;
/** Start of a game day: Tuesday 2026-03-10 11:00 UTC. */
const END = 1_773_140_400;
const BOARDS = [1, 20, 1000];
const PLAYERS = 40;

const dayStart = (day: number) => END - (DAYS - day) * DAY;

/** Rows of a board: every player is on every board, and scores rise by the hour. */
function rowsAt(anchor: number) {
  const hours = Math.floor((anchor - dayStart(0)) / HOUR);
  const places = Array.from({ length: PLAYERS }, (_, place) => place);
  return {
    ranks: places.map((place) => place + 1),
    names: places.map((place) => `Player ${place}`),
    scores: places.map((place) => 1_000_000 - place * 100 + hours),
  };
}

describe(`boards of ${DAYS} days by hour`, () => {
  let clock = END;
  const ages = createAges(() => clock);
  const stores = newStores();
  const packing = createPackingService(stores.captures, stores.objects);
  const totals: Totals = new Map();

  /** Stores a capture like the ingest of its dump. */
  async function storeCapture(anchor: number): Promise<void> {
    const version = { anchor, version: `v${anchor}` };
    const rows = rowsAt(anchor);
    const players = new PlayerShardBuilder();
    for (const uuid of BOARDS) {
      await stores.objects.putBoard(version, uuid, rows);
      players.add(uuid, rows);
    }
    await stores.objects.putPlayers(version, 0, players.drainShard(0, 1) ?? '');
    const leader = { contestType: null, leaderName: rows.names[0] ?? null, leaderScore: rows.scores[0] ?? null };
    await stores.captures.stage(
      anchor,
      version.version,
      BOARDS.map((uuid) => ({ uuid, entries: PLAYERS, ...leader })),
    );
    const counts = { boards: BOARDS.length, entries: BOARDS.length * PLAYERS, playerShards: 1 };
    await stores.captures.publish(
      { ...version, digest: version.version, ...counts, visibleAt: anchor, rawKey: null },
      BOARDS.map((uuid) => ({ uuid, nameId: '', name: `BOARD ${uuid}`, categoryId: '', category: 'META', contestType: null })),
    );
  }

  /** Adds the captures of a day to the totals. */
  function addToTotals(anchors: readonly number[]): void {
    for (const anchor of anchors) {
      const { ranks, names, scores } = rowsAt(anchor);
      for (const [index, playerName] of names.entries()) {
        const row = { rank: ranks[index] ?? 0, score: scores[index] ?? 0, playerName };
        addAppearance(
          totals,
          playerKey(playerName),
          anchor,
          BOARDS.map((uuid) => ({ uuid, ...row })),
        );
      }
    }
  }

  /** Writes the totals as their task does after the last of its steps. */
  async function storeTotals(until: number): Promise<void> {
    const { shards } = stores.totals;
    const own = Map.groupBy(totals, ([key]) => shardOf(key, shards));
    const numbers = Array.from({ length: shards }, (_, shard) => shard);
    await pMap(numbers, (shard) => stores.totals.putShard('current', shard, { until, text: encodeTotals(new Map(own.get(shard))) }), {
      concurrency: OBJECT_CONCURRENCY,
    });
    await stores.totals.putState({ until, changes: 0, rebuiltChanges: 0 });
  }

  /** Stores the captures of days, and packs what is due after each. */
  async function fill(from: number, to: number): Promise<void> {
    for (let day = from; day < to; day += 1) {
      const anchors = Array.from({ length: HOURS_PER_DAY }, (_, hour) => dayStart(day) + hour * HOUR);
      await pMap(anchors, storeCapture, { concurrency: OBJECT_CONCURRENCY });
      for (const task of await packing.plan(DEFAULT_SETTINGS, dayStart(day + 1) + HOUR)) await packing.pack(task);
      addToTotals(anchors);
    }
    await storeTotals(dayStart(to) - 1);
  }

  async function measureAt(age: string, day: number): Promise<void> {
    clock = dayStart(day) + 2 * HOUR;
    const authorization = bearer(await createToken());
    const anchor = dayStart(day);
    const { ranks, names, scores } = rowsAt(anchor);
    const rows = ranks.map((_, index) => [names[index] ?? '', scores[index] ?? 0] as const);
    const task = await receive(dumpOf(...BOARDS.map((uuid) => boardLine(uuid, rows))), anchor, `measured-${day}`);
    const work = ingestWorkOf(composeApp(env).context);
    const steps: [string, () => Promise<unknown>][] = [
      ['insert of a dump', () => work.ingest(task)],
      ['listeners of a capture', () => work.notify(anchor)],
      ['report of anomalies', () => work.report()],
    ];
    for (const [name, step] of steps)
      await ages.noteWork(age, name, async () => {
        await step();
        return 0;
      });
    const player = '/players/Player%207';
    const at = `created_at=${dayStart(day) - HOUR}`;
    const paths = [
      ...['/timestamps', `?${at}`, '/1', `/1/entries?${at}`, '/1/history', '/1/gains?days=7', '/1/health', '/records'],
      ...[`${player}/history`, `${player}/series?days=7`, `${player}/profile`, `${player}/boards`, '/players/Nobody/history'],
    ];
    for (const path of paths) await ages.note(age, path, { authorization }, `/v1/leaderboards${path}`);
  }

  beforeAll(async () => {
    await clearStorage();
    await fill(0, FIRST_MONTH);
    await measureAt('first month', FIRST_MONTH);
    await fill(FIRST_MONTH, DAYS);
    await measureAt('three years', DAYS);
    await ages.print(`boards of ${DAYS} days`);
  }, 24 * 3_600_000);

  it('are packed by game day', async () => {
    const unpacked = await env.DB.prepare('SELECT count(*) AS count FROM board_captures WHERE player_pack IS NULL').first('count');
    // The captures that the two measurements inserted.
    expect(unpacked).toBeLessThanOrEqual(2);
    expect(await stores.captures.count()).toBe(DAYS * HOURS_PER_DAY + 1);
  });

  it('cost no more to read and to insert than in their first month', () => {
    expect(ages.grown('first month', 'three years')).toEqual([]);
  });
});
