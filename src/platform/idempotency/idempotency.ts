import { createHash } from 'node:crypto';
import type { Caller } from '../access/policy/access-control.ts';
import { ApiError, validationError } from '../errors/api-error.ts';
import { readUpTo } from '../http/bodies/read-stream.ts';
import { logError } from '../logging.ts';
import { writeRateHeaders } from '../rate-limits/headers.ts';
import type { RateLimiter } from '../rate-limits/rate-limiter.ts';
import { type Budget, isRefused, retryAfterSeconds } from '../rate-limits/window.ts';
import { SECONDS_PER_HOUR, type UnixSeconds } from '../time/clock.ts';
import type { IdempotencyObject, NotStored, StoredResponse } from './idempotency.object.ts';

const HEADER = 'Idempotency-Key';
const MAX_KEY_LENGTH = 200;
/** Requests with a larger body ignore the key, in bytes. */
const MAX_REQUEST_BYTES = 1024 * 1024;
const KIB = 1024;
/** Larger responses are not stored, in bytes. A session may store 60 per hour, which together must stay small. */
const MAX_STORED_BYTES = { token: 64 * KIB, session: 8 * KIB };
/** Requests with a key in the sessions of an account, which have no other limit: each may store a response for one day. */
const SESSION_KEYS = { name: 'idempotency-keys', limit: 60, windowSeconds: SECONDS_PER_HOUR };

/** A key of a request, and the credential in whose name space it counts. */
export interface IdempotencyKey {
  key: string;
  credential: string;
  /** Account of a session; null for a token, whose requests are counted anyway. */
  sessionUserId: string | null;
}

/** The key a request may use: sent with a token or a session, not too long, with a declared body that is not too large. */
export function idempotencyKeyOf(request: Request, caller: Caller): IdempotencyKey | null {
  const key = request.headers.get(HEADER);
  if (caller.kind === 'anonymous' || key === null || key === '' || key.length > MAX_KEY_LENGTH) return null;
  if (request.body && !(Number(request.headers.get('Content-Length') ?? Number.NaN) <= MAX_REQUEST_BYTES)) return null;
  if (caller.kind === 'token') return { key, credential: caller.tokenId, sessionUserId: null };
  return { key, credential: `session ${caller.sessionId}`, sessionUserId: caller.userId };
}

/** Decision for a request with a key: replay the first response, or run it and report the result. */
export type Ticket = { kind: 'replay'; answer: StoredResponse } | { kind: 'run'; finish(response: Response | null): Promise<void> };

/** A write with an idempotency key. */
export interface KeyedWrite extends IdempotencyKey {
  request: Request;
  body: Uint8Array;
  /** The response shows a secret and must not be stored. */
  showsSecret: boolean;
  now: UnixSeconds;
}

/** Runs a write at most once per key of a token or session. */
export interface Idempotency {
  /**
   * Throws 409 while the first request runs and when its response was not stored, 422 when its body or query was another, and 429
   * when sessions of the account used too many keys. Storage trouble fails no request.
   */
  begin(write: KeyedWrite): Promise<Ticket>;
}

export interface IdempotencyDeps {
  objects: DurableObjectNamespace<IdempotencyObject>;
  limiter: Pick<RateLimiter, 'charge'>;
  /** Multiplies the limit; 1 in production. */
  rateLimitScale: number;
}

export function createIdempotency({ objects, limiter, rateLimitScale }: IdempotencyDeps): Idempotency {
  const sessionKeys: Budget = { ...SESSION_KEYS, limit: Math.max(1, Math.round(SESSION_KEYS.limit * rateLimitScale)) };

  async function requireBudget(userId: string, now: UnixSeconds): Promise<void> {
    const charge = await limiter.charge(`idempotency:${userId}`, sessionKeys, now);
    if (!isRefused(charge)) return;
    const { limit, windowSeconds } = charge.budget;
    const headers: Record<string, string> = { 'Retry-After': String(retryAfterSeconds(charge.resetAt, now)) };
    writeRateHeaders(headers, charge, now);
    throw new ApiError('rate_limited', `more than ${limit} requests with an ${HEADER} in ${windowSeconds} seconds`, {
      details: { limit, window_seconds: windowSeconds },
      headers,
    });
  }

  return {
    async begin({ request, key, credential, sessionUserId, body, showsSecret, now }) {
      if (sessionUserId !== null) await requireBudget(sessionUserId, now);
      const { pathname, search } = new URL(request.url);
      const object = objects.getByName(sha256(`${credential}\n${request.method}\n${pathname}\n${key}`));
      const bodyHash = sha256(search, body);
      const maxBytes = MAX_STORED_BYTES[sessionUserId === null ? 'token' : 'session'];
      const claim = await object.claim(bodyHash).catch((error: unknown) => {
        logError('idempotency storage failed', error);
        return null;
      });
      if (claim === null) return { kind: 'run', finish: async () => {} };
      if (claim.state === 'locked') throw new ApiError('conflict', 'a request with this Idempotency-Key is still running');
      if (claim.state === 'other_body') throw otherBody();
      if (claim.state === 'not_stored') throw notStored(claim.reason, maxBytes);
      if (claim.state === 'replay') return { kind: 'replay', answer: claim.answer };
      return { kind: 'run', finish: (response) => finish(object, claim.holder, response, showsSecret ? null : maxBytes) };
    },
  };
}

/** Stores a successful response of at most `maxBytes` (null: it contains a secret and is not stored), or releases the key. */
async function finish(
  object: DurableObjectStub<IdempotencyObject>,
  holder: string,
  response: Response | null,
  maxBytes: number | null,
): Promise<void> {
  try {
    await (response?.ok ? object.keep(holder, await storable(response, maxBytes)) : object.free(holder));
  } catch (error) {
    logError('idempotent response was not stored', error);
  }
}

/** Cookies are secrets too: session cookies are set by responses. */
async function storable(response: Response, maxBytes: number | null): Promise<StoredResponse | NotStored> {
  if (maxBytes === null || response.headers.has('Set-Cookie')) return 'shows_secret';
  const { bytes, isComplete } = await readUpTo(response.clone().body, maxBytes);
  if (!isComplete) return 'too_large';
  return { status: response.status, contentType: response.headers.get('Content-Type') ?? '', body: bytes };
}

/** 409 for a repeat of a request that succeeded and cannot be replayed. */
function notStored(reason: NotStored, maxBytes: number): ApiError {
  const why = reason === 'too_large' ? `is over ${maxBytes / KIB} KiB` : 'shows a secret';
  return new ApiError('conflict', `the first request with this ${HEADER} succeeded, but its response ${why} and was not stored`);
}

function otherBody(): ApiError {
  return validationError([
    {
      loc: ['header', HEADER],
      msg: 'was used with another body or query; use a new key for a new request',
      type: 'idempotency_key_reused',
    },
  ]);
}

function sha256(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
