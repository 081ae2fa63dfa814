import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { classActivityCaptures, classActivitySets } from '../../../src/areas/activity/activity.tables.ts';
import { createClassActivityService } from '../../../src/areas/activity/class-activity.service.ts';
import { createClassActivityStore } from '../../../src/areas/activity/class-activity.store.ts';
import { withJson } from '../../support/calculators.ts';
import { classDaysOf } from '../../support/class-days.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';
import { appWithHighLimits, type BoardsAt, captureOf, clearActivity, db, NOW } from './captures.ts';

const HOUR = 3600;
const DAY = 86_400;

const store = createClassActivityStore(db);
const service = createClassActivityService({ store, settings: { current: () => DEFAULT_SETTINGS }, clock: () => NOW });
const get = async (path: string, now = NOW) => withJson(await call(`/v1/class-activity/${path}`, { now }, appWithHighLimits()));

/** Processes captures, oldest first. */
async function processCaptures(all: readonly BoardsAt[]): Promise<void> {
  for (const [index, later] of all.entries()) await service.replace(captureOf(later, all[index - 1] ?? null, all));
}

/** Captures every hour, or every few hours, up to now; at each the effort of one more player rises. */
function hourly(count: number, end = NOW, hours = 1): BoardsAt[] {
  return Array.from({ length: count }, (_, number) => ({
    anchor: end - (count - 1 - number) * hours * HOUR,
    boards: {
      4000: Object.fromEntries(
        Array.from({ length: 40 }, (_, player) => [`p${player}`, player === number ? 101 : player < number ? 101 : 100]),
      ),
      1000: { p5: 30_000, p6: 30_000 },
    },
  }));
}

beforeEach(clearActivity);
afterEach(() => {
  vi.restoreAllMocks();
});

describe('GET /v1/class-activity/current', () => {
  it('counts players at the newest capture and the effort gained in a day', async () => {
    const xp = { A: 3_000_000, B: 3_000_000, C: 3_000_000, D: 3_000_000 };
    await processCaptures([
      { anchor: NOW - DAY, boards: { 4000: { A: 100, C: 300 } } },
      {
        anchor: NOW,
        boards: {
          4000: { A: 120, B: 40, C: 300 },
          1000: { A: 26_000, B: 30_000, C: 100 },
          4001: { A: 60, D: 70 },
          1001: { A: 25_000 },
          21005: xp,
        },
      },
    ]);
    expect((await get('current')).body).toEqual({
      window_start: NOW,
      window_end: NOW,
      duration_hours: null,
      total_active: 5,
      total_active_clean: 2,
      total_effort_added: 20,
      total_effort_added_clean: 20,
      power_rank_threshold: 25_000,
      effort_threshold: 50,
      xp_threshold: 2_000_000,
      classes: [
        {
          class_index: 0,
          name: 'Knight',
          icon: null,
          active_players: 3,
          share: 0.6,
          active_players_clean: 1,
          share_clean: 0.5,
          effort_added: 20,
          effort_added_clean: 20,
        },
        {
          class_index: 1,
          name: 'Gunslinger',
          icon: null,
          active_players: 2,
          share: 0.4,
          active_players_clean: 1,
          share_clean: 0.5,
          effort_added: 0,
          effort_added_clean: 0,
        },
      ],
      methodology: expect.any(String),
      computed_at: NOW,
    });
  });

  it('returns a null gain if the capture one day before is too old', async () => {
    await processCaptures([
      { anchor: NOW - 37 * HOUR, boards: { 4000: { A: 100 } } },
      { anchor: NOW, boards: { 4000: { A: 120 } } },
    ]);
    expect((await get('current')).body).toMatchObject({
      total_active: 1,
      total_active_clean: null,
      total_effort_added: null,
      classes: [{ active_players_clean: null, share_clean: null, effort_added: null }],
    });
  });

  it('returns an empty list before the first capture', async () => {
    expect((await get('current')).body).toMatchObject({ window_start: null, total_active: 0, classes: [], computed_at: NOW });
  });
});

