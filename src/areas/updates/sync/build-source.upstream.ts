import { BRANCHES, type Branch } from '../../../game/branches.data.ts';
import { systemClock } from '../../../platform/time/clock.ts';
import { isRetryable, retryAfterSeconds, retryDelayMs, waitFor } from '../../../platform/upstream/retry.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { archiveSource } from '../updates.data.ts';
import { type BuildSource, SourceGone } from './engine/build-source.ts';
import { MAX_MANIFEST_BYTES, MAX_POINTER_BYTES } from './engine/limits.data.ts';
import { Malformed } from './engine/malformed.domain.ts';
import { encodedPath } from './engine/manifest.domain.ts';

export interface HttpBuildSourceDeps {
  branch: Branch;
  /** Base and prefix of the patch network, with a slash at the end. */
  root: string;
  userAgent: string;
  client: Pick<UpstreamClient, 'fetch'>;
  /** Uniform in [0, 1): spreads retries. */
  random(): number;
  fetch?: typeof fetch;
}

const ATTEMPTS = 3;
/** Timeout until the response starts, and of a stalled body. */
const STALL_SECONDS = 60;
const CHUNK_BYTES = 65_536;

/** Base and prefix as one address that ends with a slash: what is asked for follows with a slash of its own. */
export function sourceRoot(base: string, prefix: string): string {
  const inner = prefix.replace(/^\/+|\/+$/g, '');
  return `${base.trim().replace(/\/+$/, '')}/${inner === '' ? '' : `${inner}/`}`;
}

/** The publisher's patch network over HTTP. Redirects are not followed. */
export function createHttpBuildSource(deps: HttpBuildSourceDeps): BuildSource {
  const { branch, root, userAgent, client, random } = deps;
  const doFetch = deps.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init));
  const source = archiveSource(branch);

  async function openOnce(url: string, path: string, signal: AbortSignal): Promise<Response> {
    const headers = { 'User-Agent': userAgent, 'Accept-Encoding': 'identity' };
    let response: Response;
    try {
      response = await inTime(doFetch(url, { headers, redirect: 'manual', signal }), source);
    } catch (error) {
      throw error instanceof UpstreamError ? error : new UpstreamError(source, 'network', `no response for ${path}`, { cause: error });
    }
    if (response.status === 200) return response;
    await response.body?.cancel();
    if (response.status === 404) throw new SourceGone(path);
    const after = retryAfterSeconds(response.headers.get('Retry-After'), systemClock());
    throw new UpstreamError(source, 'status', `HTTP ${response.status} for ${path}`, { status: response.status, retryAfterSeconds: after });
  }

  async function opened(url: string, path: string, signal: AbortSignal): Promise<Response> {
    for (let made = 1; ; made += 1) {
      try {
        return await openOnce(url, path, signal);
      } catch (error) {
        if (!(error instanceof UpstreamError) || made >= ATTEMPTS || signal.aborted || !isRetryable(error)) throw error;
        await waitFor(retryDelayMs(made, error, random), signal);
      }
    }
  }

  return {
    async pointer(signal) {
      const url = `${root}/public/${BRANCHES[branch].pointerFile}`;
      const accepts = (status: number) => status === 200 || status === 404;
      const answer = await client.fetch({ source, url, signal, accepts, redirect: 'manual', maxBytes: MAX_POINTER_BYTES });
      return answer.status === 404 ? null : new TextDecoder().decode(answer.bytes);
    },

    async manifest({ contentPath, versionTag }, signal) {
      const url = `${root}/content/${encodedPath(contentPath)}/${encodeURIComponent(versionTag)}.manifest`;
      const accepts = (status: number) => status === 200;
      const answer = await client.fetch({ source, url, signal, accepts, redirect: 'manual', maxBytes: MAX_MANIFEST_BYTES });
      return answer.bytes;
    },

    async open(contentPath, { path, sha1, size }, signal) {
      const url = `${root}/content/${encodedPath(contentPath)}/recovery/${encodedPath(path)}?sha1=${encodeURIComponent(sha1)}`;
      const response = await opened(url, path, signal);
      const stated = response.headers.get('Content-Encoding') === null ? response.headers.get('Content-Length') : null;
      if (stated !== null && Number(stated) !== size) {
        await response.body?.cancel();
        throw new Malformed(`${path} has ${stated} bytes instead of ${size}`);
      }
      return chunksOf(response, source, path);
    },
  };
}

/** In large chunks: what a runtime hands out by itself are a few kilobytes, and each costs some objects. */
async function* chunksOf({ body }: Response, source: string, path: string): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader({ mode: 'byob' });
  try {
    for (;;) {
      const { done, value } = await inTime(readLarge(reader), source);
      if (value && value.length > 0) yield value;
      if (done) return;
    }
  } catch (error) {
    throw error instanceof UpstreamError ? error : new UpstreamError(source, 'network', `${path} was truncated`, { cause: error });
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Half a chunk at least, where the runtime can wait for that. */
function readLarge(reader: ReadableStreamBYOBReader): Promise<{ done: boolean; value?: Uint8Array | undefined }> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  return 'readAtLeast' in reader ? reader.readAtLeast(CHUNK_BYTES / 2, buffer) : (reader as ReadableStreamBYOBReader).read(buffer);
}

/** The result, or an error when it takes too long. */
async function inTime<Result>(work: Promise<Result>, source: string): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UpstreamError(source, 'timeout', `no data received for ${STALL_SECONDS} s`)), STALL_SECONDS * 1000);
  });
  try {
    return await Promise.race([work, stalled]);
  } finally {
    clearTimeout(timer);
  }
}
