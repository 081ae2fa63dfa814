import { lookUpAddresses } from '../../platform/upstream/dns-lookup.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { LOOKUP_TIMEOUT_SECONDS } from './game-status.data.ts';
import type { NameLookup } from './probes.ts';

const SOURCE = 'name-resolver';

/** Looks up names with DNS over HTTPS, because the runtime reports an unresolvable name like a refused connection. */
export function createNameLookup(client: UpstreamClient): NameLookup {
  return async (resolverUrl, host, signal) => {
    const lookup = { client, source: SOURCE, resolverUrl, timeoutSeconds: LOOKUP_TIMEOUT_SECONDS, signal };
    try {
      return (await lookUpAddresses(lookup, host, 'A')).length > 0 || (await lookUpAddresses(lookup, host, 'AAAA')).length > 0;
    } catch {
      return null;
    }
  };
}
