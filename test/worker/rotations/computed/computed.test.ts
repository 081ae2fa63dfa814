import { describe, expect, it } from 'vitest';
import { call } from '../../../support/requests.ts';
import { COMPUTED_ROTATIONS } from '../../../support/rotations.ts';
import { testApp } from '../../platform/test-app.ts';

/** A rate limit for all requests of this file. */
const fetch = testApp({ settings: { publicAnonRateLimitMax: 10_000 } });

/** Tuesday 2026-03-10 15:30:00 UTC, and Thursday 2025-12-25 11:00:00 UTC, the second of a daily reset. */
const TUESDAY = 1_773_156_600;
const RESET = 1_766_660_400;
const FIRST = 1_483_228_800;
const LAST = 4_133_980_799;

const COMPUTED = [...COMPUTED_ROTATIONS.map(({ path }) => path), '/v1/rotations/calendar'];

async function bodyAt(name: string, now: number) {
  const response = await call(`/v1/rotations/${name}`, { now }, fetch);
  expect(response.status).toBe(200);
  return JSON.parse(response.text);
}

const biomeNames = ({ current }: { current: { biomes: { name: string }[] } }) => current.biomes.map(({ name }) => name);

describe('computed rotation endpoints on Tuesday 2026-03-10 15:30:00 UTC', () => {
  it('return the documented values', async () => {
    expect(await bodyAt('server-time', TUESDAY)).toEqual({
      now_unix: TUESDAY,
      now_iso: '2026-03-10T15:30:00.000Z',
      game_day: 'Tuesday',
      daily_reset_at: 1_773_226_800,
      weekly_reset_at: 1_773_658_800,
    });
    expect((await bodyAt('daily-buffs', TUESDAY)).current).toMatchObject({ name: 'Gathering Day', weekday: 'Tuesday' });
    expect((await bodyAt('weekly-buffs', TUESDAY)).current.name).toBe('Fast Invasions');
    expect(await bodyAt('corruxion', TUESDAY)).toMatchObject({
      active: false,
      starts_at: 1_774_004_400,
      ends_at: 1_774_263_600,
      seconds_remaining: 847_800,
    });
    expect(await bodyAt('fluxion', TUESDAY)).toMatchObject({
      active: true,
      state: 'voting',
      starts_at: 1_773_140_400,
      ends_at: 1_773_399_600,
      seconds_remaining: 243_000,
    });
    const gardening = await bodyAt('gardening', TUESDAY);
    expect(gardening.two_day).toEqual({ name: '2-day plants', active: true, starts_at: 1_773_140_400, ends_at: 1_773_226_800 });
    expect(gardening.three_day).toEqual({ name: '3-day plants', active: false, starts_at: 1_773_313_200, ends_at: 1_773_399_600 });
    const biomes = await bodyAt('biomes', TUESDAY);
    expect([biomes.current.starts_at, ...biomeNames(biomes)]).toEqual([
      1_773_151_200,
      'Cerise Sandsea',
      'Primal Preserve',
      'Volcanic Fields',
    ]);
    const mana = await bodyAt('wild-mana', TUESDAY);
    expect([mana.current.starts_at, ...biomeNames(mana)]).toEqual([1_773_054_000, 'Candoria', 'Fae Forest', 'Desert Frontier']);
    const stampy = await bodyAt('stampy', TUESDAY);
    expect([stampy.current.starts_at, ...biomeNames(stampy)]).toEqual([1_773_486_000, 'Jurassic Jungle']);
    expect((await bodyAt('calendar', TUESDAY)).count).toBe(1080);
  });

  it('have the documented lengths and shapes', async () => {
    const daily = await bodyAt('daily-buffs', TUESDAY);
    expect(daily.week.map(({ weekday }: { weekday: string }) => weekday)).toEqual([
      'Monday',
      'Tuesday',
      'Wednesday',
      'Thursday',
      'Friday',
      'Saturday',
      'Sunday',
    ]);
    expect(Object.keys(daily.current)).toEqual(['name', 'color', 'weekday', 'emoji', 'normal_buffs', 'premium_buffs', 'icon', 'banner']);
    const weekly = await bodyAt('weekly-buffs', TUESDAY);
    expect(weekly.rotation).toHaveLength(4);
    expect(Object.keys(weekly.current)).toEqual(['name', 'color', 'weekday', 'emoji', 'buffs', 'banner']);
    const corruxion = await bodyAt('corruxion', TUESDAY);
    expect(corruxion.schedule).toHaveLength(8);
    expect(corruxion.schedule[0]).toEqual({ starts_at: corruxion.starts_at, ends_at: corruxion.ends_at });
    const fluxion = await bodyAt('fluxion', TUESDAY);
    expect(fluxion.schedule.map(({ state }: { state: string }) => state)).toEqual(Array(4).fill(['voting', 'selling']).flat());
    expect((await bodyAt('gardening', TUESDAY)).upcoming).toHaveLength(10);
    expect((await bodyAt('biomes', TUESDAY)).upcoming).toHaveLength(16);
    expect((await bodyAt('wild-mana', TUESDAY)).upcoming).toHaveLength(7);
    expect((await bodyAt('stampy', TUESDAY)).upcoming).toHaveLength(7);
    expect(Object.keys((await bodyAt('biomes', TUESDAY)).current.biomes[0])).toEqual(['name', 'final_name', 'icon']);
  });
});

