import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { json } from '../../../src/platform/http/replies/reply.ts';
import { type CallOptions, call } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { testApp, testEndpoint } from './test-app.ts';

const echo = (path: string, bodyLimit?: number) =>
  testEndpoint({ method: 'post', path, body: z.object({ name: z.string() }), ...(bodyLimit === undefined ? {} : { bodyLimit }) }, (input) =>
    json((input as unknown as { body: unknown }).body),
  );
const fetch = testApp({ deps: { endpoints: [echo('/v1/test/small', 64), echo('/v1/test/usual')] } });

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function post(path: string, options: CallOptions) {
  const answer = await call(path, { method: 'POST', ...options }, fetch);
  return { ...answer, parsed: JSON.parse(answer.text) };
}

/** A body of one byte value that declares no length, in pieces of 64 KiB. */
function stream(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      const size = Math.min(left, 65_536);
      left -= size;
      controller.enqueue(new Uint8Array(size).fill(0x20));
    },
  });
}

describe('the body of a request', () => {
  it('is JSON in UTF-8', async () => {
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
  ])('with %s is 400', async (_, headers, body) => {
    const { status, parsed } = await post('/v1/test/usual', { headers, body });
    expect([status, parsed.error.code]).toEqual([400, 'bad_request']);
  });

  it.each([
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '5'],
    ['text', '"name"'],
    ['a field of another type', '{"name":5}'],
    ['a missing field', '{"other":"a"}'],
    ['deep nesting', `${'['.repeat(2000)}${']'.repeat(2000)}`],
  ])('that is %s is 422 with its problems', async (_, body) => {
    const { status, parsed } = await post('/v1/test/usual', { headers: JSON_TYPE, body });
    expect([status, parsed.error.code, parsed.error.details[0].loc[0]]).toEqual([422, 'validation_error', 'body']);
  });

  it('is 413 when it is over the limit of its endpoint', async () => {
    const fits = JSON.stringify({ name: 'x'.repeat(53) });
    expect(fits).toHaveLength(64);
    expect((await post('/v1/test/small', { headers: JSON_TYPE, body: fits })).status).toBe(200);
    const { status, parsed } = await post('/v1/test/small', { headers: JSON_TYPE, body: `${fits} ` });
    expect([status, parsed.error]).toEqual([
      413,
      { code: 'bad_request', message: 'the request body is larger than 64 bytes', details: { limit_bytes: 64 } },
    ]);
  });

  it('is 413 by its declared length alone', async () => {
    const declared = { ...JSON_TYPE, 'Content-Length': String(9 * 1024 * 1024) };
    expect((await post('/v1/test/usual', { headers: declared, body: '{}' })).status).toBe(413);
  });

  it('is 413 over 8 MiB where nothing else is said, also without a declared length', async () => {
    expect((await post('/v1/test/usual', { headers: JSON_TYPE, body: stream(8 * 1024 * 1024 + 1) })).status).toBe(413);
    expect((await post('/v1/test/usual', { headers: JSON_TYPE, body: stream(8 * 1024 * 1024) })).status).toBe(400);
  });

  it('is not looked at before the caller is known, but for its size', async () => {
    const path = '/v1/rotations/challenge/insert';
    expect((await call(path, { method: 'POST', body: 'not JSON' })).status).toBe(401);
    const huge = { method: 'POST', headers: { 'Content-Length': '999999999' }, body: 'x' };
    expect((await call(path, huge, testApp())).status).toBe(413);
    const authorization = `Bearer ${await createSuperuserToken()}`;
    expect((await call(path, { method: 'POST', body: 'not JSON', authorization })).status).toBe(400);
  });
});
