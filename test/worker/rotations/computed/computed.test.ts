import { describe, expect, it } from 'vitest';
import { call } from '../../../support/requests.ts';
import { COMPUTED_ROTATIONS } from '../../../support/rotations.ts';
import { RESET as DOCUMENTED_RESET, TUESDAY as DOCUMENTED_TUESDAY } from '../../../unit/rotations/worked-values.data.ts';
import { testApp } from '../../platform/test-app.ts';

/** A rate limit for all requests of this file. */
const fetch = testApp({ settings: { publicAnonRateLimitMax: 10_000 } });

/** Tuesday 2026-03-10 15:30:00 UTC, and Thursday 2025-12-25 11:00:00 UTC, the second of a daily reset. */
const TUESDAY = DOCUMENTED_TUESDAY.serverTime.now_unix;
const RESET = DOCUMENTED_RESET.serverTime.now_unix;
const FIRST = 1_483_228_800;
const LAST = 4_133_980_799;

const COMPUTED = [...COMPUTED_ROTATIONS.map(({ path }) => path), '/v1/rotations/calendar'];

async function bodyAt(name: string, now: number) {
  const response = await call(`/v1/rotations/${name}`, { now }, fetch);
  expect(response.status).toBe(200);
  return JSON.parse(response.text);
}

describe('computed rotation endpoints', () => {
  it.each([DOCUMENTED_TUESDAY, DOCUMENTED_RESET])('return the documented values of $serverTime.now_iso', async (values) => {
    const read = (name: string) => bodyAt(name, values.serverTime.now_unix);
    expect(await read('server-time')).toEqual(values.serverTime);
    expect([(await read('daily-buffs')).current.name, (await read('weekly-buffs')).current.name]).toEqual(values.buffs);
    expect(await read('corruxion')).toMatchObject(values.corruxion);
    expect(await read('fluxion')).toMatchObject(values.fluxion);
    const { two_day: twoDay, three_day: threeDay } = await read('gardening');
    expect([twoDay.starts_at, twoDay.active]).toEqual(values.twoDay);
    expect([threeDay.starts_at, threeDay.active]).toEqual(values.threeDay);
    const biomes = { biomes: values.biomes, 'wild-mana': values.wildMana, stampy: values.stampy };
    for (const [name, expected] of Object.entries(biomes)) {
      const { current } = await read(name);
      expect([current.starts_at, ...current.biomes.map((biome: { name: string }) => biome.name)]).toEqual(expected);
    }
    expect((await read('calendar')).count).toBe(values.calendarCount);
  });

  it('return names and ends of plants, and the weekday of a buff', async () => {
    expect((await bodyAt('daily-buffs', TUESDAY)).current.weekday).toBe('Tuesday');
    const gardening = await bodyAt('gardening', TUESDAY);
    expect(gardening.two_day).toEqual({ name: '2-day plants', active: true, starts_at: 1_773_140_400, ends_at: 1_773_226_800 });
    expect(gardening.three_day).toEqual({ name: '3-day plants', active: false, starts_at: 1_773_313_200, ends_at: 1_773_399_600 });
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
