import { crc32 } from 'node:zlib';
import { ApiError } from '../../errors/api-error.ts';
import type { AddressKey, Settle } from '../../rate-limits/rate-limiter.ts';
import { type Budget, type Charge, isRefused, retryAfterSeconds, windowReset } from '../../rate-limits/window.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { BoundedMap } from '../../storage/bounded-map.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import type { SessionCaller } from '../sessions/sessions.ts';
import type { TokenCaller, TokenSelf } from '../tokens/token-gate.contract.ts';
import { anonymousKey, normalizeAddress, siteKey } from './addresses.ts';
import type { StreamLimits } from './policy.ts';
import type { SlotHolder } from './stream-slot.ts';

/** The account and session of a credential with a valid signature. */
export interface OwnAccount {
  userId: string;
  sessionId: string;
  now: UnixSeconds;
}

export type Caller = { kind: 'anonymous' } | TokenCaller | SessionCaller;

/** Result of admitting a request. */
export interface Admission {
  caller: Caller;
  /** The token's view of itself (`any-token` endpoints only). */
  self?: TokenSelf & { budgets: { name: string; charge: Charge }[] };
  /** For a write whose rate limit counts accepted requests: reserves one (throws 429) until it is settled. */
  reserve?: () => Promise<Settle>;
  /** For an endpoint that streams its response: the object that counts the open streams of the client. */
  slotHolder?: SlotHolder;
  /** For an access with a `workBudget`: charges `workBudget`. Throws 429 when it is used up. */
  chargeWork?: () => Promise<void>;
  /** For an endpoint with `ownRead`: its result, or its error. */
  own?: OwnRead;
  /** For feedback: charges the limit that all addresses share; false when it is used up. */
  countGlobally?: () => Promise<boolean>;
}

/** Data of the account that was read while its session was looked up. */
export type OwnRead = { data: unknown } | { error: unknown };

/** Input of access control for one request. `onCharge` receives every charged bucket, including those of a refused request. */
export interface AccessRequest {
  authorization: string | null;
  callerAddress: string | null;
  /** Data center that received the request; null when unknown. */
  location: string | null;
  /** The session credential that pages read from a cookie; null without one. */
  pageCredential(): string | null;
  query: URLSearchParams;
  now: UnixSeconds;
  settings: Settings;
  /** Starts reading data of the account of a signed credential. The response uses it only if the session is valid. */
  ownRead?: ((account: OwnAccount) => Promise<unknown>) | undefined;
  /** For an endpoint that streams its response: the number of open streams per client. */
  streams?: StreamLimits | undefined;
  onCharge(charge: Charge): void;
  /** Receives the id of the token, including that of a refused request. */
  onToken(tokenId: string): void;
}

const ANONYMOUS_HINT = 'wait Retry-After seconds, or use a free API token from the developer portal, which has a higher limit';

const MAX_CACHED_ADDRESSES = 5000;

export const ANONYMOUS: Admission = { caller: { kind: 'anonymous' } };

/** An address in normal form (null when it is invalid) and the counter key of its anonymous requests. */
interface ParsedAddress {
  normalized: string | null;
  anonymousKey: string;
  site: string | null;
  /** Hash of the IPv4 address or the /48 network. */
  hash: number;
}

/** Clients with a missing or invalid address share one. */
const UNKNOWN: ParsedAddress = parseAddress(null);

/** Cache of recent clients, which send most requests. */
const parsedAddresses = new BoundedMap<string, ParsedAddress>(MAX_CACHED_ADDRESSES);

function parsedAddress(callerAddress: string): ParsedAddress {
  let parsed = parsedAddresses.get(callerAddress);
  if (!parsed) {
    parsed = parseAddress(normalizeAddress(callerAddress));
    parsedAddresses.set(callerAddress, parsed);
  }
  return parsed;
}

function parseAddress(normalized: string | null): ParsedAddress {
  const key = anonymousKey(normalized);
  const site = siteKey(normalized);
  return { normalized, anonymousKey: key, site, hash: crc32(site ?? key) };
}

/** Counter key of an address in the buckets that begin with `prefix`. The object of a site counts its IPv6 networks. */
export function addressBucket(prefix: string, { callerAddress, location }: Pick<AccessRequest, 'callerAddress' | 'location'>): AddressKey {
  const { anonymousKey: key, site, hash } = callerAddress === null ? UNKNOWN : parsedAddress(callerAddress);
  return { name: prefix + (site ?? key), member: site === null ? null : key, location: location ?? 'none', hash };
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
