import { beforeAll, describe, expect, it } from 'vitest';
import { ISOLATE_RATE_LIMIT_BYTES, isolateMemory } from '../../../src/platform/kit/isolate-memory.ts';
import { enableAllFeatures } from '../../support/endpoints.ts';
import { eventually } from '../../support/eventually.ts';
import { bearer, call, fetchWorker, freshInstant, ORIGIN } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';
import { createSuperuserToken } from '../../support/tokens.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const FORM = 'multipart/form-data; boundary=x';
const FORM_HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.cfg"\r\nContent-Type: text/plain\r\n\r\n';
let authorization = '';

/** A request whose body sends `start` and `bytes` more, then nothing. */
function stalled(path: string, { start = '', bytes = 0, headers = {} as Record<string, string> }) {
  const controller = new AbortController();
  let left = bytes;
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(new TextEncoder().encode(start)),
    pull(stream) {
      if (left === 0) return new Promise(() => {});
      const size = Math.min(left, 64 * KIB);
      left -= size;
      stream.enqueue(new Uint8Array(size).fill(97));
      return undefined;
    },
  });
  const request = new Request(ORIGIN + path, {
    method: 'POST',
    headers: { Authorization: authorization, 'CF-Connecting-IP': '203.0.113.5', 'X-Test-Now': String(freshInstant()), ...headers },
    body,
    signal: controller.signal,
  });
  const response = fetchWorker(request).catch(() => null);
  return {
    response,
    /** Waits for `step`. Throws the response if the request ends first. */
    whileOpen: (step: () => void) =>
      Promise.race([
        eventually(step),
        response.then(async (early) => {
          throw new Error(`the request has ended: ${early?.status} ${await early?.text()}`);
        }),
      ]),
    async end() {
      controller.abort();
      await response;
      await eventually(() => expect(isolateMemory.reservedBytes()).toBe(0));
    },
  };
}

describe('a body that stops arriving', () => {
  // Not of the whole file: it would store settings before the suites that run first.
  beforeAll(async () => {
    await enableAllFeatures();
    authorization = bearer(await createSuperuserToken());
  });

  it('reserves memory in proportion to what has arrived', async () => {
    const dump = stalled('/v1/market/insert', { start: FORM_HEAD, bytes: MIB, headers: { 'Content-Type': FORM } });
    await eventually(() => expect(isolateMemory.reservedBytes()).toBeGreaterThanOrEqual(4 * MIB - 4 * 64 * KIB));
    expect(isolateMemory.reservedBytes()).toBeLessThan(5 * MIB);
    await dump.end();
  });

  it('reserves nothing for a declared length', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(40 * MIB) };
    const insert = stalled('/v1/mods/insert', { start: '{', headers });
    const small = await call('/v1/mods/insert', {
      method: 'POST',
      authorization,
      headers: { 'Content-Type': 'application/json' },
      body: `{"handle":"ana","title":"${'a'.repeat(2 * MIB)}"}`,
    });
    expect(small.status).toBe(422);
    expect(isolateMemory.reservedBytes()).toBeLessThan(MIB);
    await insert.end();
  });

  it('refuses other large bodies with 503 only when the memory of the isolate is occupied', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const insert = stalled('/v1/mods/insert', { start: '{', bytes: 39 * MIB, headers });
    // The memory of other requests.
    const otherBytes = ISOLATE_RATE_LIMIT_BYTES - 80 * MIB;
    isolateMemory.take(otherBytes);
    try {
      await insert.whileOpen(() => expect(isolateMemory.reservedBytes()).toBeGreaterThan(ISOLATE_RATE_LIMIT_BYTES - 4 * MIB));
      const body = `${FORM_HEAD}${'a'.repeat(2 * MIB)}\r\n--x--\r\n`;
      for (const path of ['/v1/ocr/character', '/v1/market/insert']) {
        const response = await call(path, { method: 'POST', authorization, headers: { 'Content-Type': FORM }, body });
        expect([path, response.status, response.headers.get('Retry-After')]).toEqual([path, 503, '5']);
      }
    } finally {
      isolateMemory.refund(otherBytes);
      await insert.end();
    }
  });

  it('counts the body of a write with an idempotency key', async () => {
    const headers = { 'Content-Type': FORM, 'Content-Length': String(MIB), 'Idempotency-Key': 'stalled' };
    const dump = stalled('/v1/market/insert', { start: FORM_HEAD, bytes: 700 * KIB, headers });
    await eventually(() => expect(isolateMemory.reservedBytes()).toBeGreaterThan(0));
    await dump.end();
  });
});

describe('a JSON body of a portal session', () => {
  it('returns 413 over 64 KiB before the body is read', async () => {
    const { credential } = await createSession();
    const { status } = await call('/tokens', {
      method: 'POST',
      authorization: bearer(credential),
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'a'.repeat(65 * KIB) }),
    });
    expect(status).toBe(413);
  });
});

describe('POST /secret-scanning', () => {
  it('refuses an unknown key before it reads the body', async () => {
    const { response, end } = stalled('/secret-scanning', {
      start: '[',
      headers: { 'Github-Public-Key-Identifier': 'a'.repeat(64), 'Github-Public-Key-Signature': 'x' },
    });
    expect((await response)?.status).toBe(401);
    await end();
  });

  it('limits the reports of an address', async () => {
    const now = freshInstant();
    const statuses: number[] = [];
    for (let n = 0; n < 61; n += 1) {
      statuses.push((await call('/secret-scanning', { method: 'POST', now, address: '203.0.113.77', body: '[]' })).status);
    }
    expect([statuses[0], statuses[59], statuses[60]]).toEqual([401, 401, 429]);
  });
});
