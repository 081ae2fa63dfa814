import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import { maskAddress, type Network, normalizeAddress, parseNetwork } from '../policy/addresses.ts';
import { grantsScopes } from '../policy/scopes.ts';

/** Data of a token that its gate stores. */
export interface TokenRecord {
  id: string;
  userId: string;
  /** SHA-256 of the current secret, hex. */
  hashedToken: string;
  /** SHA-256 of the secret before the last rotation; it is valid through `previousUntil`. */
  previousHash: string | null;
  previousUntil: UnixSeconds | null;
  name: string;
  prefix: string;
  scopes: number;
  ipSalt: string;
  allowlist: AllowlistEntry[];
  revoked: boolean;
  expiresAt: UnixSeconds | null;
  ownerIsActive: boolean;
  ownerIsSuperuser: boolean;
}

/** Requirements of an endpoint. `scopes`: mask of all required scopes. `any`: any valid token from an allowed address. */
export type TokenDemand = { kind: 'public' | 'token'; scopes: number } | { kind: 'master' | 'admin' | 'any' };

/** Decision before the rate limit is charged. `anonymous`: the request continues as if it had no token. */
export type BeforeCharge = 'charge' | 'unauthenticated' | 'expired' | 'anonymous' | 'ip_not_allowed';

/** Decision after the rate limit is charged. */
export type AfterCharge = 'admitted' | 'insufficient_scope' | 'forbidden';

/** True when the hash is that of a valid secret of the token. Compares in constant time. */
export function hasSecret(
  { hashedToken, previousHash, previousUntil }: Pick<TokenRecord, 'hashedToken' | 'previousHash' | 'previousUntil'>,
  hash: string,
  now: UnixSeconds,
): boolean {
  const isCurrent = isSameHash(hash, hashedToken);
  const isPrevious = previousHash !== null && isSameHash(hash, previousHash);
  return isCurrent || (isPrevious && previousUntil !== null && now <= previousUntil);
}

function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

export function isUsable(token: TokenRecord | null, now: UnixSeconds): token is TokenRecord {
  return isLive(token) && !isExpired(token, now);
}

/** False for a token that is revoked or deleted, or whose owner is inactive. */
export function isLive(token: TokenRecord | null): token is TokenRecord {
  return token !== null && !token.revoked && token.ownerIsActive;
}

/** True once the last valid second has passed. */
function isExpired({ expiresAt }: TokenRecord, now: UnixSeconds): boolean {
  return expiresAt !== null && now > expiresAt;
}

/**
 * The checks before the rate limit, in the order of the specification ("Authentication"). On a public endpoint a token without
 * the scope has no effect, so its allowlist is not checked.
 */
export function decideBeforeCharge(
  token: TokenRecord | null,
  demand: TokenDemand,
  callerAddress: string | null,
  now: UnixSeconds,
): BeforeCharge {
  if (!isLive(token)) return 'unauthenticated';
  if (isExpired(token, now)) return 'expired';
  if (demand.kind === 'public' && !grantsScopes(token.scopes, demand.scopes)) return 'anonymous';
  return isOnAllowlist(token.allowlist, token.ipSalt, callerAddress) ? 'charge' : 'ip_not_allowed';
}

/** The checks after the rate limit. Master endpoints ignore scopes. */
export function decideAfterCharge(token: TokenRecord, demand: TokenDemand): AfterCharge {
  if (demand.kind === 'token' && !grantsScopes(token.scopes, demand.scopes)) return 'insufficient_scope';
  if ((demand.kind === 'master' || demand.kind === 'admin') && !token.ownerIsSuperuser) return 'forbidden';
  if (demand.kind === 'admin' && token.scopes !== 0) return 'forbidden';
  return 'admitted';
}

/** One stored entry: the keyed hash of the network, and the length of its prefix in bits. The address itself is not stored. */
export interface AllowlistEntry {
  prefixLength: number;
  hash: string;
}

export const MAX_ALLOWLIST_ENTRIES = 64;

/** HMAC-SHA-256 of a network under the token's own salt, hex. */
function hashNetwork(salt: string, network: Network): string {
  return createHmac('sha256', salt).update(`${network.address}/${network.prefixLength}`).digest('hex');
}

/**
 * Hashes the entries of an allowlist. Drops blank entries and merges duplicates. Throws RangeError naming the first entry that
 * is neither an address nor a network, or when there are too many.
 */
export function createAllowlist(entries: readonly string[], salt: string): AllowlistEntry[] {
  const unique = new Map<string, AllowlistEntry>();
  for (const entry of entries) {
    if (entry.trim() === '') continue;
    const network = parseNetwork(entry);
    if (!network) throw new RangeError(`must be IP addresses or networks, not ${entry}`);
    const hash = hashNetwork(salt, network);
    unique.set(hash, { prefixLength: network.prefixLength, hash });
  }
  if (unique.size > MAX_ALLOWLIST_ENTRIES) throw new RangeError(`must have at most ${MAX_ALLOWLIST_ENTRIES} entries`);
  return [...unique.values()];
}

/** Returns true when a client may use a token. An empty list admits every client; other lists never admit an unknown address. */
export function isOnAllowlist(allowlist: readonly AllowlistEntry[], salt: string, callerAddress: string | null): boolean {
  if (allowlist.length === 0) return true;
  const normalized = normalizeAddress(callerAddress);
  if (normalized === null) return false;
  const hashes = new Map<number, string | null>();
  let isMatch = false;
  for (const entry of allowlist) {
    let hash = hashes.get(entry.prefixLength);
    if (hash === undefined) {
      const address = maskAddress(normalized, entry.prefixLength);
      hash = address === null ? null : hashNetwork(salt, { address, prefixLength: entry.prefixLength });
      hashes.set(entry.prefixLength, hash);
    }
    if (hash !== null && timingSafeEqual(Buffer.from(hash), Buffer.from(entry.hash))) isMatch = true;
  }
  return isMatch;
}
