import { logError } from '../../../platform/logging.ts';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { configured } from '../configured.domain.ts';
import { READ_CACHE_TTL_MS } from '../feeds.data.ts';
import { type CommunityEvent, type DatedEvent, type EventsQuery, selectEvents } from './community-events.domain.ts';
import type { CommunityEventsRepository, LiveEvents } from './community-events.repository.ts';
import type { CommunityEventsUpstream } from './community-events.upstream.ts';

/** A list of events, and when the calendar was last read. */
export interface EventList {
  fetchedAt: UnixSeconds | null;
  events: DatedEvent[];
}

/** The community calendar: what it holds now on top of everything it ever held. */
export interface CommunityEventsService {
  list(query: EventsQuery, now: UnixSeconds): Promise<EventList>;
  categories(now: UnixSeconds): Promise<Pick<LiveEvents, 'fetchedAt' | 'categories'>>;
  /** Fetches and stores. */
  refresh(now: UnixSeconds, signal: AbortSignal): Promise<void>;
}

export interface CommunityEventsServiceDeps {
  upstream: CommunityEventsUpstream | null;
  events: CommunityEventsRepository;
}

/** Events read by the isolate. Valid from their time on, because events only change from live to ended. */
interface Reading extends LiveEvents {
  at: UnixSeconds;
  freshUntil: number;
  /** Ended events by category and limit, read for the same instant. */
  ended: BoundedMap<string, CommunityEvent[]>;
}

const MAX_CACHED_ENDED_LISTS = 32;

export function createCommunityEventsService({ upstream, events }: CommunityEventsServiceDeps): CommunityEventsService {
  let kept: Reading | null = null;
  let generation = 0;

  async function readingFor(now: UnixSeconds): Promise<Reading> {
    const old = kept && kept.at <= now ? kept : null;
    if (old && performance.now() < old.freshUntil) return old;
    const startedIn = generation;
    try {
      const reading = { ...(await events.live(now)), at: now, freshUntil: freshUntil(), ended: endedLists() };
      // A reading that was under way when the calendar was refreshed must not come back as a fresh one.
      if (startedIn === generation) kept = reading;
      return reading;
    } catch (error) {
      if (!old) throw error;
      logError('community events refresh failed', error);
      old.freshUntil = freshUntil();
      return old;
    }
  }

  async function endedBy(reading: Reading, { category, limit }: EventsQuery): Promise<CommunityEvent[]> {
    const key = `${limit} ${category ?? ''}`;
    const known = reading.ended.get(key);
    if (known) return known;
    const rows = await events.ended({ category, limit }, reading.at);
    reading.ended.set(key, rows);
    return rows;
  }

  return {
    async list(query, now) {
      const reading = await readingFor(now);
      const over = query.status === 'ended' ? await endedBy(reading, query) : [];
      // By id: what was read second may have changed since what was read first.
      const known = new Map([...reading.events, ...over].map((event) => [event.eventId, event]));
      return { fetchedAt: reading.fetchedAt, events: selectEvents([...known.values()], query, now) };
    },

    categories: readingFor,

    async refresh(now, signal) {
      const fetched = await configured(upstream).fetch(signal);
      if (fetched) await events.save(fetched.events);
      await events.saveFetch(now);
      await fetched?.confirm();
      kept = null;
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
