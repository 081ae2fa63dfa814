import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import { READ_CACHE_TTL_MS } from '../feeds.data.ts';
import { requireConfigured } from '../feeds-config.domain.ts';
import { type CommunityEvent, type DatedEvent, type EventsQuery, selectEvents } from './community-events.domain.ts';
import type { CommunityEventsRepository, LiveEvents } from './community-events.store.ts';
import type { CommunityEventsUpstream } from './community-events.upstream.ts';

/** A list of events, and the time of the last fetch. */
export interface EventList {
  fetchedAt: UnixSeconds | null;
  events: DatedEvent[];
}

/** The community calendar with its archive. */
export interface CommunityEventsService {
  list(query: EventsQuery, now: UnixSeconds): Promise<EventList>;
  categories(now: UnixSeconds): Promise<Pick<LiveEvents, 'fetchedAt' | 'categories'>>;
  /** Fetches and stores the calendar. */
  refresh(now: UnixSeconds, signal: AbortSignal): Promise<void>;
}

interface CommunityEventsServiceDeps {
  upstream: CommunityEventsUpstream | null;
  events: CommunityEventsRepository;
}

/** Events cached in the isolate. Valid from `at` on, because without a fetch events only change from live to ended. */
interface CachedEvents extends LiveEvents {
  at: UnixSeconds;
  freshUntil: number;
  /** Ended events at `at`, by limit and category. */
  ended: BoundedMap<string, CommunityEvent[]>;
}

const MAX_CACHED_ENDED_LISTS = 32;

export function createCommunityEventsService({ upstream, events }: CommunityEventsServiceDeps): CommunityEventsService {
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
    async list(query, now) {
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

    categories: eventsAt,

    async refresh(now, signal) {
      const fetched = await requireConfigured(upstream).fetch(signal);
      if (fetched) await events.save(fetched.events);
      await events.saveFetchTime(now);
      await fetched?.confirm();
      cached = null;
      generation++;
    },
  };
}

function freshUntil(): number {
  return performance.now() + READ_CACHE_TTL_MS;
}

function endedLists(): BoundedMap<string, CommunityEvent[]> {
  return new BoundedMap(MAX_CACHED_ENDED_LISTS);
}
