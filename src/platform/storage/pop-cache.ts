import { logError } from '../kit/logging.ts';
import { systemMs } from '../kit/time/clock.ts';
import type { ByteRange, ContentStore, Sha256 } from './content-store.ts';

/** The methods of the Cache API that the service uses. */
export type PopCache = Pick<Cache, 'match' | 'put'>;
/** Extends work beyond the response (`waitUntil`). */
export type WaitUntil = (work: Promise<unknown>) => void;

/** Immutable content, cached in the data center of the reader. Does not check access. */
export interface CachedContents {
  /** The content or a range of it as a stream; null when it is not stored. */
  open(content: { sha256: Sha256; size: number }, range: ByteRange | undefined, waitUntil: WaitUntil): Promise<ReadableStream | null>;
  /** Small content under a key whose content never changes; null when it is not stored. */
  bytes(key: string, read: () => Promise<Uint8Array<ArrayBuffer> | null>, waitUntil: WaitUntil): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** Never fetched: the Cache API requires a URL as the key. */
const ORIGIN = 'https://contents.internal/';
/** Larger content is not cached. The Cache API accepts 512 MB, but each copy costs a full read of the bucket. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** Time for which a cache that stores nothing (workers.dev) is not used. */
const DISABLED_MS = 600_000;
/** Maximum number of concurrent copies of an isolate. */
const MAX_COPIES = 4;
/** A copy that has not finished after this time was cancelled with its request. */
const COPY_TIMEOUT_MS = 30_000;
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * Reads through the cache of the data center. A miss reads the bucket and copies the content in the background with a separate read:
 * the response never waits for the copy, and a slow client does not delay it. Errors of the cache fall back to the bucket.
 */
export function createCachedContents(
  store: Pick<ContentStore, 'open'>,
  cache: () => PopCache = () => caches.default,
  nowMs: () => number = systemMs,
): CachedContents {
  let disabledUntil = 0;
  /** Running copies by key, with their timeout. At most `MAX_COPIES`. */
  const copies = new Map<string, number>();

  async function match(key: string, range?: ByteRange): Promise<Response | null> {
    if (nowMs() < disabledUntil) return null;
    try {
      const headers = range ? { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` } : undefined;
      return (await cache().match(new Request(ORIGIN + key, headers ? { headers } : {}))) ?? null;
    } catch (error) {
      logError('edge cache could not be read', error);
      return null;
    }
  }

  async function put(key: string, body: BodyInit, size: number): Promise<void> {
    const headers = { 'Content-Length': String(size), 'Content-Type': 'application/octet-stream', 'Cache-Control': CACHE_CONTROL };
    await cache().put(ORIGIN + key, new Response(body, { headers }));
    const stored = await match(key);
    await stored?.body?.cancel();
    if (!stored) disabledUntil = nowMs() + DISABLED_MS;
  }

  /** Copies content into the cache; no effect while the same content is being copied. */
  function copy(key: string, size: number, read: () => Promise<BodyInit | null>, waitUntil: WaitUntil): void {
    const now = nowMs();
    for (const [other, until] of copies) if (until <= now) copies.delete(other);
    if (size > MAX_CACHED_BYTES || now < disabledUntil || copies.size >= MAX_COPIES || copies.has(key)) return;
    const until = now + COPY_TIMEOUT_MS;
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
    waitUntil(work());
  }

  return {
    async open({ sha256, size }, range, waitUntil) {
      const hit = await match(sha256, range);
      if (hit && isExactMatch(hit, range, size)) return hit.body;
      await hit?.body?.cancel();
      const body = await store.open(sha256, range);
      if (body && !hit) copy(sha256, size, () => store.open(sha256), waitUntil);
      return body;
    },

    async bytes(key, read, waitUntil) {
      const hit = await match(key);
      if (hit?.status === 200) return new Uint8Array(await hit.arrayBuffer());
      const bytes = await read();
      if (bytes) copy(key, bytes.length, async () => bytes.slice(), waitUntil);
      return bytes;
    },
  };
}

/** True when the cached response has exactly the requested bytes. */
function isExactMatch({ status, headers, body }: Response, range: ByteRange | undefined, size: number): boolean {
  if (body === null && size > 0) return false;
  if (!range) return status === 200 && headers.get('Content-Length') === String(size);
  return status === 206 && headers.get('Content-Range') === `bytes ${range.offset}-${range.offset + range.length - 1}/${size}`;
}
