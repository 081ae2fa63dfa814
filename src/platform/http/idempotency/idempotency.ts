import { createHash } from 'node:crypto';
import type { RateLimiter } from '../../access/limits/rate-limiter.ts';
import { isRefused, type RateLimit, retryAfterSeconds, scaleLimit, writeRateHeaders } from '../../access/limits/window.ts';
import type { Caller } from '../../access/policy/admission.ts';
import { ApiError, validationError } from '../../kit/errors/api-error.ts';
import { logError } from '../../kit/logging.ts';
import { readUpTo } from '../../kit/streams.ts';
import { SECONDS_PER_HOUR, type UnixSeconds } from '../../kit/time/clock.ts';
import { INGEST_ID } from '../replies/headers.ts';
import type { IdempotencyObject, NotStored, StoredResponse } from './idempotency.object.ts';

const HEADER = 'Idempotency-Key';
const MAX_KEY_LENGTH = 200;
/** Maximum body of a request with a key, in bytes. Larger requests ignore the key. */
const MAX_REQUEST_BYTES = 1024 * 1024;
const KIB = 1024;
/** `Retry-After` while the first request runs, in seconds: most writes take less. */
const RUNNING_RETRY_SECONDS = 2;
/** Interval at which a running request renews its lock, which lasts three times as long. */
export const LOCK_RENEWAL_MS = 20_000;
/** `Retry-After` while the outcome of the first request is unknown, in seconds. */
const UNKNOWN_RETRY_SECONDS = 60;
/** Maximum size of a stored response, in bytes. Lower for sessions, which may store 60 responses per hour. */
const MAX_STORED_BYTES = { token: 64 * KIB, session: 8 * KIB };
/** Rate limit of requests with a key in the sessions of one account: each may store a response for one day. */
const SESSION_KEYS = { name: 'idempotency-keys', limit: 60, windowSeconds: SECONDS_PER_HOUR };

/** The key of a request, and the credential it belongs to. */
export interface IdempotencyKey {
  key: string;
  credential: string;
  /** Account of a session; null for a token, whose requests have their own rate limit. */
  sessionUserId: string | null;
}

/** The key of a request; null for anonymous clients, for a key that is too long, and for a body over the limit or without Content-Length. */
export function idempotencyKeyOf(request: Request, caller: Caller): IdempotencyKey | null {
  const key = request.headers.get(HEADER);
  if (caller.kind === 'anonymous' || key === null || key === '' || key.length > MAX_KEY_LENGTH) return null;
  if (request.body && !(Number(request.headers.get('Content-Length') ?? Number.NaN) <= MAX_REQUEST_BYTES)) return null;
  if (caller.kind === 'token') return { key, credential: caller.tokenId, sessionUserId: null };
  if (caller.kind === 'project-key') return { key, credential: `project-key ${caller.keyId}`, sessionUserId: null };
  return { key, credential: `session ${caller.sessionId}`, sessionUserId: caller.userId };
}

/** Decision for a request with a key: replay the first response, or run the request and call `finish`. */
export type StartedWrite = { kind: 'replay'; response: StoredResponse } | { kind: 'run'; finish(result: WriteResult): Promise<void> };

/** The response of a write; null: it failed; `unknown`: the platform failed, and it may have been done. */
export type WriteResult = Response | 'unknown' | null;

/** A write with an idempotency key. */
export interface KeyedWrite extends IdempotencyKey {
  request: Request;
  body: Uint8Array;
  /** The response contains a secret and must not be stored. */
  hasSecret: boolean;
  now: UnixSeconds;
}

/** Runs a write at most once per key of a token or session. */
export interface Idempotency {
  /**
   * Throws 409 while the first request runs (with `details.in_progress` and `Retry-After`) or when its response was not stored, 422 when its body or query differs, and 429 when
   * sessions of the account used too many keys. Fails open: a storage error does not fail the request.
   */
  begin(write: KeyedWrite): Promise<StartedWrite>;
}

export interface IdempotencyDeps {
  objects: DurableObjectNamespace<IdempotencyObject>;
  limiter: Pick<RateLimiter, 'charge'>;
  /** Multiplies the limit; 1 in production. */
  rateLimitScale: number;
}

