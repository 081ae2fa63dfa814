import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { type Captured, report, reporter } from './reports.ts';

/** Tuesday 2026-03-10 15:30:00 UTC: in the gap after the challenge of 15:00. */
const NOW = 1_773_156_600;
const WEEK = 604_800;

const rows = async (table: string) => (await env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()).results;

describe.each<[Captured, string, number, number]>([
  ['challenge', 'challenge/current', 1_773_154_800, 3600],
  ['chaos-chest', 'chaos-chest', 1_773_140_400, WEEK],
])('POST /v1/rotations/%s/insert', (kind, shownAt, anchor, step) => {
  /** Every test uses its own window. */
  let windows = 0;
  const freshWindow = () => {
    windows += 1;
    return { now: NOW + windows * step, anchor: anchor + windows * step };
  };
  const getCurrent = async (now: number) => JSON.parse((await call(`/v1/rotations/${shownAt}`, { now })).text);
  const getName = async (now: number) => {
    const body = await getCurrent(now);
    return kind === 'challenge' ? [body.name, body.captured_at] : [body.item?.name ?? null, body.fetched_at];
  };

  it('stores the first report, visible immediately', async () => {
    const window = freshWindow();
    expect(await getName(window.now)).toEqual([null, null]);
    const response = await report(kind, '  Dragon Egg ', { now: window.now });
    expect([response.status, JSON.parse(response.text)]).toEqual([200, { anchor: window.anchor, name: 'Dragon Egg', refreshed: false }]);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('RateLimit-Policy')).toBe('"token";q=120;w=60');
    expect(await getName(window.now)).toEqual(['Dragon Egg', new Date(window.now * 1000).toISOString()]);
  });

  it('changes nothing for the same name', async () => {
    const window = freshWindow();
    await report(kind, 'Same', { now: window.now });
    const again = await report(kind, 'Same', { now: window.now + 60 });
    expect(JSON.parse(again.text)).toEqual({ anchor: window.anchor, name: 'Same', refreshed: true });
    expect(await getName(window.now + 60)).toEqual(['Same', new Date(window.now * 1000).toISOString()]);
  });

  it('corrects the name', async () => {
    const window = freshWindow();
    await report(kind, 'Wrong', { now: window.now });
    const corrected = await report(kind, 'Right', { now: window.now + 60 });
    expect(JSON.parse(corrected.text)).toEqual({ anchor: window.anchor, name: 'Right', refreshed: true });
    expect(await getName(window.now + 60)).toEqual(['Right', new Date((window.now + 60) * 1000).toISOString()]);
  });

  it('stores one row per window under concurrency', async () => {
    const window = freshWindow();
    const tokens = await Promise.all(Array.from({ length: 10 }, reporter));
    const responses = await Promise.all(tokens.map((authorization) => report(kind, 'Raced', { now: window.now, authorization })));
    const refreshed = responses.map(({ text }) => JSON.parse(text).refreshed);
    expect(refreshed.filter((value) => value === false)).toHaveLength(1);
    const table = kind === 'challenge' ? 'challenge_captures' : 'chaos_chest_captures';
    expect((await rows(table)).filter(({ name }) => name === 'Raced')).toHaveLength(1);
  });

  it.each([
    ['no name', '{}', 422],
    ['a name of a wrong type', '{"name":5}', 422],
    ['null', '{"name":null}', 422],
    ['a list', '[{"name":"x"}]', 422],
    ['an empty name', '{"name":""}', 400],
    ['a name of spaces', '{"name":" \\t "}', 400],
    ['a control character', '{"name":"a\\u0000b"}', 422],
    ['a line break', '{"name":"a\\nb"}', 422],
    ['201 characters', JSON.stringify({ name: 'x'.repeat(201) }), 422],
    ['half of a character', '{"name":"\\ud800"}', 422],
    ['malformed JSON', '{"name":', 400],
  ])('rejects %s', async (_, body, status) => {
    const { now } = freshWindow();
    const response = await report(kind, '', { now, body, headers: { 'Content-Length': String(body.length) } });
    expect([response.status, JSON.parse(response.text).error.code]).toEqual([status, status === 400 ? 'bad_request' : 'validation_error']);
    expect(await getName(now)).toEqual([null, null]);
  });

  it('accepts 200 characters of any script and ignores other fields', async () => {
    const window = freshWindow();
    const name = `${'é'.repeat(198)}😀`;
    const body = JSON.stringify({ name, other: 1, week_anchor: 5 });
    const headers = { 'Content-Length': String(new TextEncoder().encode(body).byteLength) };
    expect(JSON.parse((await report(kind, '', { now: window.now, body, headers })).text)).toEqual({
      anchor: window.anchor,
      name,
      refreshed: false,
    });
  });

  it(`${kind === 'challenge' ? 'rejects' : 'accepts'} the name none`, async () => {
    for (const name of ['none', 'NONE', ' None ']) {
      const { now } = freshWindow();
      expect((await report(kind, name, { now })).status).toBe(kind === 'challenge' ? 400 : 200);
    }
  });

  it('checks token, rate limit, superuser and cooldown before the body', async () => {
    const { now } = freshWindow();
    const bad = { now, body: 'not JSON', headers: { 'Content-Length': '8' } };
    const ordinary = bearer(await createToken());
    const otherIsolate = bearer(await createSuperuserToken({ allowedIps: ['198.51.100.7'] }));
    const cooled = await reporter();
    await report(kind, 'Accepted', { now, authorization: cooled });
    const summary = async (authorization: string | null) => {
      const response = await report(kind, '', { ...bad, authorization });
      return [response.status, JSON.parse(response.text).error.code, response.headers.get('RateLimit-Policy')];
    };
    expect(await summary(null)).toEqual([401, 'not_authenticated', null]);
    expect(await summary('Bearer a.b.c')).toEqual([401, 'not_authenticated', null]);
    expect(await summary(otherIsolate)).toEqual([403, 'ip_not_allowed', null]);
    expect(await summary(ordinary)).toEqual([403, 'forbidden', '"token";q=120;w=60']);
    expect(await summary(cooled)).toEqual([429, 'rate_limited', '"token";q=120;w=60, "ingest";q=1;w=300']);
    expect(await summary(await reporter())).toEqual([400, 'bad_request', '"token";q=120;w=60']);
  });
});

describe('report of either kind', () => {
  it('is stored separately', async () => {
    const now = NOW + 100 * WEEK;
    await report('challenge', 'A challenge', { now });
    expect(JSON.parse((await call('/v1/rotations/chaos-chest', { now })).text).item).toBeNull();
  });

  it('requires a superuser regardless of scopes', async () => {
    const now = NOW + 101 * WEEK;
    const narrow = bearer(await createSuperuserToken({ scopes: 2 }));
    expect((await report('challenge', 'Reported', { now, authorization: narrow })).status).toBe(200);
  });
});
