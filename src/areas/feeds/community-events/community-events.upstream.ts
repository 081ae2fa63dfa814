import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { FEED_SOURCES } from '../feeds.data.ts';
import { type CommunityEvent, parseCommunityEvents } from './community-events.domain.ts';

/** Response of the calendar. */
interface FetchedEvents {
  events: CommunityEvent[];
  /** Call after the events are stored: later fetches then return null until the response changes. */
  confirm(): Promise<void>;
}

export type CommunityEventsUpstream = ReturnType<typeof createCommunityEventsUpstream>;

const SOURCE = FEED_SOURCES.communityEvents;
/** Maximum response size in bytes. The whole calendar is stored in one statement, whose size the database limits. */
const MAX_BYTES = 1024 * 1024;

export function createCommunityEventsUpstream(client: UpstreamClient, url: string) {
  return {
    /** Null when the response has not changed since the last `confirm`. */
    async fetch(signal: AbortSignal): Promise<FetchedEvents | null> {
      const headers = { Accept: 'application/json' };
      const response = await client.fetch({ source: SOURCE, url, headers, signal, maxBytes: MAX_BYTES, conditional: true });
      return response.notModified ? null : { events: parseCommunityEvents(response.json()), confirm: response.confirm };
    },
  };
}
