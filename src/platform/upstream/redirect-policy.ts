import ipaddr from 'ipaddr.js';

/** Names that never lead to the public internet. */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/**
 * True when a host, in the form of `URL.hostname`, is this machine or a private network: anything but a public unicast address
 * or name.
 */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const address = name.startsWith('[') ? name.slice(1, -1) : name;
  if (ipaddr.isValid(address)) return ipaddr.process(address).range() !== 'unicast';
  return LOCAL_NAMES.test(name) || !name.includes('.');
}

/**
 * Why a redirect must not be followed, or null when it may. `base` is the configured address, which is trusted: a redirect
 * may leave its host only for https, and may lead into a private network only when it stays on a host that is there already.
 */
export function redirectProblem(base: URL, target: URL): string | null {
  const isSameHost = target.hostname === base.hostname;
  if (target.protocol !== 'https:' && target.protocol !== 'http:') return 'redirect to a URL that is not http(s)';
  if (target.protocol === 'http:' && !isSameHost) return 'redirect to another host without https';
  if (target.protocol === 'http:' && base.protocol === 'https:') return 'redirect from https to http';
  if (target.username !== '' || target.password !== '') return 'redirect to a URL with credentials';
  return isPrivateHost(target.hostname) && !isSameHost ? 'redirect into a private network' : null;
}

/** Headers that may follow a redirect to another origin; anything else could be a credential. */
const HARMLESS_HEADERS = ['accept', 'accept-language', 'user-agent'];

/** The headers of the next hop: all of them within an origin, only harmless ones to another. */
export function headersAfterRedirect(from: URL, to: URL, headers: Headers): Headers {
  if (from.origin === to.origin) return headers;
  return new Headers([...headers].filter(([name]) => HARMLESS_HEADERS.includes(name.toLowerCase())));
}
