import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { feedbackEntries } from '../../../src/areas/misc/misc.tables.ts';
import { outbox } from '../../../src/platform/durable/outbox.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { bearer, call, FIRST_INSTANT, type TestResponse } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';
import { errorOf, type FormOptions, MEGABYTES_5, PATH, png, send } from './forms.ts';

const db = createDatabase(env.DB);
/** No server listens at this URL, so queued entries stay queued. */
const WEBHOOK = 'http://127.0.0.1:9/webhook';
const withoutWebhook = testApp({ settings: { feedbackChatWebhook: '' } });
const HOUR = 3600;

let callers = 0;
/** A new IP address. */
function newAddress(): string {
  callers += 1;
  return `10.8.${callers >> 8}.${callers & 255}`;
}

const entries = () => db.select().from(feedbackEntries);
const queued = () => db.select().from(outbox);
const storedBytes = async () => (await env.OUTBOX.list()).objects.reduce((sum, { size }) => sum + size, 0);
const remainingOf = ({ headers }: TestResponse) => headers.get('X-RateLimit-Remaining');

beforeEach(async () => {
  await db.batch([db.delete(feedbackEntries), db.delete(outbox)]);
  const { objects } = await env.OUTBOX.list();
  await env.OUTBOX.delete(objects.map(({ key }) => key));
});

describe('POST /v1/misc/feedback', () => {
  it('stores app and browser but nothing about the sender', async () => {
    const address = '203.0.113.99';
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' };
    const fields = { message: ' The calendar is wrong. ', contact: 'me', category: 'bug', app_version: '2.1.0' };
    const response = await send(
      { fields, files: [{ name: 'my shot.png', bytes: png(100) }], address, headers, now: FIRST_INSTANT },
      withoutWebhook,
    );
    expect(response.status, response.text).toBe(200);
    expect(JSON.parse(response.text)).toEqual({ ok: true, received_at: '2026-03-10T15:30:30.000Z' });
    const [entry, ...others] = await entries();
    expect(others).toEqual([]);
    expect(entry).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      message: 'The calendar is wrong.',
      contact: 'me',
      category: 'bug',
      appVersion: '2.1.0',
      os: 'Linux',
      client: 'Firefox 128',
      attachments: [{ filename: 'my_shot.png', contentType: 'image/png', size: 100 }],
      receivedAt: FIRST_INSTANT,
    });
    expect(JSON.stringify(entry)).not.toContain(address);
  });

  it('stores only the entry when no webhook is configured', async () => {
    await send({ files: [{ name: 'a.png', bytes: png(100) }], address: newAddress() }, withoutWebhook);
    expect([await queued(), await storedBytes()]).toEqual([[], 0]);
    expect(await entries()).toHaveLength(1);
  });

  it('accepts a form without files and with empty file fields', async () => {
    const empty = [{ name: '', bytes: png(0), type: 'application/octet-stream' }];
    for (const files of [[], empty, [...empty, { name: 'a.png', bytes: png(9) }, ...empty, ...empty, ...empty, ...empty]]) {
      expect((await send({ files, address: newAddress() }, withoutWebhook)).status).toBe(200);
    }
    expect((await entries()).map(({ attachments }) => attachments.length).sort()).toEqual([0, 0, 1]);
  });

  it('detects the image type from the bytes', async () => {
    const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
    expect(
      (await send({ files: [{ name: 'renamed.png', bytes: jpeg, type: 'image/png' }], address: newAddress() }, withoutWebhook)).status,
    ).toBe(200);
    expect((await entries())[0]?.attachments).toEqual([{ filename: 'renamed.png', contentType: 'image/jpeg', size: 7 }]);
  });
});

