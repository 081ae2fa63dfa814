import ipaddr from 'ipaddr.js';
import { MASK_PREFIX_LENGTH, MASK_SUFFIX_LENGTH, MIN_PARTLY_MASKED_LENGTH } from '../chat/address.domain.ts';
import { MAX_ENDPOINT_LENGTH } from './signed.domain.ts';

/** Error of a URL that cannot receive deliveries. Does not contain the URL, which may be a secret. */
type EndpointFault =
  | 'must be a URL'
  | 'must start with https://'
  | 'must not contain spaces, control characters, backslashes or a fragment'
  | 'must not contain a user name or password'
  | 'must use port 443 or 8443'
  | 'must have a host name, not an IP address'
  | 'must have a public host name';

/** Allowed values of `URL.port`, which is empty for 443. */
const PORTS = ['', '8443'];
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A top-level domain starts with a letter; digits alone would be part of an IP address. */
const TOP_LEVEL = /^[a-z][a-z0-9-]*[a-z0-9]$/;
const MAX_HOST_LENGTH = 253;
/**
 * Top-level domains outside the public internet: special-use domains (IANA registry, RFC 6761, 6762, 7686, 8375, 9476) and those that
 * private networks use.
 */
const PRIVATE_TOP_LEVELS = new Set([
  ...['alt', 'arpa', 'example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test'],
  ...['cluster', 'consul', 'corp', 'home', 'intranet', 'lan', 'localdomain', 'mail', 'private', 'svc', 'workgroup'],
]);

/**
 * Parses the URL of an endpoint: https, a public host name, port 443 or 8443, no credentials. This check and the check of the resolved
 * addresses limit the hosts that the service posts to.
 */
export function parseEndpoint(text: string): URL | EndpointFault {
  const url = text.length > MAX_ENDPOINT_LENGTH ? null : URL.parse(text);
  if (url === null) return 'must be a URL';
  if (!/^https:\/\//i.test(text)) return 'must start with https://';
  // The URL parser drops or rewrites these characters.
  if (/[\s\\#\p{C}]/u.test(text)) return 'must not contain spaces, control characters, backslashes or a fragment';
  const authority = text.slice('https://'.length).split(/[/?]/, 1)[0] ?? '';
  if (authority.includes('@')) return 'must not contain a user name or password';
  if (!PORTS.includes(url.port)) return 'must use port 443 or 8443';
  return hostFault(url.hostname) ?? url;
}

/** `hostname` comes from the URL parser, which writes every notation of an IPv4 address as four decimal numbers. */
function hostFault(hostname: string): EndpointFault | null {
  if (hostname.startsWith('[') || ipaddr.isValid(hostname)) return 'must have a host name, not an IP address';
  const labels = hostname.split('.');
  const topLevel = labels.at(-1) ?? '';
  const isDnsName = hostname.length <= MAX_HOST_LENGTH && labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isDnsName && TOP_LEVEL.test(topLevel) && !PRIVATE_TOP_LEVELS.has(topLevel) ? null : 'must have a public host name';
}

/** The URL for its owner. Long path segments and the query are masked, because they may be secrets. */
export function maskedEndpoint({ origin, pathname, search }: URL): string {
  const segments = pathname
    .split('/')
    .map((part) =>
      part.length < MIN_PARTLY_MASKED_LENGTH ? part : `${part.slice(0, MASK_PREFIX_LENGTH)}…${part.slice(-MASK_SUFFIX_LENGTH)}`,
    );
  return `${origin}${segments.join('/')}${search === '' ? '' : '?…'}`;
}

/** Whether an IP address is public: unicast, in no special range, and for IPv6 within 2000::/3. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || ((address as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1;
}
