const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether a request with this `Origin` is served. Programs send none; of pages only those of the service itself are. Its address counts
 * only when it cannot be a name that an attacker points at a local server (DNS rebinding): configured, over https, or a loopback address.
 * `ownOrigin`: public address of the service.
 */
export function isTrustedOrigin(origin: string | null, ownOrigin: string, isConfigured: boolean): boolean {
  if (origin === null) return true;
  const own = URL.parse(ownOrigin);
  if (own === null || origin !== own.origin) return false;
  return isConfigured || own.protocol === 'https:' || LOOPBACK.test(own.hostname);
}
