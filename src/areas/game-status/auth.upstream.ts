import type { UpstreamClient, UpstreamResponse } from '../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import type { AuthProbe } from './probes.ts';
import { type AuthCheck, isOwnReply as isGenuineResponse } from './verdict.domain.ts';

const SOURCE = 'game-status-auth';
const MAX_BYTES = 256 * 1024;
/** Invalid credentials: a genuine rejection proves that the service works. */
const INVALID_LOGIN = 'username=status-probe&password=status-probe';

/**
 * Requests the gateway. When the response is not genuine, tries to log in with invalid credentials. Does not follow redirects, and ignores
 * earlier failures.
 */
export function createAuthProbe(upstream: UpstreamClient): AuthProbe {
  async function request(method: 'GET' | 'POST', url: string, timeoutSeconds: number, signal: AbortSignal): Promise<AuthCheck> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    try {
      const response = await upstream.fetch({
        source: SOURCE,
        url,
        method,
        ...(method === 'POST' ? { body: INVALID_LOGIN, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } } : {}),
        signal,
        timeoutSeconds,
        maxBytes: MAX_BYTES,
        attempts: 1,
        accepts: () => true,
        redirect: 'manual',
        circuit: false,
      });
      const online = response.status < 500 && isGenuineResponse(response.headers.keys(), decodeBody(response));
      return { online, httpStatus: response.status, latencyMs: elapsed(), error: online ? null : `HTTP ${response.status}` };
    } catch (error) {
      return { online: false, httpStatus: null, latencyMs: elapsed(), error: reasonOf(error) };
    }
  }

  return async (url, timeoutSeconds, signal) => {
    const response = await request('GET', url, timeoutSeconds, signal);
    const isInconclusive = !response.online && response.httpStatus !== null && response.httpStatus < 500;
    return isInconclusive ? request('POST', url, timeoutSeconds, signal) : response;
  };
}

/** Decodes the body, replacing invalid UTF-8. */
function decodeBody({ bytes }: UpstreamResponse): string {
  return new TextDecoder().decode(bytes);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof UpstreamError)) return 'bad_address';
  return error.kind === 'network' ? 'unreachable' : error.kind;
}
