import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { startClock } from './objects.ts';
import { type StreamMessage, TestStream } from './streams.ts';

/** 2026-03-14 11:30 UTC, a Saturday. */
const NOW = 1_773_487_800;

/** Type and matching endpoint, in the order of the specification. `game_update` has no state before the first version. */
const MIRRORS: readonly (readonly [string, string])[] = [
  ['challenge', '/v1/rotations/challenge/current'],
  ['chaos', '/v1/rotations/chaos-chest'],
  ['corruxion', '/v1/rotations/corruxion'],
  ['fluxion', '/v1/rotations/fluxion'],
  ['longshade', '/v1/rotations/biomes'],
  ['wild_mana', '/v1/rotations/wild-mana'],
  ['stampy', '/v1/rotations/stampy'],
  ['daily_bonuses', '/v1/rotations/daily-buffs'],
  ['activity', '/v1/activity/current'],
  ['server_status', '/v1/misc/game-status'],
  ['game_news', '/v1/feeds/news'],
  ['giveaways', '/v1/giveaways/ongoing'],
];

beforeAll(() => startClock(NOW));

async function snapshotOf(stream: TestStream): Promise<StreamMessage[]> {
  return (await stream.until(({ event }) => event === 'giveaways')).flatMap(({ message }) => message ?? []);
}

describe('GET /v1/events/stream', () => {
  it('returns event stream, rate limit and common headers', async () => {
    const stream = await TestStream.open({ now: NOW, address: '10.1.0.1' });
    const { status, headers } = stream.response;
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '29',
      'x-ratelimit-reset': String(NOW - (NOW % 60) + 60),
    });
    expect(headers.get('X-Request-ID')).toMatch(/^[\w-]{36}$/);
    expect(headers.has('Content-Length')).toBe(false);
    await stream.close();
  });

  it('starts with retry and the snapshot in the exact frame format', async () => {
    const stream = await TestStream.open({ now: NOW });
    const frames = await stream.until(({ event }) => event === 'giveaways');
    await stream.close();
    const challenge = await call('/v1/rotations/challenge/current', { now: frames[1]?.message?.ts ?? NOW });
    expect(frames[0]?.text).toMatch(/^retry: \d+\n\n$/);
    const delay = Number(frames[0]?.text.slice(7));
    expect(delay >= 1000 && delay <= 15_000, String(delay)).toBe(true);
    const { id, ts } = frames[1]?.message ?? {};
    expect(frames[1]?.text).toBe(`event: challenge\nid: ${id}\ndata: {"type":"challenge","data":${challenge.text},"ts":${ts}}\n\n`);
    expect(frames.slice(1).every(({ message }) => message !== null)).toBe(true);
  });

  it('sends every source in order, each body equal to the response of its endpoint at the same time', async () => {
    const stream = await TestStream.open({ now: NOW });
    const messages = await snapshotOf(stream);
    await stream.close();
    expect(messages.map(({ event }) => event)).toEqual(MIRRORS.map(([type]) => type));
    expect(messages.map(({ type }) => type)).toEqual(messages.map(({ event }) => event));
    expect(new Set(messages.map(({ ts }) => ts)).size).toBe(1);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
    const now = messages[0]?.ts ?? NOW;
    expect(now - NOW).toBeLessThanOrEqual(10);
    for (const [index, [, path]] of MIRRORS.entries()) {
      expect(messages[index]?.body, path).toBe((await call(path, { now })).text);
    }
  });

  it('sends only the requested types, in the order of the specification', async () => {
    const stream = await TestStream.open({ now: NOW, query: 'types=stampy,%20challenge,mod_release,stampy' });
    expect((await stream.messages(2)).map(({ event }) => event)).toEqual(['challenge', 'stampy']);
    await stream.close();
  });

  it.each([
    ['types=challenge,nonsense', 'types'],
    ['types=challenge,,chaos', 'types'],
    ['types=Challenge', 'types'],
    ['since=yesterday', 'since'],
    ['since=-5', 'since'],
    ['since=1e9', 'since'],
    ['types=chaos&types=challenge', 'types'],
  ])('returns 422 for ?%s', async (query, name) => {
    const response = await call(`/v1/events/stream?${query}`);
    expect(response.status).toBe(422);
    const { error } = JSON.parse(response.text);
    expect(error).toMatchObject({ code: 'validation_error', details: [{ loc: ['query', name] }] });
    expect(response.headers.get('X-RateLimit-Remaining')).toBe('29');
  });

  it('returns 405 for HEAD without counting against the rate limit', async () => {
    const response = await call('/v1/events/stream', { method: 'HEAD' });
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('GET, OPTIONS');
    expect(response.headers.has('X-RateLimit-Limit')).toBe(false);
  });

  it('accepts a token in the header but not in the URL', async () => {
    const secret = await createToken({ scopes: 8192 });
    const inUrl = await call(`/v1/events/stream?token=${secret}`);
    expect(inUrl.headers.get('X-RateLimit-Limit')).toBe('30');
    const stream = await TestStream.open({ now: NOW, headers: { Authorization: `Bearer ${secret}` } });
    expect(stream.response.headers.get('X-RateLimit-Limit')).toBe('120');
    await stream.close();
  });

  it('counts as one request and returns 429 when the rate limit is spent', async () => {
    const address = '10.1.0.2';
    for (let count = 0; count < 30; count += 1) await call('/v1/rotations/server-time', { now: NOW, address });
    const response = await call('/v1/events/stream', { now: NOW, address });
    expect(response.status).toBe(429);
    expect(JSON.parse(response.text).error.code).toBe('rate_limited');
  });
});
