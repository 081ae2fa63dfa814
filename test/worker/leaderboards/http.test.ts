import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createIngestLog } from '../../../src/areas/ingest/ingest.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { eventually } from '../../support/eventually.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';
import { boardLine, capture, dumpForm, dumpOf, get, insert } from './dumps.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const HOUR = 3600;
const DAY = 86_400;
const log = createIngestLog(createDatabase(env.DB));

/** Boards: never resets, weekly, daily, delves, not in the board table. */
const BOARDS = { mastery: 1, weekly: 10003, daily: 31000, delves: 2004, unknown: 777_777 };

const first = dumpOf(
  boardLine(
    BOARDS.weekly,
    [
      ['Nimbus', 50],
      ['Oriole', 40],
    ],
    { category: 'OTHER' },
  ),
  boardLine(BOARDS.unknown, [['Nimbus', 5]]),
  boardLine(
    BOARDS.mastery,
    [
      ['Nimbus', 1000],
      ['Oriole', 900],
      ['Petrel', 800],
    ],
    { name: 'TROVE MASTERY POINTS' },
  ),
  boardLine(BOARDS.daily, [['Oriole', 7]]),
  boardLine(BOARDS.delves, [['Petrel', 153.5]]),
  boardLine(424_242, []),
);
const second = dumpOf(
  boardLine(
    BOARDS.weekly,
    [
      ['oriole', 90],
      ['Nimbus', 60],
    ],
    { category: 'OTHER' },
  ),
  boardLine(
    BOARDS.mastery,
    [
      ['Oriole', 1100],
      ['Nimbus', 1010],
      ['Quail', 850],
    ],
    { name: 'TROVE MASTERY POINTS' },
  ),
  boardLine(BOARDS.daily, [['Oriole', 3]], { categoryId: 'Leaderboard_Category_Contests_Daily', category: 'CONTESTS' }),
);

