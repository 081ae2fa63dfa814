import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../scripts/lib/dumps/seeded-random.ts';
import { createMemoryPool } from '../../../src/platform/http/bodies/memory-pool.ts';
import { streamBody } from '../../../src/platform/http/bodies/stream-body.ts';
import { createIsolateMemory, isolateMemory } from '../../../src/platform/kit/isolate-memory.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { IS_LONG_RUN } from '../../contract/share.ts';
import { seedCodex } from '../../support/codex/seeded-codex.ts';
import { enableAllFeatures } from '../../support/endpoints.ts';
import { eventually } from '../../support/eventually.ts';
import { bearer, call, FIRST_INSTANT, fetchWorker, freshInstant, ORIGIN } from '../../support/requests.ts';
import { storeVersions } from '../../support/stored-versions.ts';
import { containerOf, packed, storedStream } from '../../support/tmod.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { publish } from '../mods-catalog/catalog.ts';

const PIECE_BYTES = 16 * 1024;
/** Size of bodies and responses: several chunks. Bodies without a declared length count as large, so small ones suffice. */
const CONTENT_BYTES = 300 * 1024;
const ABORTS = IS_LONG_RUN ? 1000 : 300;
const SEED = 20_260_310;
const draw = seededRandom(SEED);

/** A request that reserves memory or has a long response. */
interface LongRequest {
  path: string;
  contentType?: string;
  body?: Uint8Array<ArrayBuffer>;
}

const content = new Uint8Array(CONTENT_BYTES).fill(97);
const base64 = Buffer.from(content).toString('base64');
const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text));

function modFile(): Uint8Array<ArrayBuffer> {
  const { entries, decoded } = packed([{ path: 'a.txt', content }]);
  return containerOf({ entries, stream: storedStream(decoded) });
}

function form(field: string, filename: string, type: string): Pick<LongRequest, 'body' | 'contentType'> {
  const head = `--x\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`;
  return { contentType: 'multipart/form-data; boundary=x', body: bytesOf(`${head}${'a'.repeat(CONTENT_BYTES)}\r\n--x--\r\n`) };
}

const mod = { handle: 'ana', title: 'Long', release: { tag: '1.0.0', artifact_base64: Buffer.from(modFile()).toString('base64') } };
const BUILD = { files: [{ path: 'a.txt', content_base64: base64 }] };
const JSON_TYPE = 'application/json';

const UPLOADS: readonly LongRequest[] = [
  { path: '/v1/mods/read', contentType: 'application/octet-stream', body: modFile() },
  { path: '/v1/mods/read?metadata_only=true', contentType: 'application/octet-stream', body: modFile() },
  { path: '/v1/mods/build', contentType: JSON_TYPE, body: bytesOf(JSON.stringify(BUILD)) },
  { path: '/v1/mods/insert', contentType: JSON_TYPE, body: bytesOf(JSON.stringify(mod)) },
  { path: '/v1/leaderboards/insert?backfill=true', ...form('file', 'a.cfg', 'text/plain') },
  { path: '/v1/market/insert', ...form('file', 'a.cfg', 'text/plain') },
  { path: '/v1/ocr/character', ...form('file', 'a.png', 'image/png') },
  { path: '/v1/misc/feedback', ...form('attachments', 'a.png', 'image/png') },
];
const downloads: LongRequest[] = [{ path: '/openapi.json' }];
/** `Authorization` value of a superuser's token. */
let authorization = '';

beforeAll(async () => {
  await enableAllFeatures();
  authorization = bearer(await createSuperuserToken());
  const { release } = await publish({}, { artifact_base64: mod.release.artifact_base64 });
  downloads.push({ path: new URL(release.download_url).pathname });
  const files = { 'long.txt': 'a'.repeat(CONTENT_BYTES) };
  await storeVersions(createContentStore(env.ARCHIVE), 'live-us', [{ tag: 'A', capturedAt: FIRST_INSTANT, files }]);
  downloads.push({ path: '/v1/updates/live-us/file?path=long.txt' });
  await seedCodex(createDatabase(env.DB), createContentStore(env.ARCHIVE), 'live-us', FIRST_INSTANT);
  downloads.push({ path: '/v1/codexes/dump' });
});

/** Streams `body` in chunks. Calls `onPiece` with the sent share before each chunk. */
function inPieces(body: Uint8Array, onPiece: (share: number) => void): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      onPiece(sent / body.length);
      if (sent >= body.length) return controller.close();
      controller.enqueue(body.slice(sent, sent + PIECE_BYTES));
      sent += PIECE_BYTES;
    },
  });
}

async function request({ path, contentType, body }: LongRequest, signal: AbortSignal, onPiece: (share: number) => void) {
  const headers = new Headers({
    Authorization: authorization,
    'CF-Connecting-IP': '10.20.30.40',
    'X-Test-Now': String(freshInstant()),
  });
  if (!body) return fetchWorker(new Request(ORIGIN + path, { headers, signal }));
  headers.set('Content-Type', contentType ?? '');
  if (draw() < 0.5) headers.set('Content-Length', String(body.length));
  return fetchWorker(new Request(ORIGIN + path, { method: 'POST', headers, body: inPieces(body, onPiece), signal }));
}

type Outcome = 'while sending' | 'while receiving' | 'after the response';

