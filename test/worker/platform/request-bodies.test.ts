import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { anyTokenAccess } from '../../../src/platform/access/policy/policy.ts';
import { json } from '../../../src/platform/http/replies/reply.ts';
import { bearer, type CallOptions, call } from '../../support/requests.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { testApp, testEndpoint } from './test-app.ts';

const echo = (path: string, bodyLimit?: number) =>
  testEndpoint({ method: 'post', path, body: z.object({ name: z.string() }), ...(bodyLimit === undefined ? {} : { bodyLimit }) }, (input) =>
    json((input as unknown as { body: unknown }).body),
  );
const withToken = (path: string) =>
  testEndpoint({ method: 'post', path, access: anyTokenAccess, body: z.object({ name: z.string() }) }, () => json({}));
const fetch = testApp({ deps: { endpoints: [echo('/v1/test/small', 64), echo('/v1/test/usual'), withToken('/v1/test/token')] } });

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function post(path: string, options: CallOptions) {
  const response = await call(path, { method: 'POST', ...options }, fetch);
  return { ...response, parsed: JSON.parse(response.text) };
}

/** A body of one repeated byte without Content-Length, in chunks of 64 KiB. */
function stream(bytes: number): ReadableStream<Uint8Array> {
  let remaining = bytes;
  return new ReadableStream({
    pull(controller) {
      if (remaining === 0) return controller.close();
      const size = Math.min(remaining, 65_536);
      remaining -= size;
      controller.enqueue(new Uint8Array(size).fill(0x20));
    },
  });
}

describe('request body', () => {
  it('is read as JSON in UTF-8', async () => {
    expect((await post('/v1/test/usual', { headers: JSON_TYPE, body: '{"name":"Ünïcödé 😀"}' })).parsed).toEqual({ name: 'Ünïcödé 😀' });
  });

  it.each([
    ['no content type', {}, new TextEncoder().encode('{"name":"a"}')],
    ['another content type', { 'Content-Type': 'text/plain' }, '{"name":"a"}'],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'name=a'],
    ['no body', JSON_TYPE, null],
    ['an empty body', JSON_TYPE, ''],
    ['malformed JSON', JSON_TYPE, '{"name":'],
    ['invalid UTF-8', JSON_TYPE, Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('is rejected with 400 when it has %s', async (_, headers, body) => {
    const { status, parsed } = await post('/v1/test/usual', { headers, body });
    expect([status, parsed.error.code]).toEqual([400, 'bad_request']);
  });

  it.each([
    ['U+0000', '{"name":"a\\u0000b"}', ['body', 'name']],
    ['the high half of a surrogate pair', '{"name":"\\ud83d"}', ['body', 'name']],
    ['the low half of a surrogate pair', '{"name":"\\ude00\\ud83d"}', ['body', 'name']],
    ['U+0000 in the name of a field', '{"name":"a","b\\u0000":1}', ['body', 'b\u0000']],
    ['U+0000 far inside', '{"name":"a","b":[0,{"c":["d","\\u0000"]}]}', ['body', 'b', 1, 'c', 1]],
  ])('is rejected with 422 when it has %s', async (_, body, loc) => {
    const { status, parsed } = await post('/v1/test/usual', { headers: JSON_TYPE, body });
    const msg = 'must not contain U+0000 or an unpaired surrogate';
    expect([status, parsed.error.details]).toEqual([422, [{ loc, msg, type: 'invalid_text' }]]);
  });

  it.each([
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '5'],
    ['text', '"name"'],
    ['a field of another type', '{"name":5}'],
    ['a missing field', '{"other":"a"}'],
    ['deep nesting', `${'['.repeat(2000)}${']'.repeat(2000)}`],
  ])('is rejected with 422 and its problems when it is %s', async (_, body) => {
    const { status, parsed } = await post('/v1/test/usual', { headers: JSON_TYPE, body });
    expect([status, parsed.error.code, parsed.error.details[0].loc[0]]).toEqual([422, 'validation_error', 'body']);
  });

  it('is rejected with 413 over the limit of the endpoint', async () => {
    const fits = JSON.stringify({ name: 'x'.repeat(53) });
    expect(fits).toHaveLength(64);
    expect((await post('/v1/test/small', { headers: JSON_TYPE, body: fits })).status).toBe(200);
    const { status, parsed } = await post('/v1/test/small', { headers: JSON_TYPE, body: `${fits} ` });
    expect([status, parsed.error]).toEqual([
      413,
      expect.objectContaining({
        code: 'bad_request',
        message: 'the request body must have at most 64 bytes',
        details: { limit_bytes: 64 },
      }),
    ]);
  });

  it('is rejected with 413 for its Content-Length alone', async () => {
    const declared = { ...JSON_TYPE, 'Content-Length': String(9 * 1024 * 1024) };
    expect((await post('/v1/test/usual', { headers: declared, body: '{}' })).status).toBe(413);
  });

  it('is rejected with 413 over 256 KiB on public endpoints, also without Content-Length', async () => {
    const size = 256 * 1024;
    expect((await post('/v1/test/usual', { headers: JSON_TYPE, body: stream(size + 1) })).status).toBe(413);
    expect((await post('/v1/test/usual', { headers: JSON_TYPE, body: new Uint8Array(size + 1) })).status).toBe(413);
    expect((await post('/v1/test/usual', { headers: JSON_TYPE, body: stream(size) })).status).toBe(400);
  });

  it('is rejected with 413 over 256 KiB by default on token endpoints, also without Content-Length', async () => {
    const size = 256 * 1024;
    const authorization = bearer(await createToken());
    expect((await post('/v1/test/token', { authorization, headers: JSON_TYPE, body: stream(size + 1) })).status).toBe(413);
    expect((await post('/v1/test/token', { authorization, headers: JSON_TYPE, body: stream(size) })).status).toBe(400);
  });

  it('is rejected with 413 over 256 KiB by the public calculators', async () => {
    const body = JSON.stringify({ datetime: 'x'.repeat(256 * 1024) });
    for (const path of ['/v1/misc/time/convert', '/v1/stats/coefficient', '/v1/mods/lookup']) {
      const { status, text } = await call(path, { method: 'POST', headers: JSON_TYPE, body });
      expect([path, status, JSON.parse(text).error.details]).toEqual([path, 413, { limit_bytes: 256 * 1024 }]);
    }
  });

  it('is parsed after authentication, which only its size precedes', async () => {
    const path = '/v1/rotations/challenge/insert';
    expect((await call(path, { method: 'POST', body: 'not JSON' })).status).toBe(401);
    const huge = { method: 'POST', headers: { 'Content-Length': '999999999' }, body: 'x' };
    expect((await call(path, huge, testApp())).status).toBe(413);
    const authorization = `Bearer ${await createSuperuserToken()}`;
    expect((await call(path, { method: 'POST', body: 'not JSON', authorization })).status).toBe(400);
  });
});
