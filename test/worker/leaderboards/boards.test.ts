import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createBoardsService } from '../../../src/areas/leaderboards/boards/boards.service.ts';
import { createBoardsStore } from '../../../src/areas/leaderboards/boards/boards.store.ts';
import { createIngestService } from '../../../src/areas/leaderboards/ingest/ingest.service.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { bearer, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { boardLine, capture, dumpOf, get, type Row } from './dumps.ts';
import { clearStorage, fixedSettings, newStores, receive, storeCaptures } from './stores.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const HOUR = 3600;

beforeEach(clearStorage);

describe('GET /v1/leaderboards', () => {
  it('sorts boards by the order of the game, by name or by number', async () => {
    await capture(dumpOf(...[10003, 14, 17, 1].map((uuid) => boardLine(uuid, [['Nimbus', uuid]]))), TUESDAY);
    const list = async (query: string) => (await get(`?created_at=${TUESDAY}${query}`)).json.items as { uuid: number; name: string }[];
    const uuids = async (query: string) => (await list(query)).map(({ uuid }) => uuid);
    expect(await uuids('')).toEqual([1, 17, 14, 10003]);
    expect(await uuids('&sort=order')).toEqual([1, 17, 14, 10003]);
    expect(await uuids('&sort=uuid')).toEqual([1, 14, 17, 10003]);
    const names = (await list('&sort=name')).map(({ name }) => name);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
  });

  it('returns 422 with the sort orders for another one', async () => {
    const { status, json } = await get(`?created_at=${TUESDAY}&sort=nam`);
    expect([status, json.error]).toMatchObject([
      422,
      {
        details: [
          {
            loc: ['query', 'sort'],
            msg: 'must be one of order, name, uuid, not "nam"',
            type: 'invalid_value',
            allowed: ['order', 'name', 'uuid'],
            nearest: 'name',
          },
        ],
      },
    ]);
  });
});

describe('GET /v1/leaderboards/{uuid}/history', () => {
  it('returns one point per capture of a week', async () => {
    const all = Array.from({ length: 169 }, (_, hour) => {
      const rows: Row[] = [['Nimbus', 1000 + hour], ...(hour % 2 === 0 ? [['Oriole', 500] as const] : [])];
      return { anchor: TUESDAY + hour * HOUR, boards: { 1: rows } };
    });
    await storeCaptures(all);
    const { anchors, series } = await createBoardsService(newStores()).history(1, { days: 7, top: 5 }, DEFAULT_SETTINGS, 0);
    expect(anchors).toEqual(all.map(({ anchor }) => anchor));
    expect(series.map(({ playerName, points }) => [playerName, points.length, points.at(-1)?.score])).toEqual([
      ['Nimbus', 169, 1168],
      ['Oriole', 85, 500],
    ]);
  });

  it('returns the points of its own character for each of two rows with one name', async () => {
    // The two change places in the last capture.
    const scores = [
      [900, 100],
      [905, 400],
      [910, 700],
      [915, 1000],
    ] as const;
    for (const [hour, [one, other]] of scores.entries()) {
      const rows = (
        [
          ['Nimbus', one],
          ['nimbus', other],
          ['Oriole', 50],
        ] as const
      ).toSorted((left, right) => right[1] - left[1]);
      await capture(dumpOf(boardLine(1, rows)), TUESDAY + hour * HOUR);
    }
    const { json } = await get('/1/history?days=1&top=2');
    const series = json.series as { player_name: string; current_rank: number; points: { score: number }[] }[];
    expect(series.map(({ player_name: name, current_rank: rank, points }) => [name, rank, points.map(({ score }) => score)])).toEqual([
      ['nimbus', 1, [100, 400, 700, 1000]],
      ['Nimbus', 2, [900, 905, 910, 915]],
    ]);
    const top = await get('/1/history?days=1&top=1');
    expect((top.json.series as typeof series)[0]?.points.map(({ score }) => score)).toEqual([100, 400, 700, 1000]);
  });

  it('returns empty lists for a board without captures', async () => {
    for (const uuid of [20, 123_456]) {
      const { status, json } = await get(`/${uuid}/history`);
      expect([status, json]).toMatchObject([200, { uuid, anchors: [], series: [] }]);
    }
  });
});

