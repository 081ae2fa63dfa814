import { ApiError } from '../../errors/api-error.ts';
import { type Budget, type Charge, isRefused, retryAfterSeconds, windowReset } from '../../rate-limits/window.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { BoundedMap } from '../../storage/bounded-map.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import type { SessionCaller } from '../sessions/sessions.ts';
import type { TokenCaller, TokenSelf } from '../tokens/token-gate.contract.ts';
import { anonymousKey, normalizeAddress } from './addresses.ts';

export type Caller = { kind: 'anonymous' } | TokenCaller | SessionCaller;

/** What is known of a request once it was let in. */
export interface Admission {
  caller: Caller;
  /** The token's view of itself (`any-token` endpoints only). */
  self?: TokenSelf & { budgets: { name: 'token' | 'codexes'; charge: Charge }[] };
  /** For a write whose budget counts what was accepted: reserves it (throws 429) and returns how to give it back. */
  reserve?: () => Promise<() => Promise<void>>;
  /** For feedback: counts an accepted one among all there is; false when there was enough of it for now. */
  countGlobally?: () => Promise<boolean>;
}

/** One request as access control sees it. `onCharge` is told of every bucket charged, also when the request is then refused. */
export interface AccessRequest {
  authorization: string | null;
  callerAddress: string | null;
  /** The session credential that pages read from a cookie; null when there is none. */
  pageCredential(): string | null;
  query: URLSearchParams;
  now: UnixSeconds;
  settings: Settings;
  onCharge(charge: Charge): void;
  /** Told of the token whose request it is, also when the request is then refused. */
  onToken(hashedToken: string): void;
}

const REMEMBERED_ADDRESSES = 5000;

export const ANONYMOUS: Admission = { caller: { kind: 'anonymous' } };

export const notAuthenticated = () =>
  new ApiError('not_authenticated', 'a valid API token is required: Authorization: Bearer <API token>', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });

/** An address in normal form (null when it is none), and what its anonymous requests are counted under. */
interface KnownAddress {
  normalized: string | null;
  anonymousKey: string;
}

/** Callers seen lately: most requests come from an address that has just been parsed. */
const knownAddresses = new BoundedMap<string, KnownAddress>(REMEMBERED_ADDRESSES);

function knownAddress(callerAddress: string): KnownAddress {
  let known = knownAddresses.get(callerAddress);
  if (!known) {
    const normalized = normalizeAddress(callerAddress);
    known = { normalized, anonymousKey: anonymousKey(normalized) };
    knownAddresses.set(callerAddress, known);
  }
  return known;
}

/** What an address is counted under. */
export function anonymousKeyOf(callerAddress: string | null): string {
  return callerAddress === null ? anonymousKey(null) : knownAddress(callerAddress).anonymousKey;
}

/** Address of the caller in normal form; null when there is none, or it is none. */
export function addressOf(request: AccessRequest): string | null {
  return request.callerAddress === null ? null : knownAddress(request.callerAddress).normalized;
}

export function chargeOf(budget: Budget, used: number, now: UnixSeconds): Charge {
  return { budget, used, resetAt: windowReset(now, budget.windowSeconds) };
}

/** Reports the charge, and refuses the request when the budget was spent. */
export function requireBudget(charge: Charge, request: Pick<AccessRequest, 'now' | 'onCharge'>): void {
  request.onCharge(charge);
  if (!isRefused(charge)) return;
  const { limit, windowSeconds } = charge.budget;
  throw new ApiError('rate_limited', `more than ${limit} requests in ${windowSeconds} seconds`, {
    details: { limit, window_seconds: windowSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds(charge.resetAt, request.now)) },
  });
}
