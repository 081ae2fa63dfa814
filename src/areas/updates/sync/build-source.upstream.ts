import { BRANCHES, type Branch } from '../../../game/branches.data.ts';
import { systemClock } from '../../../platform/kit/time/clock.ts';
import { isRetryable, retryAfterSeconds, retryDelayMs, waitFor } from '../../../platform/upstream/retry.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { upstreamName } from '../updates.data.ts';
import { type BuildSource, encodePath, MalformedFileError, SourceFileMissingError } from './engine/build-files.domain.ts';
import { MAX_MANIFEST_BYTES, MAX_POINTER_BYTES } from './engine/limits.data.ts';

interface HttpBuildSourceDeps {
  branch: Branch;
  /** Base and prefix of the patch network, with a slash at the end. */
  root: string;
  userAgent: string;
  client: Pick<UpstreamClient, 'fetch'>;
  /** Uniform in [0, 1): spreads retries. */
  random(): number;
  fetch?: typeof fetch;
}

const MAX_ATTEMPTS = 3;
/** Timeout until the response starts, and between chunks of the body. */
const STALL_SECONDS = 60;
const CHUNK_BYTES = 65_536;

/** Joins base URL and prefix, with a trailing slash. Request paths add their own leading slash: the publisher's URLs have both. */
export function sourceRoot(base: string, prefix: string): string {
  const inner = prefix.replace(/^\/+|\/+$/g, '');
  return `${base.trim().replace(/\/+$/, '')}/${inner === '' ? '' : `${inner}/`}`;
}

/** The publisher's patch network over HTTP. Redirects are not followed. */
export function createHttpBuildSource(deps: HttpBuildSourceDeps): BuildSource {
  const { branch, root, userAgent, client, random } = deps;
  const doFetch = deps.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init));
  const source = upstreamName(branch);

  async function openOnce(url: string, path: string, signal: AbortSignal): Promise<Response> {
    const headers = { 'User-Agent': userAgent, 'Accept-Encoding': 'identity' };
    let response: Response;
    try {
      response = await withStallTimeout(doFetch(url, { headers, redirect: 'manual', signal }), source);
    } catch (error) {
      throw error instanceof UpstreamError ? error : new UpstreamError(source, 'network', `no response for ${path}`, { cause: error });
    }
    if (response.status === 200) return response;
    await response.body?.cancel();
    if (response.status === 404) throw new SourceFileMissingError(path);
    const retryAfter = retryAfterSeconds(response.headers.get('Retry-After'), systemClock());
    throw new UpstreamError(source, 'status', `HTTP ${response.status} for ${path}`, {
      status: response.status,
      retryAfterSeconds: retryAfter,
    });
  }

  async function openWithRetries(url: string, path: string, signal: AbortSignal): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await openOnce(url, path, signal);
      } catch (error) {
        if (!(error instanceof UpstreamError) || attempt >= MAX_ATTEMPTS || signal.aborted || !isRetryable(error)) throw error;
        await waitFor(retryDelayMs(attempt, error, random), signal);
      }
    }
  }

  return {
    async readPointer(signal) {
      const url = `${root}/public/${BRANCHES[branch].pointerFile}`;
      const accepts = (status: number) => status === 200 || status === 404;
      const response = await client.fetch({ source, url, signal, accepts, redirect: 'manual', maxBytes: MAX_POINTER_BYTES });
      return response.status === 404 ? null : new TextDecoder().decode(response.bytes);
    },

    async readManifest({ contentPath, versionTag }, signal) {
      const url = `${root}/content/${encodePath(contentPath)}/${encodeURIComponent(versionTag)}.manifest`;
      const accepts = (status: number) => status === 200;
      const response = await client.fetch({ source, url, signal, accepts, redirect: 'manual', maxBytes: MAX_MANIFEST_BYTES });
      return response.bytes;
    },

    async openFile(contentPath, { path, sha1, size }, signal) {
      const url = `${root}/content/${encodePath(contentPath)}/recovery/${encodePath(path)}?sha1=${encodeURIComponent(sha1)}`;
      const response = await openWithRetries(url, path, signal);
      const contentLength = response.headers.get('Content-Encoding') === null ? response.headers.get('Content-Length') : null;
      if (contentLength !== null && Number(contentLength) !== size) {
        await response.body?.cancel();
        throw new MalformedFileError(`${path} has ${contentLength} bytes instead of ${size}`);
      }
      return readChunks(response, source, path);
    },
  };
}

/** Reads in chunks of up to 64 KiB: the default chunks have a few kilobytes, and each allocates several objects. */
async function* readChunks({ body }: Response, source: string, path: string): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader({ mode: 'byob' });
  try {
    for (;;) {
      const { done, value } = await withStallTimeout(readChunk(reader), source);
      if (value && value.length > 0) yield value;
      if (done) return;
    }
  } catch (error) {
    throw error instanceof UpstreamError ? error : new UpstreamError(source, 'network', `${path} was truncated`, { cause: error });
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** At least half a chunk where the runtime supports `readAtLeast` (workerd; not Node). */
function readChunk(reader: ReadableStreamBYOBReader): Promise<{ done: boolean; value?: Uint8Array | undefined }> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  return 'readAtLeast' in reader ? reader.readAtLeast(CHUNK_BYTES / 2, buffer) : (reader as ReadableStreamBYOBReader).read(buffer);
}

/** Throws an upstream timeout after `STALL_SECONDS`. */
async function withStallTimeout<Result>(work: Promise<Result>, source: string): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UpstreamError(source, 'timeout', `no data received for ${STALL_SECONDS} s`)), STALL_SECONDS * 1000);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
