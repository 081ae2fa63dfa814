import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import type { ChaosChestRelayItem } from './chaos-chest.domain.ts';
import { parseChaosChestRelay } from './chaos-chest-relay.domain.ts';
import { RELAY_SOURCES } from './relays.data.ts';

/** Community source of the chaos chest. */
export interface ChaosRelayUpstream {
  fetch(url: string, signal: AbortSignal): Promise<ChaosChestRelayItem>;
}

const SOURCE = RELAY_SOURCES.chaosChest;
const MAX_BYTES = 256 * 1024;

export function createChaosRelayUpstream(client: UpstreamClient): ChaosRelayUpstream {
  return {
    async fetch(url, signal) {
      const response = await client.fetch({ source: SOURCE, url, headers: { Accept: 'application/json' }, signal, maxBytes: MAX_BYTES });
      const item = parseChaosChestRelay(response.json());
      if (item === null) throw new UpstreamError(SOURCE, 'malformed', 'response has no item');
      return item;
    },
  };
}
