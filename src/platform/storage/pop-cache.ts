import { logError } from '../logging.ts';
import { systemMilliseconds } from '../time/clock.ts';
import type { ByteRange, ContentStore, Sha256 } from './content-store.ts';

/** The part of the runtime's cache that is used. */
export type PopCache = Pick<Cache, 'match' | 'put'>;
/** Keeps work going after the response. */
export type Later = (work: Promise<unknown>) => void;

/** Immutable bytes, cached near their readers. The client has been admitted and charged, and may read them. */
export interface CachedContents {
  /** The bytes as a stream, whole or in part; null when they are not stored. */
  open(content: { sha256: Sha256; size: number }, range: ByteRange | undefined, later: Later): Promise<ReadableStream | null>;
  /** Small bytes under a key that names one content for ever; null when they are not stored. */
  bytes(key: string, read: () => Promise<Uint8Array<ArrayBuffer> | null>, later: Later): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** Never fetched: the cache requires a URL as its key. */
const ORIGIN = 'https://contents.internal/';
/** Larger ones are read from the bucket alone. A location takes 512 MB, but a copy costs a whole read. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** Pause for a cache that stores nothing (workers.dev). */
const INERT_MS = 600_000;
/** Contents that an isolate copies at once. */
const MAX_COPIES = 4;
/** A copy that has not ended by then was cancelled with its request. */
const COPY_MS = 30_000;
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Puts the cache of the location before a bucket. A miss reads the bucket and copies the content in the background with a
 * separate read: the response never waits for the copy, and a slow client delays nothing. Any fault of the cache leaves the
 * bytes unchanged.
 */
export function createCachedContents(
  store: Pick<ContentStore, 'open'>,
  cache: () => PopCache = () => caches.default,
  nowMs: () => number = systemMilliseconds,
): CachedContents {
  let inertUntil = 0;
  /** Until when a content counts as being copied. At most `MAX_COPIES`. */
  const copies = new Map<string, number>();

  async function match(key: string, range?: ByteRange): Promise<Response | null> {
    if (nowMs() < inertUntil) return null;
    try {
      const headers = range ? { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` } : undefined;
      return (await cache().match(new Request(ORIGIN + key, headers ? { headers } : {}))) ?? null;
    } catch (error) {
      logError('location cache could not be read', error);
      return null;
    }
  }

  async function put(key: string, body: BodyInit, size: number): Promise<void> {
    const headers = { 'Content-Length': String(size), 'Content-Type': 'application/octet-stream', 'Cache-Control': FOR_EVER };
    await cache().put(ORIGIN + key, new Response(body, { headers }));
    const stored = await match(key);
    await stored?.body?.cancel();
    if (!stored) inertUntil = nowMs() + INERT_MS;
  }

  /** Copies each content at most once at a time. */
  function copy(key: string, size: number, read: () => Promise<BodyInit | null>, later: Later): void {
    const now = nowMs();
    for (const [copied, until] of copies) if (until <= now) copies.delete(copied);
    if (size > MAX_CACHED_BYTES || now < inertUntil || copies.size >= MAX_COPIES || copies.has(key)) return;
    const until = now + COPY_MS;
    copies.set(key, until);
    const work = async () => {
      try {
        const body = await read();
        if (body !== null) await put(key, body, size);
      } catch (error) {
        logError('content could not be cached', error);
      } finally {
        if (copies.get(key) === until) copies.delete(key);
      }
    };
    later(work());
  }

  return {
    async open({ sha256, size }, range, later) {
      const hit = await match(sha256, range);
      if (hit && isWanted(hit, range, size)) return hit.body;
      await hit?.body?.cancel();
      const body = await store.open(sha256, range);
      if (body && !hit) copy(sha256, size, () => store.open(sha256), later);
      return body;
    },

    async bytes(key, read, later) {
      const hit = await match(key);
      if (hit?.status === 200) return new Uint8Array(await hit.arrayBuffer());
      const bytes = await read();
      if (bytes) copy(key, bytes.length, async () => bytes.slice(), later);
      return bytes;
    },
  };
}

/** True when the cache returned exactly the requested bytes; otherwise the bucket is read. */
function isWanted({ status, headers, body }: Response, range: ByteRange | undefined, size: number): boolean {
  if (body === null && size > 0) return false;
  if (!range) return status === 200 && headers.get('Content-Length') === String(size);
  return status === 206 && headers.get('Content-Range') === `bytes ${range.offset}-${range.offset + range.length - 1}/${size}`;
}