/** Sends a request and disconnects at a random point: while sending, before the response, or while receiving. */
async function abortAtRandom(target: LongRequest): Promise<Outcome> {
  const controller = new AbortController();
  const leavesAt = draw() * (target.body ? 2 : 1);
  const sendUntil = target.body ? leavesAt : 0;
  let response: Response;
  try {
    response = await request(target, controller.signal, (share) => {
      if (share >= sendUntil) controller.abort();
    });
  } catch {
    return 'while sending';
  }
  const receiveShare = target.body ? leavesAt - 1 : leavesAt;
  const reader = response.body?.getReader();
  let left = receiveShare * CONTENT_BYTES;
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return 'after the response';
      left -= value?.length ?? 0;
      if (left > 0) continue;
      if (draw() < 0.5) controller.abort();
      else await reader?.cancel();
      return 'while receiving';
    }
  } catch {
    return 'while receiving';
  }
}

describe('a memory reservation of a request', () => {
  it('is released when the client aborts the request at a random point', { timeout: 300_000 }, async () => {
    const targets = [...UPLOADS, ...downloads];
    const outcomes: Record<Outcome, number> = { 'while sending': 0, 'while receiving': 0, 'after the response': 0 };
    const leaveOften = async (target: LongRequest) => {
      for (let n = 0; n < ABORTS / targets.length; n += 1) outcomes[await abortAtRandom(target)] += 1;
    };
    // Two in parallel, because more would mostly be refused by the memory limit.
    for (let first = 0; first < UPLOADS.length; first += 2) await Promise.all(UPLOADS.slice(first, first + 2).map(leaveOften));
    await Promise.all(downloads.map(leaveOften));
    expect(Object.values(outcomes).filter((count) => count < ABORTS / 10)).toEqual([]);
    await eventually(() => expect(isolateMemory.reservedBytes()).toBe(0));
  });

  it('is available to every request afterwards', async () => {
    for (const { path, contentType, body } of UPLOADS) {
      const large = new Uint8Array(1024 * 1024 + 1);
      large.set(body ?? []);
      const response = await call(path, { method: 'POST', authorization, headers: { 'Content-Type': contentType ?? '' }, body: large });
      expect([path, response.status]).not.toEqual([path, 503]);
    }
  });
});

const refused = expect.objectContaining({ code: 'service_unavailable', headers: { 'Retry-After': '5' } });

/** A memory limit of 10 bytes with an adjustable clock. */
function rateLimitOf10() {
  const clock = { now: 1000 };
  const rateLimit = createMemoryPool(createIsolateMemory(10), { clock: () => clock.now });
  return { clock, open: (signal = new AbortController().signal) => rateLimit.open(signal) };
}

describe('createMemoryPool', () => {
  it('refuses a reservation over the limit and releases each reservation once', () => {
    const { open } = rateLimitOf10();
    const first = open();
    first.grow(6);
    const second = open();
    expect(() => second.grow(5)).toThrow(refused);
    first.release();
    first.release();
    second.grow(10);
    expect(() => open().grow(1)).toThrow(refused);
    second.release();
  });

  it('ends a reservation five minutes after its last renewal', () => {
    const { clock, open } = rateLimitOf10();
    const lost = open();
    lost.grow(10);
    clock.now += 299;
    expect(() => open().grow(1)).toThrow(refused);
    clock.now += 1;
    const next = open();
    next.grow(10);
    lost.release();
    expect(() => open().grow(1)).toThrow(refused);
    next.release();
  });

  it('preserves a reservation that is renewed', () => {
    const { clock, open } = rateLimitOf10();
    const lively = open();
    lively.grow(10);
    for (let minutes = 0; minutes < 60; minutes += 4) {
      clock.now += 240;
      lively.renew();
    }
    expect(() => open().grow(1)).toThrow(refused);
    lively.release();
  });

  it('ends a reservation 31 seconds after its client disconnects, even when it is renewed', () => {
    const { clock, open } = rateLimitOf10();
    const controller = new AbortController();
    const left = open(controller.signal);
    left.grow(10);
    controller.abort();
    clock.now += 30;
    left.renew();
    expect(() => open().grow(1)).toThrow(refused);
    clock.now += 1;
    const next = open();
    next.grow(10);
    expect(() => left.renew()).toThrow(refused);
    expect(() => left.grow(1)).toThrow(refused);
    next.release();
  });

  it('detaches the bytes of a reservation that has ended', () => {
    const { open } = rateLimitOf10();
    const reservation = open();
    const bytes = new Uint8Array(4);
    reservation.own(bytes);
    reservation.release();
    expect(bytes.length).toBe(0);
  });
});

describe('streamBody', () => {
  it('releases its memory when the client stops reading', async () => {
    const { open } = rateLimitOf10();
    const reservation = open();
    reservation.grow(10);
    let ended: Promise<unknown> = Promise.resolve();
    const waitUntil = (promise: Promise<unknown>) => {
      ended = promise;
    };
    const body = streamBody([Uint8Array.of(1), Uint8Array.of(2)], { reservation, waitUntil, stallTimeoutMs: 50 });
    await ended;
    const next = open();
    next.grow(10);
    next.release();
    await body.cancel().catch(() => {});
  });

  it('aborts a response whose reservation has ended', async () => {
    const { open } = rateLimitOf10();
    const reservation = open();
    reservation.release();
    const body = streamBody([Uint8Array.of(1)], { reservation, waitUntil: (promise) => void promise.catch(() => {}) });
    await expect(new Response(body).text()).rejects.toThrow();
  });
});
