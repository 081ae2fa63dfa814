import { describe, expect, it } from 'vitest';
import { bearer, type CallOptions, call } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';

const PATH = '/v1/snapshot';
const NOW = 1_773_156_600;
const ROTATIONS = [
  'server-time',
  'daily-buffs',
  'weekly-buffs',
  'corruxion',
  'fluxion',
  'gardening',
  'chaos-chest',
  'challenge/current',
  'calendar',
  'delves/weeks',
  'biomes',
  'wild-mana',
  'stampy',
];

/** Every rotation switched on, and room for all requests of this file in one window. */
const allOn = testApp({ settings: { featureDelvesEnabled: true, publicAnonRateLimitMax: 1000 } });

const snapshot = (query = '', options: CallOptions = {}, fetch = allOn) => call(PATH + query, { now: NOW, ...options }, fetch);

describe('GET /v1/snapshot', () => {
  it('has every rotation when nothing is asked for by name', async () => {
    const { status, text } = await snapshot();
    expect([status, Object.keys(JSON.parse(text).parts)]).toEqual([200, ROTATIONS]);
  });

  it('has each part exactly as its own route sends it, with and without reports', async () => {
    const authorization = bearer(await createSuperuserToken());
    const report = async (path: string, name: string) => {
      const options = {
        method: 'POST',
        now: NOW,
        authorization,
        body: JSON.stringify({ name }),
        headers: { 'Content-Type': 'application/json' },
      };
      expect((await call(path, options, allOn)).status).toBe(200);
    };
    for (const reported of [false, true]) {
      if (reported) {
        await report('/v1/rotations/chaos-chest/insert', 'Egg of "quotes", commas and ünïcode');
        await report('/v1/rotations/challenge/insert', 'RAMPAGE ALERT!');
      }
      const own: string[] = [];
      for (const name of ROTATIONS) own.push(`"${name}":${(await call(`/v1/rotations/${name}`, { now: NOW }, allOn)).text}`);
      // Compared as bytes, and not shown on failure: the calendar alone has 130 KB.
      expect((await snapshot()).text === `{"parts":{${own.join(',')}}}`).toBe(true);
      expect(own.join().includes('RAMPAGE ALERT!')).toBe(reported);
    }
  });

  it('keeps the order asked for, once each', async () => {
    const { text } = await snapshot('?include=stampy,server-time,%20corruxion,stampy');
    expect(Object.keys(JSON.parse(text).parts)).toEqual(['stampy', 'server-time', 'corruxion']);
  });

  it('has null for a part whose route is switched off', async () => {
    const off = testApp({ settings: { publicAnonRateLimitMax: 1000 } });
    expect((await call('/v1/rotations/delves/weeks', { now: NOW }, off)).status).toBe(404);
    const { status, text } = await snapshot('?include=delves/weeks,biomes', {}, off);
    expect([status, JSON.parse(text).parts['delves/weeks']]).toEqual([200, null]);
    expect(JSON.parse((await snapshot('', {}, off)).text).parts['delves/weeks']).toBeNull();
  });

  it('names what there is when a name is unknown', async () => {
    const { status, text } = await snapshot('?include=server-time,coruxion');
    expect([status, JSON.parse(text).error.details]).toEqual([
      422,
      [
        {
          loc: ['query', 'include'],
          msg: `must be one of ${[...ROTATIONS, 'news', 'game-status'].join(', ')}, not "coruxion"`,
          type: 'invalid_value',
          allowed: [...ROTATIONS, 'news', 'game-status'],
          nearest: 'corruxion',
        },
      ],
    ]);
  });

  it.each(['?include=,', '?include=constructor', '?include=__proto__', '?include=a&include=b', '?include=server-time%00'])(
    'refuses %s',
    async (query) => {
      expect((await snapshot(query)).status).toBe(422);
    },
  );

  it('costs one unit, whatever it includes', async () => {
    const left = async (query: string) => (await snapshot(query, { address: '192.0.2.1' })).headers.get('X-RateLimit-Remaining');
    expect([await left(''), await left('?include=server-time'), await left('?include=server-time,stampy')]).toEqual(['999', '998', '997']);
  });

  it('lifts the budget for a token with the scope of every part, and for no other', async () => {
    const policy = async (scopes: number) => {
      const answer = await snapshot('?include=biomes', { authorization: bearer(await createToken({ scopes })) });
      return answer.headers.get('RateLimit-Policy');
    };
    expect(await policy(0)).toBe('"token";q=120;w=60');
    expect(await policy(1)).toBe('"token";q=120;w=60');
    expect(await policy(2)).toBe('"anon";q=1000;w=60');
  });

  it('has a weak tag that only the clock does not move', async () => {
    const ask = async (now: number, etag = '') => snapshot('?include=server-time,corruxion', { now, headers: { 'If-None-Match': etag } });
    const first = await ask(NOW);
    const etag = first.headers.get('ETag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    expect(first.headers.get('Cache-Control')).toBe('public, no-cache');
    expect((await ask(NOW + 3600, etag)).status).toBe(304);
    expect((await ask(1_773_226_800, etag)).status).toBe(200);
    const { headers } = await snapshot('?include=corruxion,server-time');
    expect(headers.get('ETag')).not.toBe(etag);
  });
});
