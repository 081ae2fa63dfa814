import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_SECONDS } from '../../../src/areas/activity/activity.data.ts';
import { activityCaptures, activitySets } from '../../../src/areas/activity/activity.tables.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';
import { appWithHighLimits, type BoardsAt, captureOf, clearActivity, db, NOW, openActivity } from './captures.ts';

const HOUR = 3600;
/** Players whose hashes do not fit into one part. */
const LARGE = 91_000;
const NOTHING = {
  window_start: null,
  window_end: null,
  duration_hours: null,
  estimate: null,
  estimate_24h: null,
  estimate_7d: null,
  window_24h_start: null,
  window_7d_start: null,
  span_24h_hours: null,
  span_7d_hours: null,
  by_board: [],
  boards_analyzed: 0,
  methodology: expect.any(String),
  computed_at: NOW,
};

/** Hourly captures up to now; in capture `n` the scores of players `n` and `n + 1` (modulo `players`) have risen. */
function hourly(count: number, players: number, end = NOW): BoardsAt[] {
  const scores: Record<string, number> = Object.fromEntries(Array.from({ length: players }, (_, index) => [`p${index}`, 10]));
  return Array.from({ length: count }, (_, number) => {
    for (const player of [number, number + 1]) scores[`p${player % players}`] = (scores[`p${player % players}`] ?? 0) + 1;
    return { anchor: end - (count - 1 - number) * HOUR, boards: { 1: { ...scores } } };
  });
}

beforeEach(clearActivity);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('GET /v1/activity/current', () => {
  it('returns null figures if there are fewer than two captures', async () => {
    const { get, processCaptures } = openActivity();
    expect((await get('current')).body).toEqual(NOTHING);
    await processCaptures([{ anchor: NOW, boards: { 1: { a: 1 } } }]);
    expect((await get('current')).body).toEqual(NOTHING);
  });

  it('counts each player once over all boards, excluding clubs', async () => {
    const { get, processCaptures, changes } = openActivity();
    const first = {
      anchor: NOW - 5400,
      boards: { 1: { a: 1, b: 1, c: 1 }, 2: { a: 1, d: 5 }, 3: { a: 1 }, 1100: { Club: 1 }, 9: { x: 1 } },
    };
    const second = {
      anchor: NOW,
      boards: { 1: { a: 2, b: 2, c: 1 }, 2: { a: 2, d: 5, e: 6, f: 1 }, 3: { a: 1 }, 1100: { Club: 2 }, 8: { y: 1 } },
    };
    await processCaptures([first, second]);
    const { headers, body } = await get('current');
    expect(body).toEqual({
      window_start: NOW - 5400,
      window_end: NOW,
      duration_hours: 1.5,
      estimate: 3,
      estimate_24h: 3,
      estimate_7d: 3,
      window_24h_start: NOW - 5400,
      window_7d_start: NOW - 5400,
      span_24h_hours: 1.5,
      span_7d_hours: 1.5,
      by_board: [
        { uuid: 1, name: 'Board 1', category: 'STATS', active_players: 2 },
        { uuid: 2, name: 'Board 2', category: 'STATS', active_players: 2 },
      ],
      boards_analyzed: 2,
      methodology: expect.any(String),
      computed_at: NOW,
    });
    expect(headers.get('Cache-Control')).toBe('public, max-age=60');
    expect(changes).toEqual([NOW, NOW]);
  });

  it('counts each player once per day and per week', async () => {
    const { get, processCaptures } = openActivity();
    await processCaptures(hourly(30, 1000));
    // 24 pairs of captures end in the last day: each has two players and shares one with the next.
    expect((await get('current')).body).toMatchObject({
      estimate: 2,
      estimate_24h: 25,
      estimate_7d: 30,
      window_24h_start: NOW - 24 * HOUR,
      window_7d_start: NOW - 29 * HOUR,
      span_24h_hours: 24,
      span_7d_hours: 29,
    });
  });

  it('returns null for a window that is too long because of a gap', async () => {
    const { get, processCaptures } = openActivity();
    const captures = [...hourly(3, 50, NOW - 37 * HOUR), ...hourly(2, 50)];
    await processCaptures(captures);
    const { body } = await get('current');
    // The newest capture that is at least a day older is 37 hours old.
    expect(body).toMatchObject({ estimate: 2, estimate_24h: null, window_24h_start: NOW - 37 * HOUR, span_24h_hours: 37 });
    expect(body.estimate_7d).toBeGreaterThan(0);
  });

  it('keeps the figures of a window whose sets have expired, and names it in the log', async () => {
    const { get, processCaptures, refresh } = openActivity();
    const logged = vi.spyOn(console, 'log').mockImplementation(() => {});
    await processCaptures(hourly(10, 50));
    const before = (await get('current')).body;
    await db.delete(activitySets);
    await db.update(activityCaptures).set({ isStale: true, isDayStale: true });
    await refresh();
    expect((await get('current')).body).toEqual(before);
    const line = { level: 'warn', message: 'expired activity figures keep their values', capture: NOW, figures: ['24 hours', '7 days'] };
    expect(logged.mock.calls.map(([text]) => JSON.parse(String(text)))).toContainEqual(line);
  });

  it('returns null for a new capture in a window with a missing set', async () => {
    const { get, processCaptures } = openActivity();
    const captures = hourly(10, 50);
    await processCaptures(captures.slice(0, 9));
    await db.delete(activitySets);
    await processCaptures(captures.slice(9), captures[8]);
    expect((await get('current')).body).toMatchObject({ estimate: 2, estimate_24h: null, estimate_7d: null });
  });
});

