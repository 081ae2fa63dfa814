import ipaddr from 'ipaddr.js';
import { SHORT_SECRET_LENGTH, SHOWN_END, SHOWN_START } from '../address.data.ts';
import { MAX_ENDPOINT_LENGTH } from './signed-events.data.ts';

/** Why a text is no URL to deliver to; says nothing of the text itself, which may hold a secret. */
export type EndpointFault =
  | 'must be a URL'
  | 'must start with https://'
  | 'must not contain spaces, control characters, backslashes or a fragment'
  | 'must not contain a user name or password'
  | 'must use port 443 or 8443'
  | 'must have a host name, not an IP address'
  | 'must have a public host name';

/** Ports besides 443, which `URL.port` leaves out. */
const PORTS = ['', '8443'];
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A top-level domain is letters, or starts with them (`xn--…`): digits alone would be part of an IP address. */
const TOP_LEVEL = /^[a-z][a-z0-9-]*[a-z0-9]$/;
const MAX_HOST_LENGTH = 253;
/**
 * Names that do not lead to the public internet: special-use domains (IANA registry, RFC 6761, 6762, 7686, 8375, 9476) and those that
 * private networks use.
 */
const PRIVATE_TOP_LEVELS = new Set([
  ...['alt', 'arpa', 'example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test'],
  ...['cluster', 'consul', 'corp', 'home', 'intranet', 'lan', 'localdomain', 'mail', 'private', 'svc', 'workgroup'],
]);

/**
 * Reads the URL of an endpoint. Together with the check of the addresses behind its name this decides where the service sends requests:
 * https, a public host name, port 443 or 8443, no credentials.
 */
export function readEndpoint(text: string): URL | EndpointFault {
  const url = text.length > MAX_ENDPOINT_LENGTH ? null : URL.parse(text);
  if (url === null) return 'must be a URL';
  if (!/^https:\/\//i.test(text)) return 'must start with https://';
  // The parser drops or rewrites these, so the text would not be what it seems.
  if (/[\s\\#\p{C}]/u.test(text)) return 'must not contain spaces, control characters, backslashes or a fragment';
  const authority = text.slice('https://'.length).split(/[/?]/, 1)[0] ?? '';
  if (authority.includes('@')) return 'must not contain a user name or password';
  if (!PORTS.includes(url.port)) return 'must use port 443 or 8443';
  return hostFault(url.hostname) ?? url;
}

/** `hostname` as the parser spells it: every notation of an IPv4 address is already four decimal numbers. */
function hostFault(hostname: string): EndpointFault | null {
  if (hostname.startsWith('[') || ipaddr.isValid(hostname)) return 'must have a host name, not an IP address';
  const labels = hostname.split('.');
  const topLevel = labels.at(-1) ?? '';
  const isName = hostname.length <= MAX_HOST_LENGTH && labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isName && TOP_LEVEL.test(topLevel) && !PRIVATE_TOP_LEVELS.has(topLevel) ? null : 'must have a public host name';
}

/** The URL as its owner sees it: long path segments and the query, which may be secrets, are masked. */
export function maskedEndpoint({ origin, pathname, search }: URL): string {
  const shown = pathname
    .split('/')
    .map((part) => (part.length < SHORT_SECRET_LENGTH ? part : `${part.slice(0, SHOWN_START)}…${part.slice(-SHOWN_END)}`));
  return `${origin}${shown.join('/')}${search === '' ? '' : '?…'}`;
}

/** Whether an address of DNS is one of the public internet: unicast, in no special range, and for IPv6 in the global range 2000::/3. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || ((address as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1;
}
