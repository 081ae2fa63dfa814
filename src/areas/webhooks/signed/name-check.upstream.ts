import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { integerOf, objectOf, objectsIn } from '../../../platform/values/json-values.ts';
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
const MAX_BYTES = 64 * 1024;
const MAX_RECORDS = 64;
/** Record types and response codes of DNS (RFC 1035, 3596). */
const RECORD_TYPES = { A: 1, AAAA: 28 } as const;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/** Looks up the A and AAAA records of a name with DNS over HTTPS (JSON). With an empty `resolverUrl` the result is always `unavailable`. */
export function createNameCheck(upstream: Pick<UpstreamClient, 'fetch'>, resolverUrl: string): NameCheck {
  async function addressesOf(hostname: string, type: keyof typeof RECORD_TYPES): Promise<string[]> {
    const url = new URL(resolverUrl);
    // The final dot prevents the resolver from appending a search domain.
    url.searchParams.set('name', `${hostname}.`);
    url.searchParams.set('type', type);
    const response = await upstream.fetch({
      ...{ source: SOURCE, url, headers: { Accept: 'application/dns-json' }, redirect: 'manual' },
      ...{ timeoutSeconds: TIMEOUT_SECONDS, maxBytes: MAX_BYTES, attempts: 1, circuit: false, storesState: false },
    });
    const { Status, TC, Answer } = objectOf(response.json());
    const status = integerOf(Status);
    if (status === NO_SUCH_NAME) return [];
    const records = objectsIn(Answer);
    if (status !== NO_ERROR || TC === true || records.length > MAX_RECORDS) throw new Error('invalid resolver response');
    return records.filter((record) => integerOf(record.type) === RECORD_TYPES[type]).map(({ data }) => String(data));
  }

  return async (hostname) => {
    try {
      const addresses = (await Promise.all([addressesOf(hostname, 'A'), addressesOf(hostname, 'AAAA')])).flat();
      if (addresses.length === 0) return 'unknown';
      return addresses.every(isPublicAddress) ? 'public' : 'private';
    } catch {
      return 'unavailable';
    }
  };
}