describe('permanent figures', () => {
  /** Day and week figures of captures by hours before now. */
  const figures = async () =>
    Object.fromEntries(
      (await db.select().from(activityCaptures)).map((row) => [(NOW - row.windowEnd) / HOUR, [row.estimateDay, row.estimateWeek]]),
    );
  const staleHours = async () => {
    const rows = await db.select().from(activityCaptures);
    const hoursOf = (stale: typeof rows) => stale.map(({ windowEnd }) => (NOW - windowEnd) / HOUR);
    return { day: hoursOf(rows.filter(({ isDayStale }) => isDayStale)), week: hoursOf(rows.filter(({ isStale }) => isStale)) };
  };

  it('stay when a capture whose neighbours have no sets any more is stored again', async () => {
    const { processCaptures, service, refresh } = openActivity();
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const captures = hourly(30, 50);
    await processCaptures(captures);
    await refresh();
    const before = await figures();
    await db.delete(activitySets);
    await service.replace(captureOf(captures[10] as BoardsAt, captures[9] as BoardsAt));
    await service.replace(captureOf(captures[11] as BoardsAt, captures[10] as BoardsAt));
    while ((await staleHours()).week.length > 0) await refresh();
    expect(await figures()).toEqual(before);
  });

  it('are outdated only within their own reach: 1.5 days for a day, 10.5 days for a week', async () => {
    const { store } = openActivity();
    const row = (hours: number) => ({ windowEnd: NOW - hours * HOUR, isStale: false, computedAt: NOW, byBoard: [] });
    const weekHours = 1.5 * 7 * 24;
    for (const hours of [310, 300, 299, 264, 263, 300 - weekHours, 299 - weekHours]) await db.insert(activityCaptures).values(row(hours));
    await store.deleteCapture(NOW - 300 * HOUR);
    const { day, week } = await staleHours();
    expect({ day: day.sort(), week: week.sort() }).toEqual({ day: [264, 299], week: [263, 264, 299, 300 - weekHours].sort() });
  });

  it('stay outdated when a set changes while they are recomputed', async () => {
    const { processCaptures, store, service } = openActivity();
    const captures = hourly(3, 50);
    await processCaptures(captures);
    const stale = async () => {
      await db.update(activityCaptures).set({ isStale: true });
      return store.findStale(NOW);
    };
    const read = await stale();
    await service.replace(captureOf(captures[1] as BoardsAt, captures[0] as BoardsAt));
    expect(read).not.toBeNull();
    if (read) await store.saveUnions(read, { week: { startsAt: 0, estimate: 99 } });
    expect([(await staleHours()).week.includes(0), (await figures())[0]]).toEqual([true, [3, 3]]);
  });
});

