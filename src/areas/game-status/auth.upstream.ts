import type { UpstreamClient, UpstreamResponse } from '../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import type { AuthProbe } from './probes.ts';
import { type AuthCheck, isOwnReply } from './verdict.domain.ts';

const SOURCE = 'game-status-auth';
const MAX_BYTES = 256 * 1024;
/** Credentials that do not exist: a genuine rejection proves that the service works. */
const THROW_AWAY_LOGIN = 'username=status-probe&password=status-probe';

/**
 * Requests the gateway and, without a genuine response, tries to log in with throw-away
 * credentials. Redirects are not followed. Every attempt is independent of earlier failures.
 */
export function createAuthProbe(upstream: UpstreamClient): AuthProbe {
  async function ask(method: 'GET' | 'POST', url: string, timeoutSeconds: number, signal: AbortSignal): Promise<AuthCheck> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    try {
      const response = await upstream.fetch({
        source: SOURCE,
        url,
        method,
        ...(method === 'POST' ? { body: THROW_AWAY_LOGIN, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } } : {}),
        signal,
        timeoutSeconds,
        maxBytes: MAX_BYTES,
        attempts: 1,
        accepts: () => true,
        redirect: 'manual',
        circuit: false,
      });
      const online = response.status < 500 && isOwnReply(response.headers.keys(), textOf(response));
      return { online, httpStatus: response.status, latencyMs: elapsed(), error: online ? null : `HTTP ${response.status}` };
    } catch (error) {
      return { online: false, httpStatus: null, latencyMs: elapsed(), error: reasonOf(error) };
    }
  }

  return async (url, timeoutSeconds, signal) => {
    const plain = await ask('GET', url, timeoutSeconds, signal);
    const isInconclusive = !plain.online && plain.httpStatus !== null && plain.httpStatus < 500;
    return isInconclusive ? ask('POST', url, timeoutSeconds, signal) : plain;
  };
}

/** Decodes the body leniently, to inspect its form. */
function textOf({ bytes }: UpstreamResponse): string {
  return new TextDecoder().decode(bytes);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof UpstreamError)) return 'bad_address';
  return error.kind === 'network' ? 'unreachable' : error.kind;
}