describe('computed rotation endpoints on Thursday 2025-12-25 11:00:00 UTC', () => {
  it('return the documented values', async () => {
    expect(await bodyAt('server-time', RESET)).toMatchObject({
      game_day: 'Thursday',
      daily_reset_at: 1_766_746_800,
      weekly_reset_at: 1_767_006_000,
    });
    expect((await bodyAt('daily-buffs', RESET)).current.name).toBe('Adventure Day');
    expect((await bodyAt('weekly-buffs', RESET)).current.name).toBe('Double Star Bar');
    expect(await bodyAt('corruxion', RESET)).toMatchObject({ active: false, starts_at: 1_766_746_800, seconds_remaining: 86_400 });
    expect(await bodyAt('fluxion', RESET)).toMatchObject({
      state: 'selling',
      starts_at: 1_766_487_600,
      ends_at: 1_766_746_800,
      seconds_remaining: 86_400,
    });
    const gardening = await bodyAt('gardening', RESET);
    expect([gardening.two_day.starts_at, gardening.three_day.starts_at]).toEqual([1_766_746_800, 1_766_833_200]);
    expect(biomeNames(await bodyAt('biomes', RESET))).toEqual(['Sundered Uplands', 'Spellbound Thicket', 'The Lost Isles']);
    expect(biomeNames(await bodyAt('wild-mana', RESET))).toEqual(['Candoria', 'Fae Forest', 'Desert Frontier']);
    expect(biomeNames(await bodyAt('stampy', RESET))).toEqual(['Desert Frontier']);
    expect((await bodyAt('calendar', RESET)).count).toBe(1079);
  });
});

describe('GET /v1/rotations/fluxion', () => {
  it('cycles through voting, away, selling, away', async () => {
    const start = 1_773_140_400;
    const states: unknown[] = [];
    for (const offset of [0, 259_199, 259_200, 604_799, 604_800, 863_999, 864_000, 1_209_599, 1_209_600]) {
      const { state, active, seconds_remaining } = await bodyAt('fluxion', start + offset);
      states.push([state, active, seconds_remaining]);
    }
    expect(states).toEqual([
      ['voting', true, 259_200],
      ['voting', true, 1],
      ['away', false, 345_600],
      ['away', false, 1],
      ['selling', true, 259_200],
      ['selling', true, 1],
      ['away', false, 345_600],
      ['away', false, 1],
      ['voting', true, 259_200],
    ]);
  });
});

describe.each(COMPUTED)('?at= of %s', (path) => {
  const at = (value: string | number) => call(`${path}?at=${value}`, {}, fetch);

  it.each([TUESDAY, RESET, FIRST, LAST])('returns the response of the time %i', async (instant) => {
    const requested = await at(instant);
    const clocked = await call(path, { now: instant }, fetch);
    expect([requested.status, requested.text === clocked.text]).toEqual([200, true]);
  });

  it('is cacheable for a day with a content-based ETag', async () => {
    const { headers } = await at(TUESDAY);
    expect(headers.get('Cache-Control')).toBe('public, max-age=86400');
    const etag = headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"/);
    expect((await call(`${path}?at=${TUESDAY}`, { headers: { 'If-None-Match': etag } }, fetch)).status).toBe(304);
  });

  it('is ignored when empty', async () => {
    const empty = await call(`${path}?at=`, { now: TUESDAY }, fetch);
    expect(empty.text === (await call(path, { now: TUESDAY }, fetch)).text).toBe(true);
    expect(empty.headers.get('Cache-Control')).not.toContain('86400');
  });
});

describe('?at=', () => {
  it.each([FIRST - 1, LAST + 1, 0, -1, '1e9', '0x10', 'now', '1773156600.5', '%201773156600', '٥', '9'.repeat(400)])(
    'rejects %s',
    async (value) => {
      const { status, text } = await call(`/v1/rotations/corruxion?at=${value}`, {}, fetch);
      expect([status, JSON.parse(text).error.details]).toMatchObject([
        422,
        [{ loc: ['query', 'at'], msg: `must be unix seconds between ${FIRST} and ${LAST}` }],
      ]);
    },
  );

  it.each(['1773156600000', '2026-03-10T15:30:00Z'])('suggests the unix seconds of %s', async (value) => {
    const { status, text } = await call(`/v1/rotations/corruxion?at=${value}`, {}, fetch);
    const msg = `must be unix seconds between ${FIRST} and ${LAST}; send 1773156600 for ${value}`;
    expect([status, JSON.parse(text).error.details]).toEqual([422, [{ loc: ['query', 'at'], msg, type: 'not_unix_seconds' }]]);
  });

  it('rejects U+0000', async () => {
    const { status, text } = await call('/v1/rotations/corruxion?at=1773156600%00', {}, fetch);
    expect([status, JSON.parse(text).error.details[0].loc]).toEqual([422, ['query', 'at']]);
  });

  it('is accepted only once', async () => {
    const { status, text } = await call('/v1/rotations/corruxion?at=1773156600&at=1773156600', {}, fetch);
    expect([status, JSON.parse(text).error.details[0].type]).toEqual([422, 'repeated']);
  });

  it('is ignored by captures and delves', async () => {
    const response = await call('/v1/rotations/challenge/current?at=abc&other=1&other=2', { now: TUESDAY }, fetch);
    expect([response.status, JSON.parse(response.text).starts_at]).toEqual([200, 1_773_154_800]);
  });
});