describe('feedback size limit', () => {
  const images = (count: number, size = MEGABYTES_5) =>
    Array.from({ length: count }, (_, index) => ({ name: `${index}.png`, bytes: png(size, index) }));
  const app = testApp({ settings: { feedbackChatWebhook: WEBHOOK } });

  it('accepts four images of 5 MB each', async () => {
    const response = await send({ files: images(4), address: newAddress() }, app);
    expect(response.status, response.text).toBe(200);
    expect((await entries())[0]?.attachments.map(({ size }) => size)).toEqual([MEGABYTES_5, MEGABYTES_5, MEGABYTES_5, MEGABYTES_5]);
    expect(await queued()).toHaveLength(1);
    expect(await storedBytes()).toBe(4 * MEGABYTES_5);
  });

  it.each<[string, FormOptions['files'], object]>([
    [
      'a fifth image',
      images(5, 1000),
      {
        code: 'bad_request',
        message: 'the form must have at most 4 files; 4.png exceeds the limit',
        details: { filename: '4.png', limit: 4 },
      },
    ],
    [
      'an image of 5 MB and a byte',
      [...images(1, 1000), { name: 'big.png', bytes: png(MEGABYTES_5 + 1) }],
      {
        code: 'bad_request',
        message: 'big.png must have at most 5242880 bytes',
        details: { filename: 'big.png', limit_bytes: MEGABYTES_5 },
      },
    ],
  ])('rejects %s', async (_, files, error) => {
    const address = newAddress();
    const now = FIRST_INSTANT;
    const response = await send({ files, address, now }, app);
    expect(response.status).toBe(400);
    expect(errorOf(response)).toMatchObject(error);
    expect([await entries(), await queued(), await storedBytes()]).toEqual([[], [], 0]);
    // The rejected submission does not count, as its rate limit headers show.
    expect(remainingOf(response)).toBe('3');
    expect(remainingOf(await send({ address, now }, app))).toBe('2');
  });

  it('returns 413 above 24 MiB, with or without Content-Length', async () => {
    const files = Array.from({ length: 5 }, (_, index) => ({ name: `${index}.png`, bytes: png(MEGABYTES_5) }));
    const declared = await send({ files, address: newAddress() }, app);
    expect([declared.status, errorOf(declared).code]).toEqual([413, 'bad_request']);
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
    let left = 24 * 1024 * 1024 + 1;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const size = Math.min(left, 1024 * 1024);
        controller.enqueue(new Uint8Array(size));
        left -= size;
        if (left === 0) controller.close();
      },
    });
    const chunked = await call(PATH, { method: 'POST', body, headers: type, address: newAddress() }, app);
    expect([chunked.status, errorOf(chunked).details]).toEqual([413, { limit_bytes: 24 * 1024 * 1024 }]);
    expect(await entries()).toEqual([]);
  });

  it('limits the memory of concurrent submissions', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => send({ files: images(1, 2 * 1024 * 1024), address: newAddress() }, withoutWebhook)),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expect([response.status, errorOf(response).code, response.headers.get('Retry-After')]).toEqual([503, 'service_unavailable', '5']);
      expect(remainingOf(response)).toBe('3');
    }
  });
});

