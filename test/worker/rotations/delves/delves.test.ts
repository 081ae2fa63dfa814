import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDelvesStore } from '../../../../src/areas/rotations/delves/delves.store.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { bearer, type CallOptions, call } from '../../../support/requests.ts';
import { createToken } from '../../../support/tokens.ts';
import { testApp } from '../../platform/test-app.ts';

const delves = createDelvesStore(createDatabase(env.DB));
const on = testApp({ settings: { featureDelvesEnabled: true, publicAnonRateLimitMax: 1000 } });
const off = testApp({ settings: {} });

/** Tuesday 2026-03-10 15:30:00 UTC: in delve week 19. */
const NOW = 1_773_156_600;
/** Floors in the format of the community source: keys in any order, unknown keys, nulls and nested lists. */
const FLOORS = [
  { id: 7, depth: 110, boss: { n: 'Boss', b: ['Agile'] }, roomDetails: [null, { e: 0 }, []], isVaultFloor: 1, newKey: { a: [1.5, 'é'] } },
  { zone: 'Elite', submittedBy: null, depth: 111, killAmount: null },
];

beforeAll(async () => {
  await delves.save(17, { total: 2, depths: FLOORS }, NOW - 1_209_600);
  await delves.save(18, { total: 200, depths: FLOORS.slice(0, 1) }, NOW - 604_800);
});

const get = (path: string, options: CallOptions = {}, fetch = on) => call(`/v1/rotations/${path}`, { now: NOW, ...options }, fetch);

describe('GET /v1/rotations/delves', () => {
  it('returns the floors of a stored week unchanged', async () => {
    const { status, text } = await get('delves?week=17');
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { week: 17, is_current: false, total: 2, count: 2, fetched_at: '2026-02-24T15:30:00.000Z', depths: FLOORS },
    ]);
    expect(text).toContain(JSON.stringify(FLOORS));
  });

  it('returns the total of the source and the number of stored floors', async () => {
    expect(JSON.parse((await get('delves?week=18')).text)).toMatchObject({ total: 200, count: 1 });
  });

  it('is empty for the current week while nothing is stored', async () => {
    const empty = { week: 19, is_current: true, total: 0, count: 0, fetched_at: null, depths: [] };
    for (const query of ['', '?week=']) {
      const { status, text } = await get(`delves${query}`);
      expect([status, JSON.parse(text)]).toEqual([200, empty]);
    }
  });

  it('returns 404 for a requested week that is not stored, including the current one', async () => {
    for (const week of [19, 1, 0, 999_999]) {
      const { status, text, headers } = await get(`delves?week=${week}`);
      expect([status, JSON.parse(text).error.code, headers.get('X-RateLimit-Limit')]).toEqual([404, 'not_found', '1000']);
    }
  });

  it.each(['x', '-1', '1.5', '1e1', '99999999', ' 5', '5&week=5'])('rejects the week %j', async (week) => {
    expect((await get(`delves?week=${encodeURI(week)}`)).status).toBe(422);
  });

  it('returns the next week from Monday 11:00 UTC', async () => {
    const weekAt = async (now: number) => JSON.parse((await get('delves', { now })).text).week;
    expect([await weekAt(1_773_054_000 - 1), await weekAt(1_773_054_000)]).toEqual([18, 19]);
    expect(JSON.parse((await get('delves?week=18', { now: 1_773_054_000 - 1 })).text).is_current).toBe(true);
  });

  it('keeps a stored week after an empty fetch', async () => {
    await delves.save(17, { total: 0, depths: [] }, NOW);
    expect(JSON.parse((await get('delves?week=17')).text)).toMatchObject({ count: 2, fetched_at: '2026-02-24T15:30:00.000Z' });
  });
});

describe('GET /v1/rotations/delves/weeks', () => {
  it('lists the stored weeks, newest first, without their floors', async () => {
    expect(JSON.parse((await get('delves/weeks')).text)).toEqual({
      current_week: 19,
      items: [
        { week: 18, total: 200, count: 1, fetched_at: '2026-03-03T15:30:00.000Z' },
        { week: 17, total: 2, count: 2, fetched_at: '2026-02-24T15:30:00.000Z' },
      ],
      count: 2,
    });
  });
});

describe('delve endpoints while the feature is disabled', () => {
  it('return 404 like an unknown path, without counting in a rate limit', async () => {
    const withoutHint = (text: string) => text.replace(/"hint":".+?",/, '');
    const unknown = await get('nothing', {}, off);
    const credentials = [null, 'Bearer nonsense', bearer(await createToken({ row: { revoked: true } })), bearer(await createToken())];
    for (const authorization of credentials) {
      for (const path of ['delves', 'delves?week=17', 'delves?week=x', 'delves/weeks']) {
        const response = await get(path, { authorization }, off);
        expect([response.status, withoutHint(response.text), response.headers.get('X-RateLimit-Limit')]).toEqual([
          404,
          withoutHint(unknown.text),
          null,
        ]);
      }
    }
  });

  it('do not affect the biomes', async () => {
    expect((await get('biomes', {}, off)).status).toBe(200);
  });
});
