import { redirectProblem } from '../../../platform/upstream/redirect-policy.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { MAX_IMAGE_BYTES, MIRROR_SOURCES } from '../records/catalog.data.ts';
import { type CommunityMod, jsonValues, NotJson, parseCommunityMod } from './mirror.domain.ts';

/** Limits for an isolate of 128 MB: while it is read, a body is briefly in memory twice. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;
const MAX_FILE_BYTES = 32 * 1024 * 1024;
const FILE_TIMEOUT_SECONDS = 60;
const ABSENT = [403, 404, 410];

export type CommunityCatalog = ReturnType<typeof createCommunityCatalog>;

/** Client of the community catalog of mods. All methods throw `UpstreamError`. */
export function createCommunityCatalog(client: UpstreamClient, baseUrl: string) {
  const at = (path: string) => `${baseUrl}${path}`;

  /** Null for missing and oversized files; throws for failures that a retry may resolve. */
  async function fetchOptional(source: string, url: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const accepts = (status: number) => status === 200 || ABSENT.includes(status);
    try {
      const response = await client.fetch({
        source,
        url,
        maxBytes,
        accepts,
        timeoutSeconds: FILE_TIMEOUT_SECONDS,
        circuit: source !== MIRROR_SOURCES.images,
      });
      return response.status === 200 && response.bytes.length > 0 ? response.bytes : null;
    } catch (error) {
      if (error instanceof UpstreamError && error.kind === 'too_large') return null;
      throw error;
    }
  }

  return {
    /** Yields the mods with a file; invalid entries are omitted. */
    async list(): Promise<Iterable<CommunityMod>> {
      const headers = { Accept: 'application/json' };
      const response = await client.fetch({
        source: MIRROR_SOURCES.list,
        url: at('/api/mods-all'),
        headers,
        maxBytes: MAX_LIST_BYTES,
        timeoutSeconds: FILE_TIMEOUT_SECONDS,
      });
      return parseMods(response.bytes);
    },

    /** Bytes of a file; null if missing or too large. */
    file: (fileId: string): Promise<Uint8Array<ArrayBuffer> | null> =>
      fetchOptional(MIRROR_SOURCES.files, at(`/client/downloadfile.php?fileid=${fileId}`), MAX_FILE_BYTES),

    /** Bytes of an image; null if unavailable. */
    async image(address: string): Promise<Uint8Array<ArrayBuffer> | null> {
      const url = URL.parse(address, baseUrl);
      // Images may be on any public host, but not on a private network.
      if (!url || redirectProblem(new URL(baseUrl), url) !== null) return null;
      try {
        return await fetchOptional(MIRROR_SOURCES.images, url.href, MAX_IMAGE_BYTES);
      } catch (error) {
        if (error instanceof UpstreamError) return null;
        throw error;
      }
    },
  };
}

function* parseMods(bytes: Uint8Array): Generator<CommunityMod> {
  try {
    for (const value of jsonValues(bytes)) {
      const mod = parseCommunityMod(JSON.parse(new TextDecoder().decode(value)));
      if (mod) yield mod;
    }
  } catch (error) {
    if (!(error instanceof NotJson) && !(error instanceof SyntaxError)) throw error;
    throw new UpstreamError(MIRROR_SOURCES.list, 'malformed', `the list is not JSON: ${error.message}`, { cause: error });
  }
}
