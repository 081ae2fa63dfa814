/**
 * What went wrong with an upstream: `network` (no answer, or one that broke off), `timeout`, `status` (an answer that is no
 * success), `too_large`, `malformed` (not the bytes it should be), `redirect` (one that must not be followed), `paused`
 * (not asked at all: it failed too often, or wants to be left alone for a while).
 */
export type UpstreamFailure = 'network' | 'timeout' | 'status' | 'too_large' | 'malformed' | 'redirect' | 'paused';

interface UpstreamErrorOptions {
  status?: number;
  retryAfterSeconds?: number | null;
  excerpt?: string;
  cause?: unknown;
}

/** A call that gave nothing usable. The message names the source and never a query or a credential. */
export class UpstreamError extends Error {
  readonly source: string;
  readonly kind: UpstreamFailure;
  /** Status of the answer, where there was one. */
  readonly status: number | null;
  /** What the upstream asked for in `Retry-After`, or null. */
  readonly retryAfterSeconds: number | null;
  /** Beginning of the body of an answer that is no success; empty where there is none. */
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
