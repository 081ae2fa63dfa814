import ipaddr from 'ipaddr.js';

/** Host names outside the public internet. */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/** True if a host is not a public unicast address or public name. `hostname`: in the form of `URL.hostname`. */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const address = name.startsWith('[') ? name.slice(1, -1) : name;
  if (ipaddr.isValid(address)) return ipaddr.process(address).range() !== 'unicast';
  return LOCAL_NAMES.test(name) || !name.includes('.');
}

/**
 * Returns why a redirect must not be followed; null if it may be followed. `base`: the configured URL, which is trusted. A redirect
 * to another host must use https and must not lead into a private network.
 */
export function redirectProblem(base: URL, target: URL): string | null {
  const isSameHost = target.hostname === base.hostname;
  if (target.protocol !== 'https:' && target.protocol !== 'http:') return 'redirect to a URL that is not http(s)';
  if (target.protocol === 'http:' && !isSameHost) return 'redirect to another host without https';
  if (target.protocol === 'http:' && base.protocol === 'https:') return 'redirect from https to http';
  if (target.username !== '' || target.password !== '') return 'redirect to a URL with credentials';
  return isPrivateHost(target.hostname) && !isSameHost ? 'redirect into a private network' : null;
}

/** Headers that are sent to another origin. Other headers could contain a credential. */
const CROSS_ORIGIN_HEADERS = ['accept', 'accept-language', 'user-agent'];

/** Headers after a redirect: all of them within the same origin, only harmless ones to another origin. */
export function headersAfterRedirect(from: URL, to: URL, headers: Headers): Headers {
  if (from.origin === to.origin) return headers;
  return new Headers([...headers].filter(([name]) => CROSS_ORIGIN_HEADERS.includes(name.toLowerCase())));
}
