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
  /** For an access with a `workBudget`: charges it. Throws 429 when it is used up. */
  chargeWork?: () => Promise<void>;
  /** For feedback: counts an accepted one among all there is; false when there was enough of it for now. */
  countGlobally?: () => Promise<boolean>;
}

/** One request as access control sees it. `onCharge` receives every charged bucket, also when the request is then refused. */
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
  /** Receives the token of the request, also when the request is then refused. */
  onToken(hashedToken: string): void;
}

const ANONYMOUS_HINT = 'wait Retry-After seconds; an API token, free in the developer portal, has a higher limit';

const REMEMBERED_ADDRESSES = 5000;

export const ANONYMOUS: Admission = { caller: { kind: 'anonymous' } };

/** An address in normal form (null when it is invalid) and the counter key of its anonymous requests. */
interface KnownAddress {
  normalized: string | null;
  anonymousKey: string;
  site: string | null;
}

/** Recent clients: most requests come from an address that has just been parsed. */
const knownAddresses = new BoundedMap<string, KnownAddress>(REMEMBERED_ADDRESSES);

function knownAddress(callerAddress: string): KnownAddress {
  let known = knownAddresses.get(callerAddress);
  if (!known) {
    const normalized = normalizeAddress(callerAddress);
    known = { normalized, anonymousKey: anonymousKey(normalized), site: siteKey(normalized) };
    knownAddresses.set(callerAddress, known);
  }
  return known;
}

/** Counter key of an address in the buckets that begin with `prefix`; an IPv6 network counts in the object of its site. */
export function addressBucket(prefix: string, callerAddress: string | null): BucketKey {
  if (callerAddress === null) return prefix + anonymousKey(null);
  const { anonymousKey: key, site } = knownAddress(callerAddress);
  return site === null ? prefix + key : { network: prefix + site, member: key };
}

/** Address of the client in normal form; null when it is missing or invalid. */
export function addressOf(request: AccessRequest): string | null {
  return request.callerAddress === null ? null : knownAddress(request.callerAddress).normalized;
}

export function chargeOf(budget: Budget, used: number, now: UnixSeconds): Charge {
  return { budget, used, resetAt: windowReset(now, budget.windowSeconds) };
}

/** Reports the charge and throws 429 when the limit was used up. */
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