describe('POST /v1/misc/feedback with an invalid form', () => {
  it.each<[string, FormOptions, number, object]>([
    [
      'a short message',
      { fields: { message: 'four' } },
      422,
      { details: [{ loc: ['body', 'message'], msg: 'must have at least 5 characters', type: 'too_small' }] },
    ],
    ['no message', { fields: { contact: 'me' } }, 422, { details: [{ loc: ['body', 'message'], msg: 'is required', type: 'missing' }] }],
    ['a long message', { fields: { message: 'x'.repeat(2001) } }, 422, { details: [{ loc: ['body', 'message'] }] }],
    ['a long contact', { fields: { message: 'hello', contact: 'x'.repeat(201) } }, 422, { details: [{ loc: ['body', 'contact'] }] }],
    ['a long version', { fields: { message: 'hello', app_version: 'x'.repeat(65) } }, 422, { details: [{ loc: ['body', 'app_version'] }] }],
    [
      'another category',
      { fields: { message: 'hello', category: 'praise' } },
      400,
      { details: [{ loc: ['body', 'category'], type: 'invalid_value', allowed: ['bug', 'feature', 'general'] }] },
    ],
    ['another type', { files: [{ name: 'a.svg', bytes: png(9), type: 'image/svg+xml' }] }, 400, { details: { filename: 'a.svg' } }],
    ['a file without a type', { files: [{ name: 'a.bin', bytes: png(9), type: '' }] }, 400, {}],
    [
      'bytes of an unsupported type',
      { files: [{ name: 'a.png', bytes: new Uint8Array(99) }] },
      400,
      { message: 'a.png must contain a PNG, JPEG, WebP or GIF image' },
    ],
    [
      'a file of another field',
      { files: [{ name: 'a.png', bytes: png(9), field: 'screenshot' }] },
      400,
      { message: 'a.png was sent as screenshot; send files as attachments' },
    ],
    ['attachments as text', { fields: { message: 'hello', attachments: 'x' } }, 400, { message: 'attachments must be files' }],
  ])('reports %s, stores nothing and does not count towards the rate limit', async (_, form, status, error) => {
    const address = newAddress();
    const now = FIRST_INSTANT;
    const response = await send({ ...form, address, now }, withoutWebhook);
    expect(response.status, response.text).toBe(status);
    expect(errorOf(response)).toMatchObject(error);
    expect(await entries()).toEqual([]);
    expect(remainingOf(await send({ address, now }, withoutWebhook))).toBe('2');
  });

  it.each([
    ['JSON', 'application/json', '{"message":"hello"}'],
    ['a simple form', 'application/x-www-form-urlencoded', 'message=hello'],
    ['nothing', '', ''],
    ['a form that is cut short', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="message"\r\n\r\nhel'],
  ])('returns 400 for %s', async (_, type, body) => {
    const response = await call(
      PATH,
      { method: 'POST', body, headers: type ? { 'Content-Type': type } : {}, address: newAddress() },
      withoutWebhook,
    );
    expect([response.status, errorOf(response).code, remainingOf(response)]).toEqual([400, 'bad_request', '3']);
  });
});

describe('feedback rate limit', () => {
  it('allows three per hour and IP, with headers on every response', async () => {
    const address = newAddress();
    const now = FIRST_INSTANT;
    const reset = Math.floor(now / HOUR) * HOUR + HOUR;
    for (const left of ['2', '1', '0']) {
      const response = await send({ address, now }, withoutWebhook);
      const { headers } = response;
      expect([response.status, headers.get('X-RateLimit-Limit'), remainingOf(response), headers.get('X-RateLimit-Reset')]).toEqual([
        200,
        '3',
        left,
        String(reset),
      ]);
      expect(headers.get('RateLimit-Policy')).toBe('"feedback";q=3;w=3600');
    }
    const refused = await send({ address, now: now + 1 }, withoutWebhook);
    expect(refused.status).toBe(429);
    expect(errorOf(refused)).toMatchObject({ code: 'rate_limited', details: { limit: 3, window_seconds: HOUR } });
    expect(refused.headers.get('Retry-After')).toBe(String(reset - now - 1));
    expect([remainingOf(refused), refused.headers.get('X-RateLimit-Reset')]).toEqual(['0', String(reset)]);
    expect(await entries()).toHaveLength(3);
    expect((await send({ address, now: reset }, withoutWebhook)).status).toBe(200);
    expect((await send({ address: newAddress(), now }, withoutWebhook)).status).toBe(200);
  });

  it('rejects before it reads the body', async () => {
    const address = newAddress();
    const now = FIRST_INSTANT;
    for (let sent = 0; sent < 3; sent += 1) await send({ address, now }, withoutWebhook);
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(1024));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect((await call(PATH, { method: 'POST', body, headers, address, now }, withoutWebhook)).status).toBe(429);
    expect(pulled).toBe(0);
  });

  it('is not exceeded under concurrency', async () => {
    const address = newAddress();
    const responses = await Promise.all(Array.from({ length: 8 }, () => send({ address, now: FIRST_INSTANT }, withoutWebhook)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await entries()).toHaveLength(3);
  });

  it('is separate from the anonymous and token rate limits', async () => {
    const address = newAddress();
    const now = FIRST_INSTANT;
    const authorization = bearer(await createToken({ scopes: 1, allowedIps: ['192.0.2.1'] }));
    expect(remainingOf(await send({ address, now }, withoutWebhook))).toBe('2');
    const withToken = await send({ address, now, authorization }, withoutWebhook);
    expect([withToken.status, remainingOf(withToken)]).toEqual([200, '1']);
    expect(remainingOf(await call('/v1/rotations/server-time', { address, now }, withoutWebhook))).toBe('29');
  });

  it('rejects an invalid token first', async () => {
    const revoked = bearer(await createToken({ row: { revoked: true } }));
    for (const authorization of ['Bearer nonsense', revoked, 'Bearer a.b.c']) {
      const response = await send({ authorization, address: newAddress() }, withoutWebhook);
      expect([response.status, remainingOf(response)]).toEqual([401, null]);
    }
    expect(await entries()).toEqual([]);
  });

  it('is shared by an IPv6 /64', async () => {
    const now = FIRST_INSTANT;
    expect(remainingOf(await send({ address: '2001:db8:7::1', now }, withoutWebhook))).toBe('2');
    expect(remainingOf(await send({ address: '2001:db8:7::2', now }, withoutWebhook))).toBe('1');
  });

  it('drops submissions above the global limit silently', async () => {
    // Before the times of other tests, because all feedback counts together.
    const now = FIRST_INSTANT - 100 * HOUR;
    const capped = testApp({ settings: { feedbackChatWebhook: WEBHOOK, feedbackGlobalMax: 10 } });
    const responses: TestResponse[] = [];
    for (let sent = 0; sent < 12; sent += 1) {
      responses.push(await send({ files: [{ name: 'a.png', bytes: png(50) }], address: newAddress(), now }, capped));
      // Rejected submissions do not count.
      if (sent === 5) expect((await send({ fields: { message: 'x' }, address: newAddress(), now }, capped)).status).toBe(422);
    }
    const comparable = ({ status, text, headers }: TestResponse) => ({
      status,
      text,
      headers: [...headers].filter(([name]) => name !== 'x-request-id'),
    });
    expect(new Set(responses.map((response) => JSON.stringify(comparable(response)))).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    expect([(await entries()).length, (await queued()).length, await storedBytes()]).toEqual([10, 10, 500]);
    expect((await send({ address: newAddress(), now: now + HOUR }, capped)).status).toBe(200);
    expect(await entries()).toHaveLength(11);
  });
});