describe('ActivityService.replace', () => {
  it('is idempotent, also after a crash', async () => {
    const { processCaptures, service, crash, get, store } = openActivity();
    const captures = hourly(5, 50);
    await processCaptures(captures.slice(0, 4));
    const [earlier, later] = captures.slice(3);
    const last = captureOf(later as BoardsAt, earlier as BoardsAt);
    crash(1);
    await expect(service.replace(last)).rejects.toThrow('a crash');
    expect((await get('current')).body).toMatchObject({ estimate: 2, estimate_24h: null });
    expect(await store.listStale(10)).toEqual([NOW]);
    await service.replace(last);
    const once = (await get('current')).body;
    await service.replace(last);
    expect((await get('current')).body).toEqual(once);
    expect(once).toMatchObject({ estimate: 2, estimate_24h: 5 });
    expect(await db.select().from(activitySets)).toHaveLength(4);
    expect(await store.listStale(10)).toEqual([]);
  });

  it('stores the same result if the refresh job completes it after a crash', async () => {
    const { processCaptures, crash, refresh, get } = openActivity();
    const captures = hourly(6, 50);
    await processCaptures(captures.slice(0, 5));
    crash(1);
    await processCaptures(captures.slice(5), captures[4]).catch(() => {});
    await refresh();
    expect((await get('current')).body).toMatchObject({ estimate: 2, estimate_24h: 6 });
  });

  it('recomputes later captures when an older one is backfilled', async () => {
    const { processCaptures, service, refresh, store, get } = openActivity();
    const captures = hourly(12, 50);
    const at = (index: number) => captures[index] as BoardsAt;
    await processCaptures(captures);
    const full = await store.listFigures(0, NOW);
    const current = (await get('current')).body;
    await clearActivity();
    await processCaptures(captures.filter((_, index) => index !== 5));
    // The ingest notifies of the new capture and of the next one.
    await service.replace(captureOf(at(5), at(4)));
    await service.replace(captureOf(at(6), at(5)));
    await refresh();
    expect(await store.listFigures(0, NOW)).toEqual(full);
    expect((await get('current')).body).toEqual(current);
  });

  it('stores a large set in parts and reads it back completely', async () => {
    const { processCaptures, get } = openActivity();
    const crowd = (score: number) => Object.fromEntries(Array.from({ length: LARGE }, (_, index) => [`Player ${index}`, score]));
    await processCaptures([
      { anchor: NOW - HOUR, boards: { 1: crowd(1) } },
      { anchor: NOW, boards: { 1: crowd(2) } },
    ]);
    expect((await get('current')).body).toMatchObject({ estimate: LARGE, estimate_24h: LARGE, estimate_7d: LARGE });
    expect((await db.select({ part: activitySets.part }).from(activitySets)).length).toBeGreaterThan(1);
  });
});

describe('stored player sets', () => {
  it('are deleted after 11 days, sets of backfilled captures a day after the backfill', async () => {
    const { processCaptures, store } = openActivity();
    await processCaptures(hourly(3, 50, NOW - 12 * DAY_SECONDS));
    await processCaptures(hourly(3, 50));
    await store.deleteExpired(NOW);
    expect(await db.select().from(activitySets)).toHaveLength(4);
    await store.deleteExpired(NOW + DAY_SECONDS + 1);
    expect(await db.select().from(activitySets)).toHaveLength(2);
    expect(await db.select().from(activityCaptures)).toHaveLength(6);
  });
});

describe('GET /v1/activity/history', () => {
  it('returns every pair of consecutive captures in the window, oldest first', async () => {
    const { get, processCaptures } = openActivity();
    await processCaptures(hourly(4, 50));
    const { body } = await get('history?days=1');
    expect(body).toMatchObject({ days: 1, window_start: NOW - DAY_SECONDS, window_end: NOW });
    expect(body.points).toHaveLength(3);
    expect(body.points[2]).toEqual({
      window_end: NOW,
      window_start: NOW - HOUR,
      duration_hours: 1,
      estimate: 2,
      estimate_24h: 4,
      estimate_per_hour: 2,
    });
    expect((await get('history', NOW + 7 * DAY_SECONDS - HOUR)).body.points).toHaveLength(2);
    for (const days of [0, 31, 'x']) expect((await get(`history?days=${days}`)).status).toBe(422);
  });

  it('returns the hourly rate between distant captures', async () => {
    const { get, processCaptures } = openActivity();
    await processCaptures([
      { anchor: NOW - 3 * HOUR, boards: { 1: { a: 1, b: 1 } } },
      { anchor: NOW, boards: { 1: { a: 2, b: 2 } } },
    ]);
    expect((await get('history')).body.points).toMatchObject([{ duration_hours: 3, estimate: 2, estimate_per_hour: 0.7 }]);
  });
});

