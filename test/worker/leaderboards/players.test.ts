import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createIngestService } from '../../../src/areas/leaderboards/ingest/ingest.service.ts';
import { createPlayersService } from '../../../src/areas/leaderboards/players/players.service.ts';
import { createTotalsWriter, type TotalsTask } from '../../../src/areas/leaderboards/players/totals.service.ts';
import { createTotalsStore } from '../../../src/areas/leaderboards/players/totals.store.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { boardLine, capture, dumpOf, get, type Row } from './dumps.ts';
import { clearStorage, fixedSettings, newStores, receive } from './stores.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const HOUR = 3600;
const DAY = 86_400;

beforeEach(clearStorage);

describe('player name with two rows on a board', () => {
  const at = TUESDAY;
  const scores = [
    [8100, 2600],
    [8100, 5200],
    [8100, 7900],
    [10_400, 8100],
  ];
  beforeEach(async () => {
    for (const [day, pair] of scores.entries()) {
      await capture(dumpOf(boardLine(3, [['Ahead', 99_999], ...pair.map((score) => ['Twin', score] as const)])), at + day * DAY);
    }
  });

  it('has one series per row in the player series', async () => {
    const { json } = await get('/players/twin/series?days=30');
    expect(json).toMatchObject({ canonical_name: 'Twin', duplicate_boards: [3] });
    const lines = (json.series as { slot: number; slots: number; points: { score: number }[] }[]).map(({ slot, slots, points }) => [
      slot,
      slots,
      points.map(({ score }) => score),
    ]);
    expect(lines).toEqual([
      [0, 2, [8100, 8100, 8100, 8100]],
      [1, 2, [2600, 5200, 7900, 10_400]],
    ]);
  });

  it('is compared row by row in the player history', async () => {
    const { json } = await get('/players/twin/history?limit=4&uuid=3');
    expect(json.items).toMatchObject([
      { created_at: at + 3 * DAY, score: 10_400, slot: 1, slots: 2, score_delta: 2500 },
      { score: 8100, slot: 0, slots: 2, score_delta: 0 },
      { created_at: at + 2 * DAY, score: 8100, slot: 0, score_delta: 0 },
      { score: 7900, slot: 1, score_delta: 2700 },
    ]);
  });
});

