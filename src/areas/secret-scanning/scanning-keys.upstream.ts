import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import { parseKeys, type ScanningKey } from './scanning-keys.domain.ts';

/** Source of the keys of the partner. */
export type KeySource = ReturnType<typeof createKeySource>;

const SOURCE = 'secret-scanning-keys';
const TIMEOUT_SECONDS = 8;
const MAX_RESPONSE_BYTES = 256 * 1024;

/** At most one retry: the partner blocks frequent requests for an hour. */
export function createKeySource(upstream: UpstreamClient, url: string) {
  return {
    /** Never empty. Throws `UpstreamError`. */
    async fetch(): Promise<ScanningKey[]> {
      const response = await upstream.fetch({
        source: SOURCE,
        url,
        headers: { Accept: 'application/json' },
        timeoutSeconds: TIMEOUT_SECONDS,
        maxBytes: MAX_RESPONSE_BYTES,
        attempts: 2,
      });
      const keys = parseKeys(response.json());
      if (keys.length === 0) throw new UpstreamError(SOURCE, 'malformed', 'response contains no key');
      return keys;
    },
  };
}
