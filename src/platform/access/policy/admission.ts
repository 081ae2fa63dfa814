import { ApiError } from '../../errors/api-error.ts';
import type { BucketKey, Settle } from '../../rate-limits/rate-limiter.ts';
import { type Budget, type Charge, isRefused, retryAfterSeconds, windowReset } from '../../rate-limits/window.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { BoundedMap } from '../../storage/bounded-map.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import type { SessionCaller } from '../sessions/sessions.ts';
import type { TokenCaller, TokenSelf } from '../tokens/token-gate.contract.ts';
import { anonymousKey, normalizeAddress, siteKey } from './addresses.ts';
import type { StreamLimits } from './policy.ts';
import type { StreamSlot } from './stream-slot.ts';

export type Caller = { kind: 'anonymous' } | TokenCaller | SessionCaller;

/** Result of admitting a request. */
export interface Admission {
  caller: Caller;
  /** The token's view of itself (`any-token` endpoints only). */
  self?: TokenSelf & { budgets: { name: string; charge: Charge }[] };
  /** For a write whose rate limit counts accepted requests: reserves one (throws 429) until it is settled. */
  reserve?: () => Promise<Settle>;
  /** For an endpoint that streams its response: the slot of the stream, acquired before it starts. */
  streamSlot?: StreamSlot;
  /** For an access with a `workBudget`: charges `workBudget`. Throws 429 when it is used up. */
  chargeWork?: () => Promise<void>;
  /** For feedback: charges the limit that all addresses share; false when it is used up. */
  countGlobally?: () => Promise<boolean>;
}

/** Input of access control for one request. `onCharge` receives every charged bucket, including those of a refused request. */
export interface AccessRequest {
  authorization: string | null;
  callerAddress: string | null;
  /** The session credential that pages read from a cookie; null without one. */
  pageCredential(): string | null;
  query: URLSearchParams;
  now: UnixSeconds;
  settings: Settings;
  /** For an endpoint that streams its response: the number of open streams per client. */
  streams?: StreamLimits | undefined;
  onCharge(charge: Charge): void;
  /** Receives the hash of the token, including that of a refused request. */
  onToken(hashedToken: string): void;
}

const ANONYMOUS_HINT = 'wait Retry-After seconds, or use a free API token from the developer portal, which has a higher limit';

const MAX_CACHED_ADDRESSES = 5000;

export const ANONYMOUS: Admission = { caller: { kind: 'anonymous' } };

/** An address in normal form (null when it is invalid) and the counter key of its anonymous requests. */
interface ParsedAddress {
  normalized: string | null;
  anonymousKey: string;
  site: string | null;
}

/** Cache of recent clients, which send most requests. */
const parsedAddresses = new BoundedMap<string, ParsedAddress>(MAX_CACHED_ADDRESSES);

function parsedAddress(callerAddress: string): ParsedAddress {
  let parsed = parsedAddresses.get(callerAddress);
  if (!parsed) {
    const normalized = normalizeAddress(callerAddress);
    parsed = { normalized, anonymousKey: anonymousKey(normalized), site: siteKey(normalized) };
    parsedAddresses.set(callerAddress, parsed);
  }
  return parsed;
}

/** Counter key of an address in the buckets that begin with `prefix`. The object of a site counts its IPv6 networks. */
export function addressBucket(prefix: string, callerAddress: string | null): BucketKey {
  if (callerAddress === null) return prefix + anonymousKey(null);
  const { anonymousKey: key, site } = parsedAddress(callerAddress);
  return site === null ? prefix + key : { network: prefix + site, member: key };
}

/** Address of the client in normal form; null when it is missing or invalid. */
export function addressOf(request: AccessRequest): string | null {
  return request.callerAddress === null ? null : parsedAddress(request.callerAddress).normalized;
}

export function chargeOf(budget: Budget, used: number, now: UnixSeconds): Charge {
  return { budget, used, resetAt: windowReset(now, budget.windowSeconds) };
}

/** Reports the charge. Throws 429 when the charge was refused. */
export function requireBudget(charge: Charge, request: Pick<AccessRequest, 'now' | 'onCharge'>): void {
  request.onCharge(charge);
  if (isRefused(charge)) throw rateLimited(charge, request.now);
}

/** 429 for a charge that was refused. */
export function rateLimited({ budget, resetAt }: Charge, now: UnixSeconds, message?: string): ApiError {
  const { name, limit, windowSeconds } = budget;
  return new ApiError('rate_limited', message ?? `more than ${limit} requests in ${windowSeconds} seconds`, {
    ...(name.startsWith('anon') ? { hint: ANONYMOUS_HINT } : {}),
    details: { limit, window_seconds: windowSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds(resetAt, now)) },
  });
}
