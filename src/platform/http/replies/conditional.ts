import { BoundedMap } from '../../storage/bounded-map.ts';
import { digestOf, type RawReply, type Representation } from './reply.ts';

/** True when `If-None-Match` contains the ETag. Weak comparison (RFC 9110 13.1.2). */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const tag = opaqueTag(etag);
  return ifNoneMatch.split(',').some((listed) => opaqueTag(listed.trim()) === tag);
}

function opaqueTag(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}

const MAX_CACHED_DIGESTS = 64;
/** Longer sources are not cached, to save memory: large bodies that repeat have their own ETag. */
const MAX_CACHED_SOURCE_LENGTH = 16_384;

/** Creates the function that computes ETags. It caches the last digests, because most responses repeat. */
export function createEtagger(): (reply: Representation | RawReply) => string | null {
  const digests = new BoundedMap<string, string>(MAX_CACHED_DIGESTS);

  function cachedDigest(source: string): string {
    if (source.length > MAX_CACHED_SOURCE_LENGTH) return digestOf(source);
    const cached = digests.get(source);
    if (cached !== undefined) return cached;
    const digest = digestOf(source);
    digests.set(source, digest);
    return digest;
  }

  return (reply) => {
    if (reply.etag !== undefined) return reply.etag;
    if (reply.kind === 'raw') return null;
    return reply.state === undefined ? `"${cachedDigest(reply.text)}"` : `W/"${cachedDigest(reply.state)}"`;
  };
}
