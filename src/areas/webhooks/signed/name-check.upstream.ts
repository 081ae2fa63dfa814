import { lookUpAddresses } from '../../../platform/upstream/dns-lookup.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { isPublicAddress } from './endpoint-address.domain.ts';

/**
 * Result of a DNS lookup. `public`: the name has addresses and all of them are public. `private`: at least one is not public. `unknown`:
 * the name has no addresses. `unavailable`: the resolver returned no usable response.
 */
export type NameVerdict = 'public' | 'private' | 'unknown' | 'unavailable';
export type NameCheck = (hostname: string) => Promise<NameVerdict>;

const SOURCE = 'webhook-resolver';
/** In seconds. Together with the timeout of the post it is shorter than the lease of an attempt. */
const TIMEOUT_SECONDS = 8;

/** Looks up the A and AAAA records of a name with DNS over HTTPS (JSON). With an empty `resolverUrl` the result is always `unavailable`. */
export function createNameCheck(upstream: Pick<UpstreamClient, 'fetch'>, resolverUrl: string): NameCheck {
  const lookup = { client: upstream, source: SOURCE, resolverUrl, timeoutSeconds: TIMEOUT_SECONDS };
  return async (hostname) => {
    try {
      const addresses = (await Promise.all([lookUpAddresses(lookup, hostname, 'A'), lookUpAddresses(lookup, hostname, 'AAAA')])).flat();
      if (addresses.length === 0) return 'unknown';
      return addresses.every(isPublicAddress) ? 'public' : 'private';
    } catch {
      return 'unavailable';
    }
  };
}