describe('GET /v1/activity/series', () => {
  it('accepts the documented periods and uses 7d for other values', async () => {
    const { get, processCaptures } = openActivity();
    await processCaptures(hourly(30, 200));
    const at = async (query: string) => (await get(`series${query}`)).body;
    const week = await at('');
    expect(week).toMatchObject({
      period: '7d',
      bucket_seconds: 6 * HOUR,
      window_start: NOW - 7 * DAY_SECONDS,
      window_end: NOW,
      latest: 25,
    });
    expect(await at('?period=nonsense')).toEqual(week);
    expect(await at('?period=constructor')).toEqual(week);
    expect(week.points.map(({ samples }: { samples: number }) => samples)).toEqual([1, 6, 6, 6, 6, 4]);
    // The bucket of the first capture with a predecessor plots its value, the minimum of the series.
    expect(week.points[0]).toEqual({ t: NOW - 28 * HOUR, active: 2, avg: 2, peak: 2, samples: 1 });
    expect(week.low).toEqual({ t: NOW - 28 * HOUR, active: 2 });
    const day = await at('?period=1d');
    expect(day.points).toHaveLength(25);
    expect(day.points.at(-1)).toEqual({ t: NOW, active: 25, avg: 25, peak: 25, samples: 1 });
    const month = await at('?period=1m');
    expect(month.bucket_seconds).toBe(86_400);
    expect(month.points.reduce((sum: number, point: { samples: number }) => sum + point.samples, 0)).toBe(29);
    expect(month.peak).toMatchObject({ active: 25 });
    expect((await at('?period=3m')).bucket_seconds).toBe(86_400);
    expect((await at('?period=6m')).bucket_seconds).toBe(172_800);
    expect((await at('?period=1y')).bucket_seconds).toBe(604_800);
    expect(await at('?period=all')).toMatchObject({ period: 'all', bucket_seconds: HOUR, window_start: NOW - 28 * HOUR });
  });

  it('returns an empty series before the first capture', async () => {
    const { get } = openActivity();
    expect((await get('series')).body).toMatchObject({ points: [], peak: null, low: null, average: null, latest: null });
    expect((await get('series?period=all')).body).toMatchObject({ points: [], window_start: NOW });
  });

  it('returns a cached series for 30 minutes or until the next capture', async () => {
    const { processCaptures } = openActivity();
    const captures = hourly(5, 50);
    await processCaptures(captures.slice(0, 4));
    const fetch = appWithHighLimits();
    const windowEnd = async (now: number) => JSON.parse((await call('/v1/activity/series', { now }, fetch)).text).window_end;
    // The first response of an isolate is cached in the background, the second one before it is sent.
    await windowEnd(NOW);
    expect([await windowEnd(NOW), await windowEnd(NOW + 1799), await windowEnd(NOW + 1800)]).toEqual([NOW, NOW, NOW + 1800]);
    const etag = (await call('/v1/activity/history', { now: NOW }, fetch)).headers.get('ETag') ?? '';
    expect((await call('/v1/activity/history', { now: NOW + 1900, headers: { 'If-None-Match': etag } }, fetch)).status).toBe(304);
  });
});

describe('GET /v1/activity/series and /v1/activity/history after a backfill', () => {
  it('return the new figures in every isolate', async () => {
    const { processCaptures, service, refresh } = openActivity();
    const captures = hourly(8, 50);
    const at = (index: number) => captures[index] as BoardsAt;
    await processCaptures(captures.filter((_, index) => index !== 4));
    const fetch = appWithHighLimits();
    const read = async (path: string) => JSON.parse((await call(`/v1/activity/${path}`, { now: NOW }, fetch)).text);
    const samples = ({ points }: { points: { samples: number }[] }) => points.reduce((sum, point) => sum + point.samples, 0);
    expect([(await read('history')).points.length, samples(await read('series'))]).toEqual([6, 6]);
    // Another isolate, whose writes do not clear the cache of the first one.
    await service.replace(captureOf(at(4), at(3)));
    await service.replace(captureOf(at(5), at(4)));
    await refresh();
    // The caches of the isolate expire. Its reads are awaited without a limit.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const start = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => start + HOUR * 1000);
    expect([(await read('history')).points.length, samples(await read('series'))]).toEqual([7, 7]);
    expect((await read('history')).points.map(({ estimate_24h: day }: { estimate_24h: number }) => day)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('feature_player_activity_enabled', () => {
  it('makes the activity endpoints return 404 when off', async () => {
    const fetch = testApp({ settings: { featurePlayerActivityEnabled: false } });
    for (const path of ['current', 'history', 'series']) expect((await call(`/v1/activity/${path}`, {}, fetch)).status).toBe(404);
  });
});
