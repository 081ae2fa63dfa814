import { beforeEach, describe, expect, it } from 'vitest';
import { activityCaptures, activitySets, classActivityCaptures, classActivitySets } from '../../../src/areas/activity/activity.tables.ts';
import { withJson } from '../../support/calculators.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { boardLine, capture, dumpOf, get, type Row, runQueuedJobs, storedKeys } from './dumps.ts';
import { clearStorage, db } from './stores.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const HOUR = 3600;
const DAY = 86_400;
const NOW = TUESDAY + 4 * HOUR;

/** Sends an operation with a new token, which has no cooldown. */
async function post(path: string, authorization?: string) {
  return withJson(await call(path, { method: 'POST', authorization: authorization ?? bearer(await createSuperuserToken()), now: NOW }));
}

/** Inserts hourly captures: the score of P0 rises every hour, the others every second hour. */
async function fill(hours: readonly number[]): Promise<void> {
  for (const hour of hours) {
    const rows: Row[] = [0, 1, 2].map((player) => [`P${player}`, 100 + (player === 0 ? hour : Math.floor(hour / 2))]);
    await capture(dumpOf(boardLine(1, rows), boardLine(4000, rows)), TUESDAY + hour * HOUR);
  }
  await runQueuedJobs();
}

const estimates = async () =>
  (await db.select().from(activityCaptures)).map(({ windowEnd, estimate }) => [(windowEnd - TUESDAY) / HOUR, estimate]);
const classAnchors = async () => (await db.select().from(classActivityCaptures)).map(({ windowEnd }) => (windowEnd - TUESDAY) / HOUR);

beforeEach(async () => {
  await runQueuedJobs();
  await clearStorage();
  for (const table of [activityCaptures, activitySets, classActivityCaptures, classActivitySets]) await db.delete(table);
});

describe('POST /v1/leaderboards/delete-anchor', () => {
  it('deletes a capture and recomputes the activity around it', async () => {
    await fill([0, 1, 2, 3]);
    expect(await estimates()).toEqual([
      [0, null],
      [1, 1],
      [2, 3],
      [3, 1],
    ]);
    const anchor = TUESDAY + 2 * HOUR;
    const { status, body } = await post(`/v1/leaderboards/delete-anchor?anchor=${anchor}`);
    expect([status, body]).toEqual([200, { deleted: true, anchor, entries_deleted: 6, recompute: true }]);
    expect((await get('/timestamps')).json.items).toEqual([TUESDAY + 3 * HOUR, TUESDAY + HOUR, TUESDAY]);
    expect((await get('/players/P1/history?uuid=1')).json.count).toBe(3);
    await runQueuedJobs();
    expect(await estimates()).toEqual([
      [0, null],
      [1, 1],
      [3, 3],
    ]);
    expect(await classAnchors()).toEqual([0, 1, 3]);
    expect((await storedKeys()).filter((key) => key.includes(`/${anchor}/`))).toEqual([]);
  });

  it('does not recompute the activity without recompute', async () => {
    await fill([0, 1, 2]);
    const { body } = await post(`/v1/leaderboards/delete-anchor?anchor=${TUESDAY + HOUR}&recompute=False`);
    expect(body).toMatchObject({ deleted: true, recompute: false });
    await runQueuedJobs();
    expect((await estimates()).map(([hour]) => hour)).toEqual([0, 1, 2]);
  });

  it('deletes nothing for an unknown anchor and does not start the cooldown', async () => {
    const authorization = bearer(await createSuperuserToken());
    for (const anchor of [5, TUESDAY]) {
      const { status, body } = await post(`/v1/leaderboards/delete-anchor?anchor=${anchor}`, authorization);
      expect([status, body]).toEqual([200, { deleted: false, anchor, entries_deleted: 0, recompute: true }]);
    }
    expect((await post('/v1/leaderboards/delete-anchor', authorization)).status).toBe(422);
    expect((await post('/v1/leaderboards/delete-anchor?anchor=5', bearer(await createToken()))).status).toBe(403);
  });
});

describe('POST /v1/activity/backfill', () => {
  it('computes missing captures', async () => {
    await fill([0, 1, 2]);
    const full = await estimates();
    await db.delete(activityCaptures);
    const { status, body } = await post('/v1/activity/backfill');
    expect([status, body]).toEqual([
      202,
      { accepted: true, total_days: 400, chunk_days: 14, force: false, reset: false, message: expect.any(String) },
    ]);
    await runQueuedJobs();
    expect(await estimates()).toEqual(full);
  });

  it('recomputes only captures of the window with force', async () => {
    await fill([-30, 1, 2]);
    await db.update(activityCaptures).set({ estimate: 99 });
    expect((await post('/v1/activity/backfill?total_days=1&force=true')).body).toMatchObject({ force: true, reset: false });
    await runQueuedJobs();
    expect(await estimates()).toEqual([
      [-30, 99],
      [1, 3],
      [2, 3],
    ]);
  });

  it('deletes stored figures first with reset, which implies force', async () => {
    await fill([0, 1]);
    // Figures without a capture are not recomputed.
    await db.insert(activityCaptures).values({ windowEnd: NOW - HOUR, isStale: false, computedAt: NOW, byBoard: [] });
    expect((await post('/v1/activity/backfill?reset=1&total_days=0')).body).toMatchObject({ force: true, reset: true, total_days: 0 });
    await runQueuedJobs();
    expect((await estimates()).map(([hour]) => hour)).toEqual([0, 1]);
    for (const query of ['total_days=1001', 'chunk_days=0', 'force=maybe']) {
      expect((await post(`/v1/activity/backfill?${query}`)).status).toBe(422);
    }
  });
});

describe('POST /v1/class-activity/backfill', () => {
  it('computes only class activity', async () => {
    await fill([0, 1]);
    await db.delete(classActivityCaptures);
    await db.delete(activityCaptures);
    const { status, body } = await post(`/v1/class-activity/backfill?total_days=${Math.ceil(DAY / HOUR)}`);
    expect([status, body]).toEqual([202, { accepted: true, total_days: 24, force: false, reset: false, message: expect.any(String) }]);
    await runQueuedJobs();
    expect([await classAnchors(), await estimates()]).toEqual([[0, 1], []]);
  });
});