describe('GET /v1/leaderboards/players/{name}/profile', () => {
  const nothing = {
    boards_appeared: 0,
    appearances: 0,
    best_rank: null,
    best_rank_board_uuid: null,
    best_rank_board_name: null,
    top10_count: 0,
    top100_count: 0,
    latest_anchor: null,
    last_played: null,
  };
  const others = (count: number, score: number): Row[] => Array.from({ length: count }, (_, index) => [`P${index}`, score - index]);

  it('returns personal bests over all captures and the rows of the last 7 days', async () => {
    const old = dumpOf(
      boardLine(1, [...others(2, 99), ['Nimbus', 50]], { name: 'TROVE MASTERY POINTS' }),
      boardLine(20, [...others(11, 99), ['Nimbus', 7]]),
    );
    await capture(old, TUESDAY);
    await capture(
      dumpOf(
        boardLine(
          1,
          [
            ['P0', 99],
            ['nimbus', 60],
          ],
          { name: 'TROVE MASTERY POINTS' },
        ),
      ),
      TUESDAY + 20 * DAY,
    );
    const { json } = await get('/players/%20NIMBUS%20/profile', { now: TUESDAY + 21 * DAY });
    const boards = [
      {
        leaderboard: 1,
        board_name: 'TROVE MASTERY POINTS',
        category: 'META',
        best_rank: 2,
        latest_rank: 2,
        latest_score: 60,
        appearances: 2,
        first_seen: TUESDAY,
        last_seen: TUESDAY + 20 * DAY,
      },
      {
        leaderboard: 20,
        board_name: 'BOARD 20',
        category: 'META',
        best_rank: 12,
        latest_rank: 12,
        latest_score: 7,
        appearances: 1,
        first_seen: TUESDAY,
        last_seen: TUESDAY,
      },
    ];
    const summary = {
      boards_appeared: 2,
      appearances: 3,
      best_rank: 2,
      best_rank_board_uuid: 1,
      best_rank_board_name: 'TROVE MASTERY POINTS',
      top10_count: 1,
      top100_count: 2,
      latest_anchor: TUESDAY + 20 * DAY,
      last_played: TUESDAY + 20 * DAY,
    };
    expect(json).toEqual({
      player_name: 'nimbus',
      verified: false,
      renamed_from: null,
      summary,
      boards,
      sigil: null,
      classes: [],
      recent: [
        {
          player_name: 'nimbus',
          leaderboard: 1,
          board_name: 'TROVE MASTERY POINTS',
          created_at: TUESDAY + 20 * DAY,
          rank: 2,
          score: 60,
          prev_rank: 3,
          prev_score: 50,
          rank_delta: 1,
          score_delta: 10,
          is_new: false,
        },
      ],
    });
    expect((await get('/players/nimbus/boards')).json).toEqual({ player_name: 'nimbus', renamed_from: null, summary, boards });
  });

  it('returns empty lists for an unknown name', async () => {
    expect((await get('/players/%20Nobody%20/profile')).json).toEqual({
      player_name: 'Nobody',
      verified: false,
      renamed_from: null,
      summary: nothing,
      boards: [],
      sigil: null,
      classes: [],
      recent: [],
    });
    expect((await get('/players/Nobody/boards')).json).toEqual({ player_name: 'Nobody', renamed_from: null, summary: nothing, boards: [] });
  });

  it('compares a row with the newest earlier row of the player in the same reset cycle', async () => {
    // Weekly boards reset on Mondays; the captures are Tuesday to Thursday of one week.
    await capture(dumpOf(boardLine(10_003, [['Nimbus', 5]]), boardLine(31_000, [['Nimbus', 1]])), TUESDAY);
    await capture(dumpOf(boardLine(10_003, [['P0', 9]])), TUESDAY + DAY);
    await capture(
      dumpOf(
        boardLine(10_003, [
          ['P0', 9],
          ['Nimbus', 8],
          ['Quail', 2],
        ]),
        boardLine(31_000, [['Nimbus', 4]]),
      ),
      TUESDAY + 2 * DAY,
    );
    const recent = async (name: string) => (await get(`/players/${name}/profile`, { now: TUESDAY + 2 * DAY + HOUR })).json.recent;
    expect(await recent('nimbus')).toMatchObject([
      { leaderboard: 31_000, prev_rank: null, is_new: false },
      { leaderboard: 10_003, created_at: TUESDAY + 2 * DAY, prev_rank: 1, rank_delta: -1, score_delta: 3, is_new: false },
      { created_at: TUESDAY },
      { created_at: TUESDAY },
    ]);
    expect(await recent('quail')).toMatchObject([{ prev_rank: null, score_delta: null, is_new: true }]);
  });
});