describe('GET /v1/class-activity/series', () => {
  it('counts each player once per day', async () => {
    await processCaptures(hourly(30));
    const { body } = await get('series');
    expect(body).toMatchObject({ period: '7d', bucket_seconds: 6 * HOUR, window_end: NOW, effort_threshold: 50 });
    expect(body.classes).toHaveLength(18);
    const [knight] = body.classes;
    expect(knight).toMatchObject({ class_index: 0, name: 'Knight', icon: null });
    // From the 25th capture on, a day is a union of 24 windows with one player each; p5 and p6 are clean and leave it later.
    expect([knight.values.length, knight.values.at(-1)]).toEqual([body.buckets.length, 24]);
    expect(knight.values.slice(0, 3)).toEqual([null, null, null]);
    expect(body.classes[1].values.at(-1)).toBe(0);
    expect((await get('series?period=nonsense')).body).toEqual(body);
  });

  it('returns null across a weekly reset without a capture close to the reset', async () => {
    // Monday 2026-03-16 11:00 UTC.
    const monday = 1_773_658_800;
    const isNear = ({ anchor }: BoardsAt) => Math.abs(anchor - monday) <= 2 * HOUR;
    const all = hourly(61, monday + 30 * HOUR).filter((each) => isNear(each) || (each.anchor - monday) % (6 * HOUR) === 0);
    const values = async (captures: BoardsAt[]) => {
      await clearActivity();
      await processCaptures(captures);
      return (await store.listSamples(0, monday + 31 * HOUR)).map(({ at, values: { active } }) => [(at - monday) / HOUR, active[0]]);
    };
    expect(new Map((await values(all)) as [number, number | null][]).get(12)).toBeTypeOf('number');
    const gap = new Map((await values(all.filter((each) => !isNear(each)))) as [number, number | null][]);
    expect([gap.get(-6) === null, gap.get(12), gap.get(30) === null]).toEqual([false, null, false]);
  });

  it('recomputes values after a capture is backfilled', async () => {
    const all = hourly(10, NOW, 3);
    // Only this capture shows a gain of the player.
    Object.assign(all[6]?.boards[4000] ?? {}, { p0: 102 });
    await processCaptures(all);
    const full = await store.listSamples(0, NOW);
    await clearActivity();
    await processCaptures(all.filter((_, index) => index !== 6));
    for (const index of [6, 7]) await service.replace(captureOf(all[index] as BoardsAt, all[index - 1] ?? null, all));
    await service.refresh(new AbortController().signal);
    expect(await store.listSamples(0, NOW)).toEqual(full);
  });

  it('stores player sets for two days', async () => {
    await processCaptures(hourly(3, NOW - 3 * DAY));
    await store.deleteExpiredSets(NOW);
    expect(await db.select().from(classActivitySets)).toHaveLength(36);
    await store.deleteExpiredSets(NOW + DAY + 1);
    expect(await db.select().from(classActivitySets)).toHaveLength(0);
    expect(await db.select().from(classActivityCaptures)).toHaveLength(3);
  });
});

describe('series of all class activity over more than 120 days', () => {
  const expectedDays = async () => classDaysOf(await store.listSamples(0, NOW));

  it('reads a row a day, which every write of a capture keeps', async () => {
    const old = { anchor: NOW - 200 * DAY, boards: { 4000: { p0: 1 } } };
    await processCaptures([old, ...hourly(15, NOW, 2)]);
    expect(await store.listDays()).toEqual(await expectedDays());
    const { body } = await get('series?period=all');
    expect(body.window_start).toBe(old.anchor);
    expect(body.bucket_seconds % DAY).toBe(0);
    await store.deleteCapture(NOW - 2 * HOUR);
    expect(await store.listDays()).toEqual(await expectedDays());
    await store.deleteAfter(NOW - 20 * HOUR);
    expect(await store.listDays()).toEqual(await expectedDays());
  });
});

describe('feature_player_activity_enabled', () => {
  it('makes the class activity endpoints return 404 when off', async () => {
    const fetch = testApp({ settings: { featurePlayerActivityEnabled: false } });
    for (const path of ['current', 'series']) expect((await call(`/v1/class-activity/${path}`, {}, fetch)).status).toBe(404);
  });
});

describe('permanent class values', () => {
  const values = async () => (await db.select().from(classActivityCaptures)).map(({ windowEnd, dayValues }) => [windowEnd, dayValues]);

  it('stay when a capture whose neighbours have no sets any more is stored again', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const captures = hourly(10, NOW, 3);
    await processCaptures(captures);
    const before = await values();
    await db.delete(classActivitySets);
    for (const index of [5, 6]) await service.replace(captureOf(captures[index] as BoardsAt, captures[index - 1] as BoardsAt, captures));
    while ((await store.listStale(1)).length > 0) await service.refresh(new AbortController().signal);
    expect(await values()).toEqual(before);
  });
});
