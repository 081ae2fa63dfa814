import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/platform/errors/api-error.ts';
import { checkDeclaredLength, parseJsonBody, readBytes } from '../../../src/platform/http/bodies/body.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Status and code of the error that a function throws or rejects with. */
async function failureOf(run: () => unknown): Promise<[number, string]> {
  try {
    await run();
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.code];
  }
  throw new Error('no ApiError was thrown');
}

/** A request with a chunked body and without Content-Length. `pulled` counts the chunks read. */
function chunked(chunkCount: number, size: number) {
  const state = { pulled: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.pulled === chunkCount) return controller.close();
        state.pulled += 1;
        controller.enqueue(new Uint8Array(size).fill(state.pulled));
      },
      cancel() {
        state.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { state, request: new Request('https://api.test/', { method: 'POST', body, duplex: 'half' } as RequestInit) };
}

describe('readBytes', () => {
  it('joins the chunks of a chunked body', async () => {
    const read = await readBytes(chunked(3, 2).request, 6);
    expect([...read]).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('stops reading a chunked body at the chunk that exceeds the limit', async () => {
    const { state, request } = chunked(1000, 10);
    expect(await failureOf(() => readBytes(request, 35))).toEqual([413, 'bad_request']);
    expect(state).toEqual({ pulled: 4, cancelled: true });
  });

  it('accepts a body of exactly the limit and a missing body', async () => {
    expect((await readBytes(new Request('https://api.test/', { method: 'POST', body: '12345' }), 5)).byteLength).toBe(5);
    expect((await readBytes(new Request('https://api.test/', { method: 'POST' }), 5)).byteLength).toBe(0);
  });
});

describe('checkDeclaredLength', () => {
  const declaring = (length: string) => new Request('https://api.test/', { method: 'POST', headers: { 'Content-Length': length } });

  it('rejects a Content-Length over the limit before reading the body', async () => {
    expect(await failureOf(() => checkDeclaredLength(declaring('11'), 10))).toEqual([413, 'bad_request']);
    expect(await failureOf(() => checkDeclaredLength(declaring('99999999999999999999'), 10))).toEqual([413, 'bad_request']);
    expect(() => checkDeclaredLength(declaring('10'), 10)).not.toThrow();
  });
});

describe('parseJsonBody', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json ;charset=utf-8',
    'application/problem+json',
    'application/vnd.api.v1+json',
  ])('accepts the content type %s', (type) => {
    expect(parseJsonBody(bytes('{"a":1}'), type)).toEqual({ a: 1 });
  });

  it.each([null, '', 'text/plain', 'text/json', 'application/jsonp', 'application/x-www-form-urlencoded', 'multipart/form-data', 'json'])(
    'rejects the content type %j',
    async (type) => {
      expect(await failureOf(() => parseJsonBody(bytes('{"a":1}'), type))).toEqual([400, 'bad_request']);
    },
  );

  it.each(['', ' ', '{', '{"a":1,}', "{'a':1}", 'undefined', 'NaN', '[1', '\u0000', '{"a":1}{}'])('rejects the text %j', async (text) => {
    expect(await failureOf(() => parseJsonBody(bytes(text), 'application/json'))).toEqual([400, 'bad_request']);
  });

  it.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a cut-off character', [0x22, 0xe2, 0x82]],
  ])('rejects UTF-8 with %s', async (_, body) => {
    expect(await failureOf(() => parseJsonBody(Uint8Array.from(body), 'application/json'))).toEqual([400, 'bad_request']);
  });

  it('accepts any JSON value, also after a byte order mark', () => {
    expect(parseJsonBody(bytes('null'), 'application/json')).toBeNull();
    expect(parseJsonBody(bytes(' [1, "é😀"] '), 'application/json')).toEqual([1, 'é😀']);
    expect(parseJsonBody(Uint8Array.from([0xef, 0xbb, 0xbf, 0x37]), 'application/json')).toBe(7);
  });

  it('parses deeply nested JSON without a stack overflow', () => {
    expect(parseJsonBody(bytes(`${'['.repeat(5000)}${']'.repeat(5000)}`), 'application/json')).toBeInstanceOf(Array);
  });
});