describe('GET /v1/leaderboards/{uuid}/gains', () => {
  const DAY = 24 * HOUR;
  const WEEKLY = 10003;
  const both = (...rows: [string, number][]) => dumpOf(boardLine(1, rows), boardLine(WEEKLY, rows));
  const gainsOf = (json: Record<string, unknown>) =>
    (json.items as { player_name: string; gain: number }[]).map(({ player_name: name, gain }) => [name, gain]);

  it('compares the newest capture with the newest one that is at least as old as the period', async () => {
    const stores = newStores();
    const ingest = createIngestService({ ...stores, settings: fixedSettings() });
    const captures = [
      [TUESDAY - 8 * DAY, 100],
      [TUESDAY - 7 * DAY - HOUR, 110],
      [TUESDAY - 6 * DAY, 150],
      [TUESDAY - DAY, 180],
      [TUESDAY, 200],
    ] as const;
    for (const [anchor, score] of captures)
      await ingest.process({ ...(await receive(both(['Nimbus', score], ['Oriole', 50]), anchor, `v${anchor}`)), isBackfill: true });
    const week = await get('/1/gains?days=7');
    expect(week.json).toMatchObject({ days: 7, window_start: TUESDAY - 7 * DAY - HOUR, window_end: TUESDAY, reset_at: null, reason: 'ok' });
    expect(gainsOf(week.json)).toEqual([['Nimbus', 90]]);
    expect(gainsOf((await get('/1/gains?days=1')).json)).toEqual([['Nimbus', 20]]);
    const month = await get('/1/gains?days=30');
    expect([month.json.window_start, gainsOf(month.json)]).toEqual([TUESDAY - 8 * DAY, [['Nimbus', 100]]]);
    const weekly = await get(`/${WEEKLY}/gains?days=7&limit=1`);
    expect(weekly.json).toMatchObject({ window_start: TUESDAY - DAY, reset_at: TUESDAY - DAY, comparable: true, count: 1, total: 2 });
    expect(gainsOf(weekly.json)).toEqual([['Nimbus', 200]]);
    const csv = await call('/v1/leaderboards/1/gains?days=7', {
      authorization: bearer(await createToken()),
      headers: { Accept: 'text/csv' },
    });
    expect(csv.text).toBe('place,rank,player_name,score,prev_rank,prev_score,gain\r\n1,1,Nimbus,200,1,110,90\r\n');
  });

  it('reads the database once', async () => {
    await capture(both(['Nimbus', 100]), TUESDAY - DAY);
    await capture(both(['Nimbus', 120]), TUESDAY);
    const prepared: string[] = [];
    const batches: number[] = [];
    const watched = <Target extends D1Database | D1DatabaseSession>(database: Target): Target =>
      new Proxy(database, {
        get(target, property) {
          if (property === 'withSession') return (constraint?: string) => watched((target as D1Database).withSession(constraint));
          if (property === 'prepare') return (text: string) => [prepared.push(text), target.prepare(text)][1];
          if (property === 'batch')
            return (statements: D1PreparedStatement[]) => [batches.push(statements.length), target.batch(statements)][1];
          const value: unknown = Reflect.get(target, property);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    const boards = createBoardsStore(createDatabase(watched(env.DB)));
    const report = await createBoardsService({ ...newStores(), boards }).gains(1, { days: 1, limit: 5 }, DEFAULT_SETTINGS);
    expect(report?.items).toMatchObject([{ playerName: 'Nimbus', gain: 20 }]);
    expect([prepared.length, batches]).toEqual([3, [3]]);
  });

  it('has no gains after one capture or without one, and returns 404 for an unknown board', async () => {
    await capture(both(['Nimbus', 100]), TUESDAY);
    expect((await get('/1/gains')).json).toMatchObject({ comparable: false, reason: 'no_prior_snapshot', window_start: null, items: [] });
    expect((await get('/20/gains')).json).toMatchObject({ name: null, window_end: null, reason: 'no_prior_snapshot', count: 0 });
    expect((await get('/123456/gains')).status).toBe(404);
    expect((await get('/1/gains?days=2')).status).toBe(422);
  });
});

describe('GET /v1/leaderboards/{uuid}/entries', () => {
  it('compares each of two rows with one name with the earlier row of its character', async () => {
    const line = (...rows: [string, number][]) => dumpOf(boardLine(1, rows));
    await capture(line(['Nimbus', 900], ['Oriole', 500], ['Nimbus', 100]), TUESDAY - HOUR);
    await capture(line(['Nimbus', 905], ['Oriole', 510], ['Nimbus', 120], ['Nimbus', 5]), TUESDAY + HOUR);
    const { json } = await get(`/1/entries?created_at=${TUESDAY + HOUR}`);
    const items = json.items as { prev_rank: number | null; score_delta: number | null; is_new: boolean }[];
    expect(items.map(({ prev_rank: rank, score_delta: delta, is_new: isNew }) => [rank, delta, isNew])).toEqual([
      [1, 5, false],
      [2, 10, false],
      [3, 20, false],
      [null, null, true],
    ]);
    // One of the two left the board.
    await capture(line(['Oriole', 520], ['Nimbus', 125]), TUESDAY + 30 * HOUR);
    const later = await get(`/1/entries?created_at=${TUESDAY + 30 * HOUR}`);
    expect((later.json.items as typeof items)[1]).toMatchObject({ player_name: 'Nimbus', prev_rank: 3, score_delta: 5 });
  });

  it('returns the newest capture of the board without created_at and at', async () => {
    const empty = await get('/1/entries', { now: TUESDAY });
    expect([empty.status, empty.json]).toMatchObject([200, { created_at: TUESDAY, anchor: null, items: [], total: 0 }]);
    await capture(dumpOf(boardLine(1, [['Nimbus', 900]]), boardLine(20, [['Petrel', 3]])), TUESDAY);
    await capture(dumpOf(boardLine(1, [['Nimbus', 905]])), TUESDAY + HOUR);
    expect((await get('/1/entries', { now: TUESDAY })).json).toMatchObject({ anchor: TUESDAY + HOUR, items: [{ score: 905 }] });
    expect((await get('/20/entries')).json).toMatchObject({ created_at: TUESDAY, anchor: TUESDAY, total: 1 });
  });
});

describe('GET /v1/leaderboards', () => {
  it('returns the boards of the newest capture without created_at and at', async () => {
    const empty = await get('', { now: TUESDAY });
    expect([empty.status, empty.json]).toEqual([200, { created_at: TUESDAY, anchor: null, items: [], count: 0 }]);
    await capture(dumpOf(boardLine(1, [['Nimbus', 900]]), boardLine(20, [['Petrel', 3]])), TUESDAY);
    await capture(dumpOf(boardLine(1, [['Nimbus', 905]])), TUESDAY + HOUR);
    expect((await get('', { now: TUESDAY })).json).toMatchObject({ created_at: TUESDAY + HOUR, anchor: TUESDAY + HOUR, count: 1 });
  });
});

describe('GET /v1/leaderboards/records', () => {
  it('returns integers from the newest capture with a max-age of 15 minutes', async () => {
    await capture(dumpOf(boardLine(1, [['Nimbus', 5]]), boardLine(1003, [['Oriole', 99_999]])), TUESDAY);
    await capture(
      dumpOf(boardLine(20, [['Petrel', 29_250.4]]), boardLine(1000, [['Quail', 51_204.6]]), boardLine(1001, [['Petrel', 51_000]])),
      TUESDAY + HOUR,
    );
    const { json, headers } = await get('/records');
    expect(json).toEqual({
      mastery: null,
      geode_mastery: {
        points: 29_250,
        level: 100,
        points_into_level: 150,
        points_to_next_level: 1,
        player_name: 'Petrel',
        anchor: TUESDAY + HOUR,
        level_cap: 100,
        uncapped_level: 300,
        capped: true,
      },
      power_rank: { value: 51_205, board_uuid: 1000, player_name: 'Quail', anchor: TUESDAY + HOUR },
    });
    expect(headers.get('Cache-Control')).toBe('private, max-age=900');
  });
});
