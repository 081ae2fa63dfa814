import { BROWSER_USER_AGENT } from '../../../platform/upstream/browser-headers.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { type DelveFloors, parseDelveFloors } from '../schedules/delves.domain.ts';

/** Community source of delve floors. */
export type DelvesUpstream = ReturnType<typeof createDelvesUpstream>;

/** Name of the source; the upstream client stores its state by it. */
export const DELVES_RELAY = 'delves';
const PAGE_SIZE = 200;
const TIMEOUT_SECONDS = 30;
/** Maximum response size in bytes; D1 limits a row to 2 MB. */
const MAX_BYTES = 1536 * 1024;

export function createDelvesUpstream(client: UpstreamClient) {
  return {
    /** Floors of a week. Throws when the response is for another week or has no floors. */
    async fetch({ url, referer }: { url: string; referer: string }, week: number, signal: AbortSignal): Promise<DelveFloors> {
      const headers: Record<string, string> = {
        'User-Agent': BROWSER_USER_AGENT,
        Accept: 'application/json, text/plain, */*',
        'Accept-Language': 'en-US,en;q=0.9',
      };
      if (referer !== '') headers.Referer = `${referer}?week=${week}`;
      const requestUrl = new URL(url);
      requestUrl.searchParams.set('week', String(week));
      requestUrl.searchParams.set('limit', String(PAGE_SIZE));
      const request = { source: DELVES_RELAY, url: requestUrl, headers, signal, timeoutSeconds: TIMEOUT_SECONDS, maxBytes: MAX_BYTES };
      const floors = parseDelveFloors((await client.fetch(request)).json(), week);
      if (floors === null) throw new UpstreamError(DELVES_RELAY, 'malformed', 'response is for another week');
      if (floors.depths.length === 0) throw new UpstreamError(DELVES_RELAY, 'malformed', 'response has no floors');
      return floors;
    },
  };
}
