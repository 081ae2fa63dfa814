import { ApiError } from '../../kit/errors/api-error.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { Settings } from '../../settings/settings.data.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { BlockedKeys } from '../limits/window.ts';
import { type Charge, isRefused, retryAfterSeconds } from '../limits/window.ts';
import type { ProjectKeyCaller, ProjectKeys } from '../project-keys/project-keys.ts';
import type { SessionCaller, Sessions } from '../sessions/sessions.ts';
import type { TokenCaller, TokenSelf } from '../tokens/token-gate.contract.ts';
import type { TokenGate } from '../tokens/token-gate.ts';
import type { TokenReader } from './credentials.ts';
import type { RateLimitGroup, StreamLimits } from './policy.ts';
import type { RateLimits } from './rate-limits.ts';
import type { ScopeRegistry } from './scopes.ts';
import type { SlotHolder } from './stream-slot.ts';

/** The account and session of a credential with a valid signature. */
export interface OwnAccount {
  userId: string;
  sessionId: string;
  now: UnixSeconds;
}

export type Caller = { kind: 'anonymous' } | TokenCaller | SessionCaller | ProjectKeyCaller;

/** What a request charged, whether it was admitted or refused. */
export interface Charged {
  /** The rate limits that were charged, for the headers. */
  charges: readonly Charge[];
  /** Id of the token, for the usage statistics; null without a token. */
  tokenId: string | null;
}

/** A request that is refused after a charge, or with a known token. Refusals without either are thrown. */
export interface Refusal extends Charged {
  error: ApiError;
}

/** An admitted request. */
export interface Admission extends Charged {
  caller: Caller;
  /** The token's view of itself (`any-token` endpoints only). */
  self?: TokenSelf & { rateLimits: { name: string; charge: Charge }[] };
  /** For a write whose rate limit counts accepted requests: reserves one until it is settled. */
  reserve?: () => Promise<Reserved | Refusal>;
  /** For an endpoint that streams its response: the object that counts the open streams of the client. */
  slotHolder?: SlotHolder;
  /** For an access with a charge that the handler makes (`later`): makes it. */
  chargeLater?: () => Promise<Charged | Refusal>;
  /** For an endpoint with `ownRead`: its result, or its error. */
  own?: OwnRead;
}

/** A reserved request of a rate limit that counts accepted requests. */
export interface Reserved extends Charged {
  /** Ends the reservation; `counts`: whether the request counts. Returns what the headers show from then on. Never rejects. */
  settle(counts: boolean): Promise<Charged>;
}

/** Data of the account that was read while its session was looked up. */
export type OwnRead = { data: unknown } | { error: unknown };

/** What access control asks. One per isolate. */
export interface AccessServices {
  gate: TokenGate;
  limiter: RateLimiter;
  sessions: Sessions;
  scopes: ScopeRegistry;
  readToken: TokenReader;
  projectKeys: ProjectKeys;
  tokenPrefix: string;
  /** The rate limits in force. */
  rateLimitsOf(settings: Settings): RateLimits;
  /** Endpoint groups that `GET /v1/token` reports beside the standard rate limit. */
  separateGroups: readonly RateLimitGroup[];
  /** Tokens over their rate limit. */
  blockedTokens: BlockedKeys;
}

/** One request for access control. */
export interface AccessContext {
  services: AccessServices;
  authorization: string | null;
  callerAddress: string | null;
  /** Data center that received the request; null when unknown. */
  location: string | null;
  /** The session credential that pages read from a cookie; null without one. */
  pageCredential(): string | null;
  /** Whether the request has the header `X-Api-Key`, which other services read. */
  hasApiKeyHeader(): boolean;
  query: URLSearchParams;
  now: UnixSeconds;
  settings: Settings;
  /** Starts reading data of the account of a signed credential. The response uses it only if the session is valid. */
  ownRead?: ((account: OwnAccount) => Promise<unknown>) | undefined;
  /** For an endpoint that streams its response: the number of open streams per client. */
  streams?: StreamLimits | undefined;
}

export const NOT_CHARGED: Charged = { charges: [], tokenId: null };
export const ANONYMOUS: Admission = { ...NOT_CHARGED, caller: { kind: 'anonymous' } };

const TOKEN_HINT = 'or use a free API token from the developer portal, which has a higher limit';

/** The refusal of a charge, null when the charge was accepted. `charges`: those of the request before it. */
export function refusalOf(charge: Charge, now: UnixSeconds, { charges, tokenId } = NOT_CHARGED): Refusal | null {
  return isRefused(charge) ? { error: rateLimited(charge, now), charges: [...charges, charge], tokenId } : null;
}

/** 429 for a charge that was refused. */
export function rateLimited({ rateLimit, resetAt }: Charge, now: UnixSeconds, message?: string): ApiError {
  const { name, limit, windowSeconds } = rateLimit;
  const seconds = retryAfterSeconds(resetAt, now);
  const wait = `wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return new ApiError('rate_limited', message ?? `more than ${limit} requests in ${windowSeconds} seconds`, {
    hint: name.startsWith('anon') && name !== 'anon-pages' ? `${wait}, ${TOKEN_HINT}` : wait,
    details: { limit, window_seconds: windowSeconds },
    headers: { 'Retry-After': String(seconds) },
  });
}
