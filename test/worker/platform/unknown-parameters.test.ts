import { describe, expect, it } from 'vitest';
import { call, freshInstant } from '../../support/requests.ts';

const NAME = 'Unknown-Parameters';
const AT = 'at=1773156600';
const headerOf = async (path: string) => (await call(path)).headers.get(NAME);

describe(NAME, () => {
  it.each([
    ['/v1/rotations/server-time?att=1', 'att;did-you-mean=at'],
    ['/v1/rotations/server-time?AT=1', 'AT;did-you-mean=at'],
    [`/v1/rotations/server-time?${AT}&zzzz=1&att=1&att=2`, 'zzzz, att;did-you-mean=at'],
    ['/v1/misc/software?limit=1', 'limit'],
    ['/v1/feeds/news?limits=1', 'limits;did-you-mean=limit'],
    ['/v1/rotations/calendar.ics?type=mana', 'type;did-you-mean=types'],
    ['/v1/misc/software?a%20b%22=1', '"a b\\""'],
    ['/v1/misc/software?1st=1', '"1st"'],
    ['/v1/misc/software?%C3%BCber%22%25%0D%0A=1', '%"%c3%bcber%22%25%0d%0a"'],
    ['/v1/misc/software?filter%5Bname%5D=1', '"filter[name]"'],
  ])('names the unknown query parameters of %s', async (path, expected) => {
    expect(await headerOf(path)).toBe(expected);
  });

  it.each(['/v1/rotations/server-time', `/v1/rotations/server-time?${AT}`, '/v1/misc/software?', '/v1/misc/software?=1'])(
    'is absent without an unknown parameter: %s',
    async (path) => {
      expect(await headerOf(path)).toBeNull();
    },
  );

  it('has at most ten names of at most 64 characters', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `parameter${index}`);
    const query = ['x'.repeat(65), ...names].map((name) => `${name}=1`).join('&');
    expect((await headerOf(`/v1/misc/software?${query}`))?.split(', ')).toEqual(names.slice(0, 10));
  });

  it('does not change the status, the body or the ETag', async () => {
    const now = freshInstant();
    const [without, unknown] = [
      await call(`/v1/rotations/calendar?${AT}`, { now }),
      await call(`/v1/rotations/calendar?${AT}&att=1`, { now }),
    ];
    expect([unknown.status, unknown.text, unknown.headers.get('ETag')]).toEqual([200, without.text, without.headers.get('ETag')]);
  });

  it('is sent with errors and 304', async () => {
    const invalid = await call('/v1/rotations/server-time?at=x&att=1');
    expect([invalid.status, invalid.headers.get(NAME)]).toEqual([422, 'att;did-you-mean=at']);
    const { headers } = await call(`/v1/rotations/server-time?${AT}`);
    const current = await call(`/v1/rotations/server-time?${AT}&att=1`, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
    expect([current.status, current.headers.get(NAME)]).toEqual([304, 'att;did-you-mean=at']);
    expect((await call('/v1/leaderboards?sorts=1')).headers.get(NAME)).toContain('sorts');
  });

  it('is not sent by pages and the portal', async () => {
    expect(await headerOf('/docs?utm_source=x')).toBeNull();
    expect(await headerOf('/portal/me?x=1')).toBeNull();
  });
});
