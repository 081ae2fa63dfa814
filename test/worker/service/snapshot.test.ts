import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { composeApp } from '../../../src/composition.ts';
import { bearer, type CallOptions, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';
import { report } from '../rotations/reports.ts';

const PATH = '/v1/snapshot';
const NOW = 1_773_156_600;
const BODIES = Object.entries(composeApp(env).service.snapshotBodies());
const NAMES = BODIES.map(([name]) => name);
const ROTATIONS = BODIES.flatMap(([name, { isDefault }]) => (isDefault ? [name] : []));

/** Every rotation switched on, and a rate limit above the number of requests in this file. */
const allOn = testApp({ settings: { featureDelvesEnabled: true, publicAnonRateLimitMax: 1000 } });

const snapshot = (query = '', options: CallOptions = {}, fetch = allOn) => call(PATH + query, { now: NOW, ...options }, fetch);

describe('GET /v1/snapshot', () => {
  it('returns every rotation when include is absent', async () => {
    const { status, text } = await snapshot();
    expect([status, Object.keys(JSON.parse(text).parts)]).toEqual([
      200,
      [
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
      ],
    ]);
  });

  it('returns each part byte-identical to the body of its own endpoint, with and without reports', async () => {
    for (const reported of [false, true]) {
      if (reported) {
        expect((await report('chaos-chest', 'Egg of "quotes", commas and ünïcode', { now: NOW }, allOn)).status).toBe(200);
        expect((await report('challenge', 'RAMPAGE ALERT!', { now: NOW }, allOn)).status).toBe(200);
      }
      const own: string[] = [];
      for (const name of ROTATIONS) own.push(`"${name}":${(await call(`/v1/rotations/${name}`, { now: NOW }, allOn)).text}`);
      // Compared with === to keep the failure output short: the calendar alone has 130 KB.
      expect((await snapshot()).text === `{"parts":{${own.join(',')}}}`).toBe(true);
      expect(own.join().includes('RAMPAGE ALERT!')).toBe(reported);
    }
  });

  it('returns the parts in the requested order without duplicates', async () => {
    const { text } = await snapshot('?include=stampy,server-time,%20corruxion,stampy');
    expect(Object.keys(JSON.parse(text).parts)).toEqual(['stampy', 'server-time', 'corruxion']);
  });

  it('returns null for a part whose feature is switched off', async () => {
    const off = testApp({ settings: { publicAnonRateLimitMax: 1000 } });
    expect((await call('/v1/rotations/delves/weeks', { now: NOW }, off)).status).toBe(404);
    const { status, text } = await snapshot('?include=delves/weeks,biomes', {}, off);
    expect([status, JSON.parse(text).parts['delves/weeks']]).toEqual([200, null]);
    expect(JSON.parse((await snapshot('', {}, off)).text).parts['delves/weeks']).toBeNull();
  });

  it('returns 422 with the allowed names for an unknown name', async () => {
    const { status, text } = await snapshot('?include=server-time,coruxion');
    expect([status, JSON.parse(text).error.details]).toEqual([
      422,
      [
        {
          loc: ['query', 'include'],
          msg: `must be one of ${NAMES.join(', ')}, not "coruxion"`,
          type: 'invalid_value',
          allowed: NAMES,
          nearest: 'corruxion',
        },
      ],
    ]);
  });

  it.each(['?include=,', '?include=constructor', '?include=__proto__', '?include=a&include=b', '?include=server-time%00'])(
    'returns 422 for %s',
    async (query) => {
      expect((await snapshot(query)).status).toBe(422);
    },
  );

  it('counts as one request for any number of parts', async () => {
    const remaining = async (query: string) => (await snapshot(query, { address: '192.0.2.1' })).headers.get('X-RateLimit-Remaining');
    expect([await remaining(''), await remaining('?include=server-time'), await remaining('?include=server-time,stampy')]).toEqual([
      '999',
      '998',
      '997',
    ]);
  });

  it('applies the rate limit of the token only when the token has the scope of every part', async () => {
    const policy = async (scopes: number) => {
      const response = await snapshot('?include=biomes', { authorization: bearer(await createToken({ scopes })) });
      return response.headers.get('RateLimit-Policy');
    };
    expect(await policy(0)).toBe('"token";q=120;w=60');
    expect(await policy(1)).toBe('"token";q=120;w=60');
    expect(await policy(2)).toBe('"anon";q=1000;w=60');
  });

  it('returns a weak ETag that changes with the parts but not with the clock', async () => {
    const send = async (now: number, etag = '') => snapshot('?include=server-time,corruxion', { now, headers: { 'If-None-Match': etag } });
    const first = await send(NOW);
    const etag = first.headers.get('ETag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    expect(first.headers.get('Cache-Control')).toBe('public, no-cache');
    expect((await send(NOW + 3600, etag)).status).toBe(304);
    expect((await send(1_773_226_800, etag)).status).toBe(200);
    const { headers } = await snapshot('?include=corruxion,server-time');
    expect(headers.get('ETag')).not.toBe(etag);
  });
});