describe('player totals', () => {
  /** Only four shards, because every step writes one object per shard. */
  const fewShards = () => ({ ...newStores(), totals: createTotalsStore(env.BOARDS, 4) });
  const stores = fewShards();
  const ingest = createIngestService({ ...stores, settings: fixedSettings() });
  const writer = createTotalsWriter(stores);
  const names = ['Nimbus', 'Oriole', 'Petrel', 'Quail'];

  /** Inserts a capture with a pseudo-random subset of the names. */
  async function put(hour: number, version = `v${hour}`): Promise<void> {
    const rows = names.filter((_, index) => (hour * 7 + index * 3 + version.length) % 4 !== 0).map((name): Row => [name, 100 + hour]);
    const task = await receive(dumpOf(boardLine(1, rows.toReversed()), boardLine(20, rows)), TUESDAY + hour * HOUR, version);
    for (const anchor of (await ingest.process({ ...task, isBackfill: true })).changed) await writer.noteChange(anchor);
  }

  /** Inserts a capture of one board. */
  async function ingestAt(hour: number, rows: Row[]) {
    const task = await receive(dumpOf(boardLine(1, rows)), TUESDAY + hour * HOUR, `v${hour}`);
    return (await ingest.process({ ...task, isBackfill: true })).changed;
  }

  async function addAll(until: number): Promise<number> {
    let steps = 0;
    let task: TotalsTask | null = { until, shard: null, rebuildOf: null };
    for (; task; steps += 1) task = await writer.add(task);
    return steps;
  }

  const read = async () =>
    JSON.stringify(await Promise.all(names.map((name) => createPlayersService(fewShards()).boards(name, DEFAULT_SETTINGS))));
  const readWithoutTotals = async () => {
    const { totals, ...others } = fewShards();
    const empty = { ...totals, readShard: async () => ({ until: 0, text: '' }) };
    return JSON.stringify(
      await Promise.all(names.map((name) => createPlayersService({ ...others, totals: empty }).boards(name, DEFAULT_SETTINGS))),
    );
  };

  it('have the same values for any number of captures per step', async () => {
    for (let hour = 0; hour < 6; hour += 1) await put(hour);
    const expected = await read();
    for (const hour of [2, 2, 5]) {
      await addAll(TUESDAY + hour * HOUR);
      expect(await read()).toBe(expected);
    }
    await put(6);
    expect(await read()).toBe(await readWithoutTotals());
    expect(await read()).not.toBe(expected);
  });

  it('tell which captures can have a name, so a history reads no others', async () => {
    for (let hour = 0; hour < 10; hour += 1) await put(hour);
    const [early] = await ingestAt(10, [['Early', 5]]);
    expect(early).toBeDefined();
    for (let hour = 11; hour < 20; hour += 1) await put(hour);
    const read: number[] = [];
    const objects: typeof stores.objects = {
      ...stores.objects,
      players: (group, shard) => {
        read.push(...group.map(({ anchor }) => (anchor - TUESDAY) / HOUR));
        return stores.objects.players(group, shard);
      },
    };
    const service = createPlayersService({ ...fewShards(), objects });
    const historyOf = async (name: string, uuid?: number) => {
      read.length = 0;
      const { items } = await service.history(name, { uuid, limit: 50 }, DEFAULT_SETTINGS);
      return { items: items.length, captures: new Set(read).size, hasEarly: read.includes(10) };
    };
    expect(await historyOf('nobody')).toEqual({ items: 0, captures: 20, hasEarly: true });
    await addAll(TUESDAY + 18 * HOUR);
    // A batch of objects is read before the totals are asked.
    expect(await historyOf('nobody')).toEqual({ items: 0, captures: 6, hasEarly: false });
    expect(await historyOf('Early')).toEqual({ items: 1, captures: 7, hasEarly: true });
    expect(await historyOf('Early', 20)).toEqual({ items: 0, captures: 6, hasEarly: false });
    // Outdated totals are not trusted.
    await put(3, 'again');
    expect(await historyOf('nobody')).toMatchObject({ captures: 20 });
  });

  it('are rebuilt after a change of an included capture', async () => {
    for (const hour of [0, 2, 3]) await put(hour);
    await addAll(TUESDAY + 2 * HOUR);
    await put(1);
    await put(0, 'again');
    expect(await stores.totals.readState()).toEqual({ until: TUESDAY + 2 * HOUR, changes: 4, rebuiltChanges: 0 });
    expect(await read()).not.toBe(await readWithoutTotals());
    await addAll(TUESDAY + 3 * HOUR);
    expect(await stores.totals.readState()).toEqual({ until: TUESDAY + 3 * HOUR, changes: 4, rebuiltChanges: 4 });
    expect(await read()).toBe(await readWithoutTotals());
  });

  it('are rebuilt after the first step of a rebuild, or a later one, was interrupted and its task was lost', async () => {
    for (const hour of [0, 2]) await put(hour);
    await addAll(TUESDAY + 2 * HOUR);
    await put(1);
    let task: TotalsTask | null = { until: TUESDAY + 2 * HOUR, shard: null, rebuildOf: null };
    await writer.add(task);
    const isDue = async () => {
      const { changes, rebuiltChanges } = await stores.totals.readState();
      return changes > rebuiltChanges;
    };
    expect(await isDue()).toBe(true);
    // The queue stores a task after its step: an interrupted step runs again from its former task.
    for (; task; task = await writer.add(task)) expect(await isDue()).toBe(true);
    expect([await isDue(), await read()]).toEqual([false, await readWithoutTotals()]);
  });

  it('stay outdated when a capture changes during a rebuild', async () => {
    for (const hour of [0, 2]) await put(hour);
    await addAll(TUESDAY + 2 * HOUR);
    await put(1);
    let task: TotalsTask | null = await writer.add({ until: TUESDAY + 2 * HOUR, shard: null, rebuildOf: null });
    await put(0, 'again');
    while (task) task = await writer.add(task);
    expect(await stores.totals.readState()).toMatchObject({ changes: 4, rebuiltChanges: 2 });
    await addAll(TUESDAY + 2 * HOUR);
    expect(await read()).toBe(await readWithoutTotals());
  });

  it('are unchanged by a repeated step', async () => {
    for (let hour = 0; hour < 4; hour += 1) await put(hour);
    const expected = await read();
    for (const changed of [false, true]) {
      if (changed) await writer.noteChange(TUESDAY);
      let task: TotalsTask | null = { until: TUESDAY + 3 * HOUR, shard: null, rebuildOf: null };
      while (task) {
        await writer.add(task);
        task = await writer.add(task);
      }
      expect(await read()).toBe(expected);
    }
    expect(await createPlayersService(stores).profile('Nimbus', DEFAULT_SETTINGS, TUESDAY + DAY)).toMatchObject({ playerName: 'Nimbus' });
  });
});

