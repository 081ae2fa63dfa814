import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createReportsStore } from '../../../../src/areas/rotations/reports/reports.store.ts';
import type { ChaosChestRelay } from '../../../../src/areas/rotations/schedules/reports.domain.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { call, ORIGIN } from '../../../support/requests.ts';
import { report } from '../reports.ts';

const reports = createReportsStore(createDatabase(env.DB));

const WEEK = 604_800;
const DAY = 86_400;
let weeks = 0;

/** Every test uses its own week, because reads of a week are cached. */
function freshWeek() {
  weeks += 1;
  const start = 1_773_140_400 + weeks * WEEK;
  return { start, end: start + WEEK, now: start + 2 * DAY };
}

const relay = (more: Partial<ChaosChestRelay>) =>
  reports.saveChaosChestRelay({ name: 'Relayed', identifier: null, blueprint: null, startsAt: null, endsAt: null, fetchedAt: 0, ...more });

const chestAt = async (now: number) => JSON.parse((await call('/v1/rotations/chaos-chest', { now })).text);
const iso = (instant: number) => new Date(instant * 1000).toISOString();

const item = (name: string, more = {}) => ({ name, identifier: null, blueprint: null, image_url: null, ...more });

describe('GET /v1/rotations/chaos-chest', () => {
  it('returns the week from Tuesday to Tuesday with a null item while unknown', async () => {
    const { start, end, now } = freshWeek();
    expect(await chestAt(now)).toEqual({
      active: true,
      starts_at: start,
      ends_at: end,
      seconds_remaining: end - now,
      item: null,
      fetched_at: null,
    });
    expect((await chestAt(start)).seconds_remaining).toBe(WEEK);
    expect((await chestAt(start - 1)).starts_at).toBe(start - WEEK);
  });

  it('returns a relayed item with its own window', async () => {
    const { start, end, now } = freshWeek();
    await relay({
      name: 'Egg',
      identifier: 'collections/pet/egg',
      blueprint: 'egg_blueprint',
      startsAt: start + 60,
      endsAt: end - 60,
      fetchedAt: now - 5,
    });
    expect(await chestAt(now)).toEqual({
      active: true,
      starts_at: start + 60,
      ends_at: end - 60,
      seconds_remaining: end - 60 - now,
      item: item('Egg', {
        identifier: 'collections/pet/egg',
        blueprint: 'egg_blueprint',
        image_url: `${ORIGIN}/v1/codexes/render?blueprint=egg_blueprint&dim=256`,
      }),
      fetched_at: iso(now - 5),
    });
  });

  it('uses the computed week when the relayed item has no window', async () => {
    const { start, end, now } = freshWeek();
    await relay({ startsAt: 0, fetchedAt: now - 5 });
    expect(await chestAt(now)).toMatchObject({ starts_at: start, ends_at: end, active: true, item: item('Relayed') });
  });

  it('prefers the report of the week', async () => {
    const { start, end, now } = freshWeek();
    await relay({ startsAt: start, endsAt: end, fetchedAt: now - 5 });
    await report('chaos-chest', 'Reported', { now });
    expect(await chestAt(now + 60)).toMatchObject({ item: item('Reported'), fetched_at: iso(now), starts_at: start, ends_at: end });
  });

  it('ignores an ended relayed item', async () => {
    const { start, end, now } = freshWeek();
    await relay({ endsAt: now, fetchedAt: now - DAY });
    expect(await chestAt(now)).toMatchObject({ item: null, fetched_at: null, starts_at: start, ends_at: end });
  });

  it('ignores a relayed item of last week without an end', async () => {
    const { start, now } = freshWeek();
    await relay({ fetchedAt: start - 1 });
    expect((await chestAt(now)).item).toBeNull();
  });

  it('ignores a report of another week', async () => {
    const { now } = freshWeek();
    await relay({ endsAt: 1 });
    await report('chaos-chest', 'This week', { now });
    expect((await chestAt(now + WEEK)).item).toBeNull();
    expect((await chestAt(now - WEEK)).item?.name).not.toBe('This week');
    freshWeek();
  });

  it('is inactive before the start of a relayed item', async () => {
    const { end, now } = freshWeek();
    await relay({ startsAt: now + 60, endsAt: end, fetchedAt: now });
    expect(await chestAt(now)).toMatchObject({ active: false, starts_at: now + 60, seconds_remaining: end - now });
  });
});
