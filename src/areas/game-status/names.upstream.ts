import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { integerOf, objectOf, objectsIn } from '../../platform/values/json-values.ts';
import { LOOKUP_TIMEOUT_SECONDS } from './game-status.data.ts';
import type { NameLookup } from './probes.ts';

const SOURCE = 'name-resolver';
const MAX_BYTES = 64 * 1024;
/** Record types of DNS. */
const RECORD_TYPES = { A: 1, AAAA: 28 } as const;

/**
 * Looks up the addresses of a name with DNS over HTTPS (JSON), because the runtime reports an unresolvable name like a refused connection.
 */
export function createNameLookup(upstream: UpstreamClient): NameLookup {
  async function hasRecord(resolverUrl: string, host: string, type: keyof typeof RECORD_TYPES, signal: AbortSignal): Promise<boolean> {
    const url = new URL(resolverUrl);
    url.searchParams.set('name', host);
    url.searchParams.set('type', type);
    const response = await upstream.fetch({
      ...{ source: SOURCE, url, headers: { Accept: 'application/dns-json' }, signal },
      ...{ timeoutSeconds: LOOKUP_TIMEOUT_SECONDS, maxBytes: MAX_BYTES, attempts: 1, circuit: false, storesState: false },
    });
    return objectsIn(objectOf(response.json()).Answer).some((record) => integerOf(record.type) === RECORD_TYPES[type]);
  }

  return async (resolverUrl, host, signal) => {
    try {
      return (await hasRecord(resolverUrl, host, 'A', signal)) || (await hasRecord(resolverUrl, host, 'AAAA', signal));
    } catch {
      return null;
    }
  };
}
