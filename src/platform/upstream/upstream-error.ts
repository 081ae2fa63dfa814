/**
 * Kind of an upstream failure: `network` (no response, or an incomplete one), `timeout`, `status` (not a success), `too_large`,
 * `malformed` (invalid body), `redirect` (not allowed by the redirect policy), `paused` (not requested: the source failed repeatedly or
 * requested a pause).
 */
export type UpstreamFailure = 'network' | 'timeout' | 'status' | 'too_large' | 'malformed' | 'redirect' | 'paused';

interface UpstreamErrorOptions {
  status?: number;
  retryAfterSeconds?: number | null;
  excerpt?: string;
  cause?: unknown;
}

/** A failed upstream request. The message contains the source and never a query or a credential. */
export class UpstreamError extends Error {
  readonly source: string;
  readonly kind: UpstreamFailure;
  /** Status of the response; null without a response. */
  readonly status: number | null;
  /** `Retry-After` of the response; null without one. */
  readonly retryAfterSeconds: number | null;
  /** Start of the body of an unsuccessful response; empty without one. */
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
