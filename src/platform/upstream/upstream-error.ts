/**
 * Kind of an upstream failure: `network` (no response, or an incomplete one), `timeout`, `status` (not a success), `too_large`,
 * `malformed` (invalid bytes), `redirect` (one that must not be followed), `paused` (not requested: it failed too often, or
 * requested a pause).
 */
export type UpstreamFailure = 'network' | 'timeout' | 'status' | 'too_large' | 'malformed' | 'redirect' | 'paused';

interface UpstreamErrorOptions {
  status?: number;
  retryAfterSeconds?: number | null;
  excerpt?: string;
  cause?: unknown;
}

/** A request without a usable response. The message names the source and never a query or a credential. */
export class UpstreamError extends Error {
  readonly source: string;
  readonly kind: UpstreamFailure;
  /** Status of the response, if any. */
  readonly status: number | null;
  /** `Retry-After` of the upstream, or null. */
  readonly retryAfterSeconds: number | null;
  /** Beginning of the body of an unsuccessful response; empty without one. */
  readonly excerpt: string;

  constructor(source: string, kind: UpstreamFailure, message: string, options: UpstreamErrorOptions = {}) {
    super(`${source}: ${message}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'UpstreamError';
    this.source = source;
    this.kind = kind;
    this.status = options.status ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.excerpt = options.excerpt ?? '';
  }
}
