import { BoundedMap } from '../../storage/bounded-map.ts';
import { digestOf, type RawReply, type Representation } from './reply.ts';

/** True when an `If-None-Match` header names the ETag; weak comparison as in RFC 9110 13.1.2. */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const wanted = opaqueTag(etag);
  return ifNoneMatch.split(',').some((candidate) => opaqueTag(candidate.trim()) === wanted);
}

function opaqueTag(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}

const REMEMBERED_SOURCES = 64;
/** Longer texts are not worth their memory: a body that is large and repeats brings its own ETag. */
const MAX_REMEMBERED_LENGTH = 16_384;

/** Computes ETags; each isolate caches the last sources, as most responses repeat. */
export function createEtagger(): (reply: Representation | RawReply) => string | null {
  const digests = new BoundedMap<string, string>(REMEMBERED_SOURCES);

  function remembered(source: string): string {
    if (source.length > MAX_REMEMBERED_LENGTH) return digestOf(source);
    const known = digests.get(source);
    if (known !== undefined) return known;
    const digest = digestOf(source);
    digests.set(source, digest);
    return digest;
  }

  return (reply) => {
    if (reply.etag !== undefined) return reply.etag;
    if (reply.kind === 'raw') return null;
    return reply.state === undefined ? `"${remembered(reply.text)}"` : `W/"${remembered(reply.state)}"`;
  };
}