describe('reads of leaderboard captures', async () => {
  await capture(first, TUESDAY + 2 * HOUR);
  await capture(second, TUESDAY + DAY);

  it('lists anchors newest first', async () => {
    expect((await get('/timestamps')).json).toEqual({ items: [TUESDAY + DAY, TUESDAY + 2 * HOUR], count: 2 });
    expect((await get('/timestamps?limit=1')).json).toEqual({ items: [TUESDAY + DAY], count: 1 });
  });

  it('lists boards with entries in the order of the game', async () => {
    const { json } = await get(`?created_at=${TUESDAY + 2 * HOUR + 59}`, { now: TUESDAY + DAY });
    const items = json.items as Record<string, unknown>[];
    expect(items.map(({ uuid }) => uuid)).toEqual(
      [BOARDS.mastery, BOARDS.daily, BOARDS.delves, BOARDS.weekly, BOARDS.unknown].sort(
        (one, other) => items.findIndex(({ uuid }) => uuid === one) - items.findIndex(({ uuid }) => uuid === other),
      ),
    );
    expect(items.map(({ uuid }) => uuid)).toEqual([1, 31000, 2004, 10003, 777_777]);
    expect(items[0]).toEqual({
      uuid: 1,
      name_id: 'Board_1',
      name: 'TROVE MASTERY POINTS',
      category_id: 'Leaderboard_Category_Meta',
      category: 'META',
      contest_type: null,
      reset_kind: 'default',
      player_board: true,
    });
    expect(json).toMatchObject({ created_at: TUESDAY + 2 * HOUR, count: 5 });
  });

  it('returns empty lists for an unknown capture', async () => {
    const at = TUESDAY + 5 * DAY;
    expect((await get(`?created_at=${at}`, { now: at })).json).toEqual({ created_at: at, anchor: null, items: [], count: 0 });
    expect((await get(`/1/entries?created_at=${at}`, { now: at })).json).toMatchObject({
      created_at: at,
      anchor: null,
      items: [],
      count: 0,
      total: 0,
    });
  });

  it('returns the contest of a board at the capture and in the board details', async () => {
    const daily = async (at: number) =>
      ((await get(`?created_at=${at}`, { now: at })).json.items as { uuid: number }[]).find(({ uuid }) => uuid === BOARDS.daily);
    expect(await daily(TUESDAY + 2 * HOUR)).toMatchObject({ contest_type: null });
    expect(await daily(TUESDAY + DAY)).toMatchObject({ contest_type: 'daily' });
    const { json } = await get(`/${BOARDS.daily}`);
    expect(json).toMatchObject({
      uuid: BOARDS.daily,
      contest_type: 'daily',
      reset_kind: 'daily',
      contests: [{ time: TUESDAY + DAY, type: 'daily' }],
    });
  });

  /** The player Oriole in the newest capture of board 1. */
  const firstOriole = { rank: 1, score: 1100, prev_rank: 2, rank_delta: 1, score_delta: 200, is_new: false };

  it('compares entries of boards without a reset, names case-insensitive', async () => {
    const { json } = await get(`/1/entries?created_at=${TUESDAY + DAY}`, { now: TUESDAY + DAY });
    expect(json).toEqual({
      uuid: 1,
      created_at: TUESDAY + DAY,
      anchor: TUESDAY + DAY,
      count: 3,
      total: 3,
      comparison: { comparable: true, prev_anchor: TUESDAY + 2 * HOUR, reason: 'ok' },
      items: [
        { ...firstOriole, player_name: 'Oriole', prev_score: 900 },
        { rank: 2, player_name: 'Nimbus', score: 1010, prev_rank: 1, prev_score: 1000, rank_delta: -1, score_delta: 10, is_new: false },
        { rank: 3, player_name: 'Quail', score: 850, prev_rank: null, prev_score: null, rank_delta: null, score_delta: null, is_new: true },
      ],
    });
    const weekly = await get(`/${BOARDS.weekly}/entries?created_at=${TUESDAY + DAY}&limit=1`, { now: TUESDAY + DAY });
    expect(weekly.json).toMatchObject({
      count: 1,
      total: 2,
      items: [{ player_name: 'oriole', prev_rank: 2, rank_delta: 1, score_delta: 50 }],
    });
    const page = await get(`/1/entries?created_at=${TUESDAY + DAY}&offset=2`, { now: TUESDAY + DAY });
    expect(page.json).toMatchObject({ count: 1, total: 3, items: [{ rank: 3 }] });
  });

  it('does not compare entries across a reset', async () => {
    const { json } = await get(`/${BOARDS.daily}/entries?created_at=${TUESDAY + DAY}`, { now: TUESDAY + DAY });
    expect(json).toMatchObject({
      comparison: { comparable: false, prev_anchor: TUESDAY + 2 * HOUR, reason: 'crossed_reset' },
      items: [{ prev_rank: null, is_new: false }],
    });
    const old = await get(`/1/entries?created_at=${TUESDAY + 2 * HOUR}`, { now: TUESDAY + DAY });
    expect(old.json).toMatchObject({ comparison: { comparable: false, prev_anchor: null, reason: 'no_prior_snapshot' } });
  });

  it('decodes delve scores', async () => {
    const { json } = await get(`/${BOARDS.delves}/entries?created_at=${TUESDAY + 2 * HOUR}`, { now: TUESDAY + DAY });
    expect(json.items).toMatchObject([{ score: 153.5, delve: { depth: 153, minutes: 45 } }]);
  });

  it('returns 404 for an unknown board and 422 for a board that is not a number', async () => {
    expect((await get('/123456')).status).toBe(404);
    expect((await get(`/123456/entries?created_at=${TUESDAY}`, { now: TUESDAY })).status).toBe(404);
    expect((await get('/abc')).status).toBe(422);
    expect((await get('/-1')).status).toBe(422);
  });

  it('selects the newest capture at or before `at`', async () => {
    const now = TUESDAY + DAY;
    const between = TUESDAY + 5 * HOUR + 17;
    expect((await get(`?at=${between}`, { now })).json).toMatchObject({
      created_at: TUESDAY + 2 * HOUR,
      anchor: TUESDAY + 2 * HOUR,
      count: 5,
    });
    expect((await get(`/1/entries?at=${between}&limit=1`, { now })).json).toMatchObject({
      anchor: TUESDAY + 2 * HOUR,
      items: [{ rank: 1, player_name: 'Nimbus' }],
    });
    // The newest capture lacks this board.
    expect((await get(`/${BOARDS.delves}/entries?at=${now}`, { now })).json).toMatchObject({ anchor: TUESDAY + 2 * HOUR, total: 1 });
    expect((await get(`/1/entries?at=${TUESDAY}`, { now })).json).toMatchObject({ created_at: TUESDAY, anchor: null, items: [] });
    expect((await get(`?at=${between}&created_at=${now}`, { now })).json).toMatchObject({ anchor: now });
    expect((await get('/1/entries?at=0')).status).toBe(400);
    expect((await get('/1/entries?at=x')).status).toBe(422);
  });

  it('rejects an invalid anchor', async () => {
    for (const path of ['', '/1/entries']) {
      expect((await get(`${path}?created_at=x`)).status).toBe(422);
      expect((await get(`${path}?created_at=0`)).status).toBe(400);
      expect((await get(`${path}?created_at=-60`)).status).toBe(400);
    }
  });

  it('returns the history of a player, case-insensitive', async () => {
    const { json } = await get(`/players/${encodeURIComponent(' ORIOLE ')}/history`);
    expect(json.player_name).toBe('Oriole');
    const items = json.items as { created_at: number; leaderboard: number }[];
    expect(items.map(({ created_at: at, leaderboard: uuid }) => [at - TUESDAY, uuid])).toEqual([
      [DAY, 1],
      [DAY, 31000],
      [DAY, 10003],
      [2 * HOUR, 1],
      [2 * HOUR, 31000],
      [2 * HOUR, 10003],
    ]);
    expect(items[0]).toMatchObject(firstOriole);
    expect(items[0]).toMatchObject({ leaderboard: 1, board_name: 'TROVE MASTERY POINTS', board: { uuid: 1 }, slot: 0, slots: 1 });
    expect(items[1]).toMatchObject({ prev_rank: null, is_new: false, board: { contest_type: 'daily' } });
    expect(items[4]).toMatchObject({ board: { contest_type: null } });
    expect((await get('/players/oriole/history?limit=2')).json).toMatchObject({ count: 2 });
    const onWeekly = await get('/players/oriole/history?uuid=10003');
    expect(onWeekly.json).toMatchObject({ count: 2, items: [{ rank: 1, prev_rank: 2, score_delta: 50 }, { rank: 2 }] });
    expect((await get('/players/nobody/history')).json).toEqual({ player_name: 'nobody', items: [], count: 0 });
    expect((await get('/players/quail/history?uuid=1')).json).toMatchObject({ count: 1, items: [{ is_new: true }] });
  });

  it('returns player series, board history, health and records', async () => {
    const series = (await get('/players/oriole/series?days=2')).json;
    expect(series).toMatchObject({
      player_name: 'oriole',
      canonical_name: 'Oriole',
      days: 2,
      window_end: TUESDAY + DAY,
      anchors: [TUESDAY + 2 * HOUR, TUESDAY + DAY],
      duplicate_boards: [],
    });
    expect((await get('/players/quail/series?days=2')).json).toMatchObject({
      anchors: [TUESDAY + DAY],
      series: [{ uuid: 1, slot: 0, slots: 1 }],
    });
    expect(series.series).toMatchObject([
      { uuid: 1, best_rank: 1, points: [{ score: 900, synthetic: false }, { score: 1100 }] },
      { uuid: 31000, best_rank: 1, points: [{ score: 7 }, { created_at: TUESDAY + DAY - 1, score: 7, synthetic: true }, { score: 3 }] },
      { uuid: 10003, best_rank: 1, points: [{ score: 40 }, { score: 90 }] },
    ]);
    const history = (await get('/1/history?top=2')).json;
    expect(history.series).toMatchObject([
      {
        player_name: 'Oriole',
        current_rank: 1,
        points: [
          { rank: 2, score: 900 },
          { rank: 1, score: 1100 },
        ],
      },
      {
        player_name: 'Nimbus',
        current_rank: 2,
        points: [
          { rank: 1, score: 1000 },
          { rank: 2, score: 1010 },
        ],
      },
    ]);
    const health = (await get('/1/health')).json;
    expect(health).toMatchObject({
      uuid: 1,
      anchor: TUESDAY + DAY,
      comparable: true,
      population: 3,
      sample_size: 3,
      new_entrants: 1,
      median_score_gain: 105,
    });
    const records = (await get('/records')).json;
    expect(records).toEqual({
      mastery: { points: 1100, level: 20, points_into_level: 0, points_to_next_level: 100, player_name: 'Oriole', anchor: TUESDAY + DAY },
      geode_mastery: null,
      power_rank: null,
    });
  });

  it('returns an anomaly report after the capture is processed', async () => {
    await eventually(async () => expect((await get('/cheaters')).json).toMatchObject({ anchor: TUESDAY + DAY, total_flagged: 0 }));
  });

  it('has no archive rate limit by default', async () => {
    const authorization = bearer(await createToken());
    for (let read = 0; read < 12; read += 1) {
      const { status, headers } = await get(`?created_at=${TUESDAY}`, { now: TUESDAY + 30 * DAY, authorization });
      expect([status, headers.get('X-RateLimit-Archive-Limit')]).toEqual([200, null]);
    }
  });

  it('rate limits reads of old captures per token when configured', async () => {
    const authorization = bearer(await createToken());
    const now = TUESDAY + 30 * DAY;
    const path = `?created_at=${TUESDAY}`;
    const limited = testApp({ settings: { leaderboardsArchiveRateLimitMax: 10 } });
    const one = await get(path, { now, authorization }, limited);
    expect([one.status, one.headers.get('X-RateLimit-Archive-Limit'), one.headers.get('X-RateLimit-Archive-Remaining')]).toEqual([
      200,
      '10',
      '9',
    ]);
    expect(one.headers.get('X-RateLimit-Archive-Reset')).toBe(String(Math.floor(now / 60) * 60 + 60));
    for (let count = 0; count < 9; count += 1) await get(`/1/entries?created_at=${TUESDAY}`, { now, authorization }, limited);
    const rejected = await get(path, { now, authorization }, limited);
    expect([rejected.status, rejected.headers.get('X-RateLimit-Archive-Remaining'), rejected.headers.get('X-RateLimit-Limit')]).toEqual([
      429,
      '0',
      '120',
    ]);
    expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0);
    const fresh = await get(`?created_at=${now - DAY}`, { now, authorization }, limited);
    expect([fresh.status, fresh.headers.get('X-RateLimit-Archive-Limit')]).toEqual([200, null]);
  });
});

