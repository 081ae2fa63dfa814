import { crc32 } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { BoundedMap } from '../../storage/memory-caches.ts';
import type { AddressKey } from '../limits/rate-limiter.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network of an allowlist: the masked address in normal form, and the length of its prefix in bits. */
export interface Network {
  address: string;
  prefixLength: number;
}

const MAX_ADDRESS_LENGTH = 45;
/** Anonymous IPv6 clients are counted per /64, the smallest network of a site: a client can change its address within it at no cost. */
const ANONYMOUS_IPV6_PREFIX = 64;
/** The /64 networks of a site also share a limit: a site gets at most a /48, which has 65,536 /64 networks. */
const SITE_IPV6_PREFIX = 48;
const PREFIX_LENGTHS = { ipv4: { min: 8, max: 32 }, ipv6: { min: 16, max: 128 } } as const;

/** Parses strictly: dotted decimal without leading zeros, no zone ids. An IPv4-mapped address becomes IPv4. */
function parseAddress(text: string): Address | null {
  if (text.length > MAX_ADDRESS_LENGTH) return null;
  if (!text.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null;
  const plain = withoutDottedTail(text);
  if (plain === null || plain.includes('%') || !ipaddr.IPv6.isValid(plain)) return null;
  const address = ipaddr.IPv6.parse(plain);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Rewrites the IPv4 tail of an IPv6 address as two groups: the library accepts octal in it, and parses `::1.2.3.4` as IPv4-mapped. */
function withoutDottedTail(text: string): string | null {
  if (!text.includes('.')) return text;
  const tailAt = text.lastIndexOf(':') + 1;
  const tail = text.slice(tailAt);
  if (!ipaddr.IPv4.isValidFourPartDecimal(tail)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = tail.split('.').map(Number);
  return `${text.slice(0, tailAt)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function textOf(address: Address): string {
  return address instanceof ipaddr.IPv4 ? address.toString() : address.toRFC5952String();
}

/** Normal form of an address (RFC 5952 for IPv6), or null when it is missing or invalid. */
export function normalizeAddress(text: string | null): string | null {
  if (text === null) return null;
  const trimmed = text.trim();
  if (!trimmed.includes(':') && ipaddr.IPv4.isValidFourPartDecimal(trimmed)) return trimmed;
  const address = parseAddress(trimmed);
  return address ? textOf(address) : null;
}

/** Clears all but the first `prefixLength` bits of a normalised address; null when the length does not fit its family. */
export function maskAddress(normalized: string, prefixLength: number): string | null {
  const address = parseAddress(normalized);
  if (!address || prefixLength > PREFIX_LENGTHS[address.kind()].max) return null;
  const bytes = address.toByteArray().map((byte, index) => {
    const prefixBits = Math.min(8, Math.max(0, prefixLength - index * 8));
    return byte & (0xff << (8 - prefixBits)) & 0xff;
  });
  return textOf(ipaddr.fromByteArray(bytes));
}

/** Parses an allowlist entry, an address or `network/length`; null when it is invalid or the length is out of bounds. */
export function parseNetwork(text: string): Network | null {
  const match = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim());
  const address = match?.[1] === undefined ? null : parseAddress(match[1].trim());
  if (!address) return null;
  const { min, max } = PREFIX_LENGTHS[address.kind()];
  const prefixLength = match?.[2] === undefined ? max : Number(match[2]);
  if (prefixLength < min || prefixLength > max) return null;
  const masked = maskAddress(textOf(address), prefixLength);
  return masked === null ? null : { address: masked, prefixLength };
}

/** Counter key of an anonymous client: the address, its /64 network for IPv6, or `unknown`. */
export function anonymousKey(callerAddress: string | null): string {
  if (callerAddress === null) return 'unknown';
  if (!callerAddress.includes(':')) return callerAddress;
  return `${maskAddress(callerAddress, ANONYMOUS_IPV6_PREFIX)}/${ANONYMOUS_IPV6_PREFIX}`;
}

/** Like `anonymousKey`, for an address as the client or the platform sent it. */
export function addressKey(text: string | null): string {
  return anonymousKey(normalizeAddress(text));
}

/** The /48 network of a normalised IPv6 address, whose /64 networks share an object and a limit; null for IPv4 or no address. */
export function siteKey(callerAddress: string | null): string | null {
  if (!callerAddress?.includes(':')) return null;
  return `${maskAddress(callerAddress, SITE_IPV6_PREFIX)}/${SITE_IPV6_PREFIX}`;
}

/** Counter keys of an anonymous client. */
interface AddressKeys {
  anonymousKey: string;
  site: string | null;
  /** Hash of the IPv4 address or the /48 network. */
  hash: number;
}

const MAX_CACHED_ADDRESSES = 5000;
/** Keys of recent clients, which send most requests. */
const cachedKeys = new BoundedMap<string, AddressKeys>(MAX_CACHED_ADDRESSES);

function keysOf(callerAddress: string | null): AddressKeys {
  const cached = cachedKeys.get(callerAddress ?? '');
  if (cached) return cached;
  const normalized = normalizeAddress(callerAddress);
  const key = anonymousKey(normalized);
  const site = siteKey(normalized);
  const keys = { anonymousKey: key, site, hash: crc32(site ?? key) };
  cachedKeys.set(callerAddress ?? '', keys);
  return keys;
}

/** Counter key of a client in the buckets that begin with `prefix`. The object of a site counts its IPv6 networks. */
export function addressBucket(
  prefix: string,
  { callerAddress, location }: { callerAddress: string | null; location: string | null },
): AddressKey {
  const { anonymousKey: key, site, hash } = keysOf(callerAddress);
  return { name: prefix + (site ?? key), member: site === null ? null : key, location: location ?? 'none', hash };
}
