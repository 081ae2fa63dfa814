const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * True if a request with this `Origin` is accepted: no origin, or the origin of the service. To prevent DNS rebinding, the origin of the
 * service must be configured, use https or be a loopback address. `ownOrigin`: public origin of the service.
 */
export function isTrustedOrigin(origin: string | null, ownOrigin: string, isConfigured: boolean): boolean {
  if (origin === null) return true;
  const own = URL.parse(ownOrigin);
  if (own === null || origin !== own.origin) return false;
  return isConfigured || own.protocol === 'https:' || LOOPBACK.test(own.hostname);
}