describe('POST /v1/leaderboards/insert', () => {
  const at = TUESDAY + 100 * DAY;

  it('returns 202 and creates a capture in the background', async () => {
    const text = dumpOf(boardLine(1, [['Nimbus', 1]]));
    const response = await insert(text, '', { now: at + HOUR });
    expect([response.status, response.json]).toEqual([202, { accepted: true, bytes: text.length, message: 'received' }]);
    await eventually(async () => expect((await get('/timestamps?limit=1')).json.items).toEqual([at]));
  });

  it('starts the cooldown only for accepted dumps', async () => {
    const authorization = bearer(await createSuperuserToken());
    const now = at + 2 * DAY;
    const text = dumpOf(boardLine(1, [['Nimbus', 2]]));
    const send = (dump: string, query = '', later = 0) => insert(dump, query, { authorization, now: now + later });
    expect((await send('', '')).status).toBe(400);
    expect((await send(text, '?timestamp=5')).status).toBe(400);
    expect((await send('no boards here', '?sync=true')).json).toMatchObject({ accepted: false, message: 'dump contains no board' });
    expect((await send(text, '?sync=true')).json).toMatchObject({ accepted: true });
    const second = await send(text, '?sync=true');
    expect([second.status, second.json.error?.code]).toEqual([429, 'rate_limited']);
    expect((await send(text, '?sync=true', 600)).json).toMatchObject({
      accepted: true,
      message: 'the same dump is already stored: 1 boards, 1 entries',
    });
  });

  it('returns 400 without a part named file', async () => {
    const authorization = bearer(await createSuperuserToken());
    const { body, headers } = await dumpForm(dumpOf(boardLine(1, [['A', 1]])), 'other');
    const response = await call('/v1/leaderboards/insert', { method: 'POST', body, headers, authorization });
    expect([response.status, JSON.parse(response.text).error.code]).toEqual([400, 'bad_request']);
  });

  it('requires a superuser', async () => {
    expect((await insert('x', '', { authorization: bearer(await createToken()) })).status).toBe(403);
    expect((await insert('x', '', { authorization: null })).status).toBe(401);
  });

  it('records dropped lines in the insert log', async () => {
    const now = at + 4 * DAY;
    await insert(dumpOf(boardLine(-3, []), boardLine(1, [['A', 1]])), '?sync=true', { now });
    const [entry] = await log.latest({ limit: 1, endpoint: 'leaderboards' });
    expect(entry).toMatchObject({ now, error: null, tokenName: 'test' });
    expect(entry?.summary).toBe(
      `anchor ${Math.floor((now - 39_600) / DAY) * DAY + 39_600}: 1 boards, 1 entries; dropped 1 lines and 0 entries: line 1 has a non-numeric uuid: Board_-3$Leaderboard_Category_Meta$-3 = BOARD -3$META##`,
    );
  });

  it('accepts invalid UTF-8', async () => {
    const now = at + 6 * DAY;
    const line = Uint8Array.from(new TextEncoder().encode(`${boardLine(1, [['A?B', 5]])}\n`));
    line[line.indexOf(0x3f)] = 0xff;
    const { body, headers } = await dumpForm(line);
    const authorization = bearer(await createSuperuserToken());
    expect((await call('/v1/leaderboards/insert?sync=true', { method: 'POST', body, headers, authorization, now })).status).toBe(200);
    const [anchor] = (await get('/timestamps?limit=1')).json.items as number[];
    expect((await get(`/1/entries?created_at=${anchor}`, { now })).json.items).toMatchObject([{ player_name: 'A\uFFFDB' }]);
  });
});

