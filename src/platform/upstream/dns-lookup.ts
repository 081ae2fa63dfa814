import { integerOf, objectOf, objectsIn } from '../kit/values/json-values.ts';
import type { UpstreamClient } from './upstream-client.ts';

const MAX_BYTES = 64 * 1024;
const MAX_RECORDS = 64;
/** Record types and response codes of DNS (RFC 1035, 3596). */
const RECORD_TYPES = { A: 1, AAAA: 28 } as const;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

interface DnsLookup {
  client: Pick<UpstreamClient, 'fetch'>;
  /** Name of the upstream in logs. */
  source: string;
  resolverUrl: string;
  timeoutSeconds: number;
  signal?: AbortSignal;
}

/**
 * Looks up the addresses of a name with DNS over HTTPS (JSON); empty for a name without any. Throws for an invalid response, also if it is
 * truncated or has more than 64 records.
 */
export async function lookUpAddresses(
  { client, source, resolverUrl, timeoutSeconds, signal }: DnsLookup,
  hostname: string,
  type: keyof typeof RECORD_TYPES,
): Promise<string[]> {
  const url = new URL(resolverUrl);
  // The final dot prevents the resolver from appending a search domain.
  url.searchParams.set('name', hostname.endsWith('.') ? hostname : `${hostname}.`);
  url.searchParams.set('type', type);
  const response = await client.fetch({
    source,
    url,
    headers: { Accept: 'application/dns-json' },
    redirect: 'manual',
    timeoutSeconds,
    maxBytes: MAX_BYTES,
    attempts: 1,
    circuit: false,
    storesState: false,
    ...(signal ? { signal } : {}),
  });
  const { Status, TC, Answer } = objectOf(response.json());
  const status = integerOf(Status);
  if (status === NO_SUCH_NAME) return [];
  const records = objectsIn(Answer);
  if (status !== NO_ERROR || TC === true || records.length > MAX_RECORDS) throw new Error('invalid resolver response');
  return records.filter((record) => integerOf(record.type) === RECORD_TYPES[type]).map(({ data }) => String(data));
}
