import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bodyChunks, checkDeclaredLength, parseJsonBody, readBytes } from '../../../src/platform/http/bodies/body.ts';
import { ApiError } from '../../../src/platform/kit/errors/api-error.ts';

const noReserve = () => {};
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
    const read = await readBytes(chunked(3, 2).request, 6, noReserve);
    expect([...read]).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('stops reading a chunked body at the chunk that exceeds the limit', async () => {
    const { state, request } = chunked(1000, 10);
    expect(await failureOf(() => readBytes(request, 35, noReserve))).toEqual([413, 'bad_request']);
    expect(state).toEqual({ pulled: 4, cancelled: true });
  });

  it('accepts a body of exactly the limit and a missing body', async () => {
    expect((await readBytes(new Request('https://api.test/', { method: 'POST', body: '12345' }), 5, noReserve)).byteLength).toBe(5);
    expect((await readBytes(new Request('https://api.test/', { method: 'POST' }), 5, noReserve)).byteLength).toBe(0);
  });
});

describe('a slow body', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A body that sends a byte `everyMs` milliseconds. */
  function trickle(everyMs: number): ReadableStream<Uint8Array> {
    let timer: ReturnType<typeof setInterval> | undefined;
    return new ReadableStream({
      start: (stream) => {
        timer = setInterval(() => stream.enqueue(new Uint8Array(1)), everyMs);
      },
      cancel: () => clearInterval(timer),
    });
  }

  /** Message of the error that ends the body. */
  async function endOf(body: ReadableStream<Uint8Array>, maxSeconds?: number): Promise<string> {
    const ended = (async () => {
      for await (const _ of bodyChunks(body, maxSeconds));
      return 'complete';
    })().catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(300_000);
    return ended;
  }

  it('ends after 15 seconds without progress', async () => {
    expect(await endOf(trickle(15_001))).toBe('the request body must not pause for more than 15 seconds');
  });

  it('ends after the maximum time even with progress', async () => {
    expect(await endOf(trickle(10_000))).toBe('the request body must arrive within 120 seconds');
    expect(await endOf(trickle(1000), 5)).toBe('the request body must arrive within 5 seconds');
  });
});

describe('a growing buffer', () => {
  it('reserves what it grows by, at most the declared length', async () => {
    const amounts: number[] = [];
    const length = 200 * 1024;
    const body = new Uint8Array(length).fill(7);
    const request = new Request('https://api.test/', { method: 'POST', body, headers: { 'Content-Length': String(length) } });
    expect((await readBytes(request, 8 * length, (amount) => void amounts.push(amount))).length).toBe(length);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(length);
  });

  it('ends with the error of the reservation', async () => {
    const refuse = () => {
      throw new ApiError('service_unavailable', 'full');
    };
    expect(await failureOf(() => readBytes(chunked(3, 2).request, 6, refuse))).toEqual([503, 'service_unavailable']);
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