describe('boards that rank clubs', () => {
  it('do not count for a player who has the name of a club', async () => {
    const clubs: Row[] = [
      ['Nimbus', 500],
      ['Only A Club', 400],
    ];
    for (const day of [0, 1]) {
      const rows: Row[] = [['Nimbus', 900 + day]];
      await capture(dumpOf(boardLine(1, rows), boardLine(1100, clubs), boardLine(21_012, clubs)), TUESDAY + day * DAY);
    }
    const now = TUESDAY + 2 * DAY;
    const profile = await get('/players/Nimbus/profile', { now });
    expect(profile.json).toMatchObject({ summary: { boards_appeared: 1, appearances: 2 }, boards: [{ leaderboard: 1 }] });
    expect((profile.json.recent as { leaderboard: number }[]).map(({ leaderboard }) => leaderboard)).toEqual([1, 1]);
    expect((await get('/players/Nimbus/history', { now })).json).toMatchObject({ count: 2 });
    expect((await get('/players/Nimbus/history?uuid=1100', { now })).json).toMatchObject({ count: 0 });
    expect((await get('/players/Nimbus/series', { now })).json.series).toMatchObject([{ uuid: 1 }]);
    expect((await get('/players/Only%20A%20Club/profile', { now })).json).toMatchObject({ boards: [], recent: [] });
    expect((await get(`/1100/entries?created_at=${TUESDAY}`, { now })).json).toMatchObject({ total: 2 });
  });
});

describe('sigil and classes of a profile', () => {
  const at = TUESDAY;
  const dump = (twin: Row[] = []) =>
    dumpOf(
      // Level 325 begins at 33,019 points: 29,100 up to level 300, and 3919 for 25 more.
      boardLine(1, [['Nimbus', 33_025]]),
      boardLine(20, [['Nimbus', 20_000]]),
      boardLine(1000, [['Nimbus', 21_000], ...twin]),
      boardLine(1011, [['Nimbus', 31_250.4]]),
      boardLine(4003, [['Nimbus', 7]]),
      boardLine(5011, [['Nimbus', 12]]),
    );
  const profile = async () => (await get('/players/nimbus/profile', { now: at + DAY })).json;

  it('are those of the newest captures', async () => {
    await capture(dump(), at);
    const { sigil, classes } = await profile();
    expect(sigil).toEqual({
      power_rank: 31_250,
      power_rank_board: 1011,
      power_rank_class: 'Lunar Lancer',
      main_mastery: 325,
      geode_mastery: 209,
      mastery: 425,
    });
    const none = { icon: null, power_rank_board: null, effort_board: null, paragon_board: null };
    expect(classes).toEqual([
      { ...none, class_index: 11, name: 'Lunar Lancer', power_rank_board: 1011, paragon_board: 5011 },
      { ...none, class_index: 0, name: 'Knight', power_rank_board: 1000 },
      { ...none, class_index: 3, name: 'Dracolyte', effort_board: 4003 },
    ]);
  });

  it('have no sigil for a name of several players, and without a mastery', async () => {
    await capture(dump([['Nimbus', 400]]), at);
    expect((await profile()).sigil).toBeNull();
    await capture(dumpOf(boardLine(1, [['Nimbus', 500]]), boardLine(1000, [['Nimbus', 21_000]])), at);
    expect((await profile()).sigil).toBeNull();
  });
});
