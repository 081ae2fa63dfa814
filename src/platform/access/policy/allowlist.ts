import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { maskAddress, type Network, parseNetwork } from './addresses.ts';

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
  if (callerAddress === null) return false;
  const hashes = new Map<number, string | null>();
  let isMatch = false;
  for (const entry of allowlist) {
    let hash = hashes.get(entry.prefixLength);
    if (hash === undefined) {
      const address = maskAddress(callerAddress, entry.prefixLength);
      hash = address === null ? null : hashNetwork(salt, { address, prefixLength: entry.prefixLength });
      hashes.set(entry.prefixLength, hash);
    }
    if (hash !== null && timingSafeEqual(Buffer.from(hash), Buffer.from(entry.hash))) isMatch = true;
  }
  return isMatch;
}