export function createIdempotency({ objects, limiter, rateLimitScale }: IdempotencyDeps): Idempotency {
  const sessionRateLimit: RateLimit = { ...SESSION_KEYS, limit: scaleLimit(SESSION_KEYS.limit, rateLimitScale) };

  async function requireRateLimit(userId: string, now: UnixSeconds): Promise<void> {
    const charge = await limiter.charge(`idempotency:${userId}`, sessionRateLimit, now);
    if (!isRefused(charge)) return;
    const { limit, windowSeconds } = charge.rateLimit;
    const headers: Record<string, string> = { 'Retry-After': String(retryAfterSeconds(charge.resetAt, now)) };
    writeRateHeaders(headers, [charge], now);
    throw new ApiError('rate_limited', `more than ${limit} requests with an ${HEADER} in ${windowSeconds} seconds`, {
      details: { limit, window_seconds: windowSeconds },
      headers,
    });
  }

  return {
    async begin({ request, key, credential, sessionUserId, body, hasSecret, now }) {
      if (sessionUserId !== null) await requireRateLimit(sessionUserId, now);
      const { pathname, search } = new URL(request.url);
      const object = objects.getByName(sha256(`${credential}\n${request.method}\n${pathname}\n${key}`));
      const bodyHash = sha256(search, body);
      const maxBytes = MAX_STORED_BYTES[sessionUserId === null ? 'token' : 'session'];
      const holder = crypto.randomUUID();
      const finishWith = (result: WriteResult) => finish(object, holder, result, hasSecret ? null : maxBytes);
      const claim = await object.claim(bodyHash, holder).catch((error: unknown) => {
        logError('idempotency storage failed', error);
        return null;
      });
      // The claim may be stored although its reply was lost.
      if (claim === null) return { kind: 'run', finish: finishWith };
      if (claim.state === 'locked') throw stillRunning();
      if (claim.state === 'other_body') throw keyReused();
      if (claim.state === 'not_stored') throw claim.reason === 'unknown' ? outcomeUnknown() : notStored(claim.reason, maxBytes);
      if (claim.state === 'replay') return { kind: 'replay', response: claim.response };
      const renewal = setInterval(() => {
        object.renew(holder).catch((error: unknown) => logError('idempotency lock was not renewed', error));
      }, LOCK_RENEWAL_MS);
      return {
        kind: 'run',
        async finish(result) {
          clearInterval(renewal);
          await finishWith(result);
        },
      };
    },
  };
}

/** Stores a successful response of at most `maxBytes` (null: not stored because of a secret), or releases the key. */
async function finish(
  object: DurableObjectStub<IdempotencyObject>,
  holder: string,
  result: WriteResult,
  maxBytes: number | null,
): Promise<void> {
  try {
    if (result === 'unknown') await object.store(holder, result);
    else await (result?.ok ? object.store(holder, await toStoredResponse(result, maxBytes)) : object.release(holder));
  } catch (error) {
    // The write is done: its response must reach the client. The key is free again when its lock ends, and a retry after
    // that runs the write again: storage that fails must not block writes.
    logError('idempotent response was not stored', error);
  }
}

/** A response with `Set-Cookie` counts as secret, because of session cookies. */
async function toStoredResponse(response: Response, maxBytes: number | null): Promise<StoredResponse | NotStored> {
  if (maxBytes === null || response.headers.has('Set-Cookie')) return 'shows_secret';
  const { bytes, isComplete } = await readUpTo(response.clone().body, maxBytes);
  if (!isComplete) return 'too_large';
  const ingestId = response.headers.get(INGEST_ID);
  const stored = { status: response.status, contentType: response.headers.get('Content-Type') ?? '', body: bytes };
  return ingestId === null ? stored : { ...stored, ingestId };
}

/** 409 for a retry while the first request runs. `details` tell it from a conflict that a retry would not mend. */
function stillRunning(): ApiError {
  return new ApiError('conflict', `a request with this ${HEADER} is still running`, {
    hint: 'wait Retry-After seconds, then send the same request with the same key again',
    details: { in_progress: true },
    headers: { 'Retry-After': String(RUNNING_RETRY_SECONDS) },
  });
}

/**
 * 409 for a write whose outcome is unknown, and for its retries: with the same key it is never done again. No retry learns more, so the
 * pause is long.
 */
export function outcomeUnknown(): ApiError {
  return new ApiError('conflict', `the outcome of the request with this ${HEADER} is unknown`, {
    hint: 'outcome unknown; read before you repeat, and repeat with a new key',
    details: { in_progress: true },
    headers: { 'Retry-After': String(UNKNOWN_RETRY_SECONDS) },
  });
}

/** 409 for a retry of a request whose response was not stored. */
function notStored(reason: NotStored, maxBytes: number): ApiError {
  const why = reason === 'too_large' ? `is over ${maxBytes / KIB} KiB` : 'contains a secret';
  return new ApiError('conflict', `the first request with this ${HEADER} succeeded, but its response was not stored: it ${why}`);
}

function keyReused(): ApiError {
  return validationError([
    {
      loc: ['header', HEADER],
      msg: 'was used with a different body or query; use a new key for a new request',
      type: 'idempotency_key_reused',
    },
  ]);
}

function sha256(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
