import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fileReply } from '../../../src/platform/http/replies/file-reply.ts';
import { contentKey, createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createCachedContents, type PopCache } from '../../../src/platform/storage/pop-cache.ts';

const store = createContentStore(env.OUTBOX);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Like the cache of workers.dev: accepts everything and stores nothing. */
const INERT: PopCache = { match: async () => undefined, put: async (_, response) => void (await response.body?.cancel()) };
const BROKEN: PopCache = { match: () => Promise.reject(new Error('no cache')), put: () => Promise.reject(new Error('no cache')) };

/** Contents behind a cache, with a count of reads of the bucket. */
async function world(cache: PopCache, length = 1000) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  const { sha256 } = await store.put(bytes);
  const reads: unknown[] = [];
  const background: Promise<unknown>[] = [];
  const clock = { now: 0 };
  const counted = {
    open(hash: string, range?: { offset: number; length: number }) {
      reads.push(range ?? 'whole');
      return store.open(hash, range);
    },
  };
  const contents = createCachedContents(
    counted,
    () => cache,
    () => clock.now,
  );
  const waitUntil = (work: Promise<unknown>) => void background.push(work);
  const reply = async (headers: Record<string, string> = {}) => {
    const open = (range?: { offset: number; length: number }) => contents.open({ sha256, size: length }, range, waitUntil);
    const file = { sha256, size: length, contentType: 'application/octet-stream', cacheControl: 'public', open };
    const { body, status = 200, headers: sent } = await fileReply(new Request('https://files.example/x', { headers }), file);
    const text = hex(new Uint8Array(await new Response(body).arrayBuffer()));
    return { status, range: sent?.['Content-Range'], text };
  };
  return { bytes, sha256, reads, clock, contents, waitUntil, reply, settle: () => Promise.all(background.splice(0)) };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('pop cache', () => {
  it('returns the same bytes from bucket and cache, for whole files and ranges', async () => {
    const { reply, settle, reads, bytes, sha256 } = await world(caches.default);
    const ranges: Record<string, string>[] = [
      {},
      { Range: 'bytes=0-0' },
      { Range: 'bytes=10-499' },
      { Range: 'bytes=-7' },
      { Range: 'bytes=990-5000' },
    ];
    const missed = [];
    for (const headers of ranges) missed.push(await reply(headers));
    expect(missed[0]).toEqual({ status: 200, range: undefined, text: hex(bytes) });
    expect(missed[2]).toMatchObject({ status: 206, range: 'bytes 10-499/1000', text: hex(bytes.subarray(10, 500)) });
    await settle();
    reads.length = 0;
    await env.OUTBOX.delete(contentKey(sha256));
    const hit = [];
    for (const headers of ranges) hit.push(await reply(headers));
    expect(hit).toEqual(missed);
    expect(reads).toEqual([]);
  });

  it('reads from the bucket and stops copying when the cache stores nothing', async () => {
    const { reply, settle, reads, bytes, clock } = await world(INERT);
    for (let round = 0; round < 3; round += 1) {
      expect(await reply()).toMatchObject({ status: 200, text: hex(bytes) });
      expect(await reply({ Range: 'bytes=5-9' })).toMatchObject({ status: 206, text: hex(bytes.subarray(5, 10)) });
      await settle();
    }
    expect(reads).toHaveLength(6 + 1);
    clock.now += 600_001;
    await reply();
    await settle();
    expect(reads).toHaveLength(6 + 1 + 2);
  });

  it('serves content from the bucket while the cache fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { reply, settle, bytes } = await world(BROKEN);
    expect(await reply()).toMatchObject({ status: 200, text: hex(bytes) });
    await settle();
    expect(await reply({ Range: 'bytes=5-9' })).toMatchObject({ status: 206 });
    await settle();
  });

  it('serves from the bucket when the cache returns other bytes', async () => {
    const odd: PopCache = {
      match: async () => new Response('other', { status: 200, headers: { 'Content-Length': '5' } }),
      put: async () => {},
    };
    const { reply, bytes } = await world(odd);
    expect(await reply()).toMatchObject({ text: hex(bytes) });
    expect(await reply({ Range: 'bytes=5-9' })).toMatchObject({ status: 206, text: hex(bytes.subarray(5, 10)) });
  });

  it('copies content once for any number of concurrent requests', async () => {
    const { reply, settle, reads } = await world(caches.default);
    await Promise.all(Array.from({ length: 10 }, () => reply()));
    await settle();
    expect(reads).toHaveLength(10 + 1);
  });

  it('does not cache missing content', async () => {
    const { contents, waitUntil, settle } = await world(caches.default);
    expect(await contents.open({ sha256: '0'.repeat(64), size: 5 }, undefined, waitUntil)).toBeNull();
    expect(await contents.bytes('nothing', async () => null, waitUntil)).toBeNull();
    await settle();
  });

  it('caches small content under its own key', async () => {
    const { contents, waitUntil, settle } = await world(caches.default);
    const key = crypto.randomUUID();
    let read = 0;
    const ask = () =>
      contents.bytes(
        key,
        async () => {
          read += 1;
          return new Uint8Array([1, 2, 3]);
        },
        waitUntil,
      );
    expect(await ask()).toEqual(new Uint8Array([1, 2, 3]));
    await settle();
    expect(await ask()).toEqual(new Uint8Array([1, 2, 3]));
    expect(read).toBe(1);
  });
});