describe('completeness check of inserts', () => {
  const at = TUESDAY + 200 * DAY;
  const rows = (count: number): [string, number][] => Array.from({ length: count }, (_, index) => [`P${index}`, 1000 - index]);
  const full = dumpOf(...Array.from({ length: 25 }, (_, index) => boardLine(3000 + index, rows(100))));

  it('rejects an incomplete live capture', async () => {
    await capture(full, at);
    const short = dumpOf(...Array.from({ length: 25 }, (_, index) => boardLine(3000 + index, rows(index === 3 ? 49 : 100))));
    const live = await insert(short, `?sync=true&timestamp=${at + HOUR}`, { now: at + HOUR });
    expect(live.json).toMatchObject({ accepted: false, message: 'incomplete capture: missing boards none; collapsed boards 3003' });
    expect((await get(`?created_at=${at + HOUR}`, { now: at + HOUR })).json).toMatchObject({ count: 0 });
    const missing = dumpOf(...Array.from({ length: 23 }, (_, index) => boardLine(3000 + index, rows(100))));
    expect((await insert(missing, `?sync=true&timestamp=${at + HOUR}`, { now: at + HOUR })).json).toMatchObject({ accepted: false });
    // Boards that are not known to be lasting are not compared with the day before.
    expect((await insert(missing, `?sync=true&timestamp=${at + DAY}`, { now: at + DAY })).json).toMatchObject({ accepted: true });
    expect((await insert(short, `?sync=true&backfill=true&timestamp=${at + HOUR}`, { now: at + HOUR })).json).toMatchObject({
      accepted: true,
    });
  });

  it('compares only boards that never reset with a capture before a reset', async () => {
    const next = at + 14 * DAY;
    const [daily, weekly, lasting] = [31000, 21005, [1000, 1001, 1002, 3, 4, 6, 9, 10, 11, 13, 16, 17, 14, 15, 18, 1003, 1004, 1005]];
    const dumpWith = (counts: Record<number, number>) =>
      dumpOf(...[daily, weekly, ...lasting].flatMap((uuid) => (counts[uuid] === 0 ? [] : [boardLine(uuid, rows(counts[uuid] ?? 100))])));
    await capture(dumpWith({}), next);
    const send = async (counts: Record<number, number>, settings = {}) =>
      (await insert(dumpWith(counts), `?sync=true&timestamp=${next + DAY}`, { now: next + DAY, ...settings })).json;
    expect(await send({ 1000: 49, [daily]: 3 })).toMatchObject({
      accepted: false,
      message: 'incomplete capture: missing boards none; collapsed boards 1000',
    });
    expect(await send({ 1000: 0, 1001: 0, [weekly]: 0 })).toMatchObject({
      accepted: false,
      message: 'incomplete capture: missing boards 1000, 1001; collapsed boards none',
    });
    expect(await send({ [daily]: 0, [weekly]: 3 })).toMatchObject({ accepted: true });
  });
});
