import { describe, expect, it } from 'vitest';
import { call, type TestResponse } from '../../support/requests.ts';
import { COMPUTED_ROTATIONS } from '../../support/rotations.ts';
import { testApp } from '../platform/test-app.ts';

const fetch = testApp({ settings: { publicAnonRateLimitMax: 10_000, featureDelvesEnabled: true } });

const MINUTE = 60;
const DAY = 86_400;
/** Tuesday 2026-03-10 11:00:00 UTC. */
const TUESDAY = 1_773_140_400;

const request = (name: string, now: number, etag?: string): Promise<TestResponse> =>
  call(`/v1/rotations/${name}`, { now, headers: etag === undefined ? {} : { 'If-None-Match': etag } }, fetch);

const etagOf = ({ headers }: TestResponse) => headers.get('ETag') ?? '';
const cachingOf = ({ headers }: TestResponse) => headers.get('Cache-Control');

/** A rotation, a time shortly after one of its changes, and its next change. */
const steady: [name: string, changedAt: number, changesAt: number][] = [
  ['daily-buffs', TUESDAY, TUESDAY + DAY],
  ['weekly-buffs', TUESDAY - DAY, TUESDAY + 6 * DAY],
  ['gardening', TUESDAY, TUESDAY + DAY],
  ['biomes', 1_773_151_200, 1_773_162_000],
  ['wild-mana', TUESDAY - DAY, TUESDAY + 6 * DAY],
  // From the end of one visit to the end of the next: the start does not change the body.
  ['stampy', 1_773_054_000, 1_773_658_800],
];

describe.each(steady)('caching of %s (changes on schedule)', (name, changedAt, changesAt) => {
  it('is cacheable until the next change, at most five minutes', async () => {
    expect(cachingOf(await request(name, changedAt))).toBe('public, max-age=300');
    expect(cachingOf(await request(name, changesAt - 300))).toBe('public, max-age=300');
    expect(cachingOf(await request(name, changesAt - 299))).toBe('public, max-age=299');
    expect(cachingOf(await request(name, changesAt - 1))).toBe('public, max-age=1');
    expect(cachingOf(await request(name, changesAt))).toBe('public, max-age=300');
  });

  it('has a strong ETag that is valid until then', async () => {
    const etag = etagOf(await request(name, changedAt));
    expect(etag).toMatch(/^"[A-Za-z0-9_-]{16}"$/);
    for (const now of [changedAt, changedAt + MINUTE, changesAt - 1]) {
      const response = await request(name, now, etag);
      expect([response.status, response.text, etagOf(response)]).toEqual([304, '', etag]);
    }
    expect((await request(name, changesAt, etag)).status).toBe(200);
    expect((await request(name, changedAt - 1, etag)).status).toBe(200);
  });
});

/** Times within five minutes before the hours at which rotations change: every third hour of two days, and the reset of 35 days. */
const BEFORE_CHANGES = [
  ...Array.from({ length: 16 }, (_, index) => TUESDAY + (index * DAY) / 8 - 150),
  ...Array.from({ length: 35 }, (_, index) => TUESDAY + index * DAY - 150),
];

it.each(COMPUTED_ROTATIONS.map(({ path }) => path.slice('/v1/rotations/'.length)))(
  '%s is not cacheable beyond its next change',
  async (name) => {
    for (const now of BEFORE_CHANGES) {
      const first = await request(name, now);
      const maxAge = Number(/max-age=(\d+)/.exec(cachingOf(first) ?? '')?.[1] ?? 1);
      expect((await request(name, now + maxAge - 1)).text === first.text, `${now}`).toBe(true);
    }
  },
);

/** A rotation whose body has countdowns, and two times between which it changes. */
const running: [name: string, changedAt: number, changesAt: number][] = [
  ['server-time', TUESDAY, TUESDAY + DAY],
  ['corruxion', 1_773_054_000, 1_774_004_400],
  ['corruxion', 1_774_004_400, 1_774_263_600],
  ['fluxion', TUESDAY, TUESDAY + 3 * DAY],
  ['fluxion', TUESDAY + 3 * DAY, TUESDAY + 7 * DAY],
  ['chaos-chest', TUESDAY, TUESDAY + 7 * DAY],
  ['challenge/current', 1_773_154_800, 1_773_156_000],
  ['challenge/current', 1_773_156_000, 1_773_158_400],
  // The window excludes its end: an event that starts in a year enters one second after an event that ended a year ago leaves.
  ['calendar', TUESDAY - DAY + 1, TUESDAY],
  ['calendar', TUESDAY, TUESDAY + 1],
];

describe.each(running)('caching of %s from %i (contains a countdown)', (name, changedAt, changesAt) => {
  it('is revalidated each time with a weak ETag that ignores the clock', async () => {
    const first = await request(name, changedAt);
    const etag = etagOf(first);
    expect(etag).toMatch(/^W\/"[A-Za-z0-9_-]{16}"$/);
    expect(cachingOf(first)).toBe('public, no-cache');
    for (const now of [changedAt, Math.floor((changedAt + changesAt) / 2), changesAt - 1]) {
      const response = await request(name, now, etag);
      expect([now, response.status, response.text, cachingOf(response)]).toEqual([now, 304, '', 'public, no-cache']);
    }
    expect((await request(name, changesAt, etag)).status).toBe(200);
    expect((await request(name, changedAt - 1, etag)).status).toBe(200);
  });
});

describe('stored list', () => {
  it.each(['chaos-chest/history', 'challenge/history', 'delves', 'delves/weeks'])('is revalidated with a strong ETag: %s', async (name) => {
    const first = await request(name, TUESDAY);
    expect(cachingOf(first)).toBe('public, no-cache');
    expect(etagOf(first)).toMatch(/^"/);
    expect((await request(name, TUESDAY + MINUTE, etagOf(first))).status).toBe(304);
  });
});

describe('304 response', () => {
  it('has the headers of the full response', async () => {
    const full = await request('corruxion', TUESDAY);
    const none = await request('corruxion', TUESDAY + 5, etagOf(full));
    for (const header of [
      'Cache-Control',
      'ETag',
      'X-RateLimit-Limit',
      'RateLimit-Policy',
      'Access-Control-Allow-Origin',
      'Content-Security-Policy',
    ]) {
      expect([header, none.headers.get(header)]).toEqual([header, full.headers.get(header)]);
    }
    expect(none.headers.get('Date')).toBe(new Date((TUESDAY + 5) * 1000).toUTCString());
    expect(none.headers.get('Content-Type')).toBeNull();
  });

  it('is returned for ETag lists, strong forms of a weak ETag, and *', async () => {
    const etag = etagOf(await request('corruxion', TUESDAY));
    for (const header of [`"other", ${etag}`, etag.slice(2), '*']) expect((await request('corruxion', TUESDAY, header)).status).toBe(304);
    for (const header of ['"other"', etag.slice(3, -1), '']) expect((await request('corruxion', TUESDAY, header)).status).toBe(200);
  });
});
