import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { FEED_SOURCES, READ_CACHE_TTL_MS, requireConfigured } from '../feeds-config.domain.ts';
import { type CommunityEvent, type DatedEvent, type EventsQuery, parseCommunityEvents, selectEvents } from './community-events.domain.ts';
import type { CommunityEventsStore, LiveEvents } from './community-events.store.ts';

/** A list of events, and the time of the last fetch. */
export interface EventList {
  fetchedAt: UnixSeconds | null;
  events: DatedEvent[];
}

interface CommunityEventsServiceDeps {
  upstream: CommunityEventsUpstream | null;
  events: CommunityEventsStore;
}

/** Events cached in the isolate. Valid from `at` on, because without a fetch events only change from live to ended. */
interface CachedEvents extends LiveEvents {
  at: UnixSeconds;
  freshUntil: number;
  /** Ended events at `at`, by limit and category. */
  ended: BoundedMap<string, CommunityEvent[]>;
}

const MAX_CACHED_ENDED_LISTS = 32;

/** The community calendar with its archive. */
export type CommunityEventsService = ReturnType<typeof createCommunityEventsService>;

export function createCommunityEventsService({ upstream, events }: CommunityEventsServiceDeps) {
  let cached: CachedEvents | null = null;
  let generation = 0;

  async function eventsAt(now: UnixSeconds): Promise<CachedEvents> {
    const previous = cached && cached.at <= now ? cached : null;
    if (previous && performance.now() < previous.freshUntil) return previous;
    const generationAtStart = generation;
    try {
      const current = { ...(await events.live(now)), at: now, freshUntil: freshUntil(), ended: endedLists() };
      // Not cached when the calendar was refreshed during the read: the data may be older than the refresh.
      if (generationAtStart === generation) cached = current;
      return current;
    } catch (error) {
      if (!previous) throw error;
      logError('community events refresh failed', error);
      previous.freshUntil = freshUntil();
      return previous;
    }
  }

  async function listEnded(current: CachedEvents, { category, limit }: EventsQuery): Promise<CommunityEvent[]> {
    const key = `${limit} ${category ?? ''}`;
    const cachedRows = current.ended.get(key);
    if (cachedRows) return cachedRows;
    const rows = await events.ended({ category, limit }, current.at);
    current.ended.set(key, rows);
    return rows;
  }

  return {
    async list(query: EventsQuery, now: UnixSeconds): Promise<EventList> {
      const isEnded = query.status === 'ended';
      // Does not wait for the live events before it reads the ended ones.
      const mustWait = cached === null || cached.at > now || performance.now() >= cached.freshUntil;
      const early = isEnded && mustWait ? events.ended({ category: query.category, limit: query.limit }, now) : null;
      const [current, earlyEvents] = await Promise.all([eventsAt(now), early]);
      const endedEvents = earlyEvents ?? (isEnded ? await listEnded(current, query) : []);
      // Merged by id: an event may have ended between the two reads.
      const eventsById = new Map([...current.events, ...endedEvents].map((event) => [event.eventId, event]));
      return { fetchedAt: current.fetchedAt, events: selectEvents([...eventsById.values()], query, now) };
    },

    categories: (now: UnixSeconds): Promise<Pick<LiveEvents, 'fetchedAt' | 'categories'>> => eventsAt(now),

    /** Fetches and stores the calendar. */
    async refresh(now: UnixSeconds, signal: AbortSignal): Promise<void> {
      const fetched = await requireConfigured(upstream).fetch(signal);
      if (fetched) await events.save(fetched.events);
      await events.saveFetchTime(now);
      cached = null;
      generation++;
      // Last: until then the next run fetches the whole calendar again.
      await fetched?.confirm();
    },
  };
}

function freshUntil(): number {
  return performance.now() + READ_CACHE_TTL_MS;
}

function endedLists(): BoundedMap<string, CommunityEvent[]> {
  return new BoundedMap(MAX_CACHED_ENDED_LISTS);
}

/** Response of the calendar. */
interface FetchedEvents {
  events: CommunityEvent[];
  /** Call after the events are stored: later fetches then return null until the response changes. */
  confirm(): Promise<void>;
}

type CommunityEventsUpstream = ReturnType<typeof createCommunityEventsUpstream>;

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
