import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import { parseKeys, type ScanningKey } from './scanning-keys.domain.ts';

/** Where the partner publishes its keys. */
export interface KeySource {
  /** Never empty. Throws `UpstreamError`. */
  fetch(): Promise<ScanningKey[]>;
}

const SOURCE = 'secret-scanning-keys';
const TIMEOUT_SECONDS = 8;
const MAX_ANSWER_BYTES = 256 * 1024;

/** No retries: the partner blocks frequent requests for an hour. */
export function createKeySource(upstream: UpstreamClient, url: string): KeySource {
  return {
    async fetch() {
      const answer = await upstream.fetch({
        source: SOURCE,
        url,
        headers: { Accept: 'application/json' },
        timeoutSeconds: TIMEOUT_SECONDS,
        maxBytes: MAX_ANSWER_BYTES,
        attempts: 2,
      });
      const keys = parseKeys(answer.json());
      if (keys.length === 0) throw new UpstreamError(SOURCE, 'malformed', 'response contains no key');
      return keys;
    },
  };
}
