import { and, asc, desc, eq, gt, lte, or, sql } from 'drizzle-orm';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { communityEvents, feedSnapshots } from '../feeds.tables.ts';
import type { CommunityEvent } from './community-events.domain.ts';

/** Which ended events: of one category or of all, the latest so many. */
export interface EndedEventsQuery {
  category: string | null;
  limit: number;
}

/** What the calendar was last known to hold that is not over, and when that was. */
export interface LiveEvents {
  /** Null before the first success. */
  fetchedAt: UnixSeconds | null;
  events: CommunityEvent[];
  /** Of every stored event, ascending. */
  categories: string[];
}

/** Every event of the community calendar ever seen. */
export interface CommunityEventsRepository {
  /** Stores events by their id; what is known already is overwritten, what is missing stays. */
  save(events: readonly CommunityEvent[]): Promise<void>;
  /** Notes that the calendar was read. */
  saveFetch(fetchedAt: UnixSeconds): Promise<void>;
  /** Events that are not over at `now`, with the categories. */
  live(now: UnixSeconds): Promise<LiveEvents>;
  /** Events that are over at `now`, latest first. */
  ended(query: EndedEventsQuery, now: UnixSeconds): Promise<CommunityEvent[]>;
}

const FEED = 'community-events';

export function createCommunityEventsRepository(db: Database, reads: PublicReads = db): CommunityEventsRepository {
  return {
    /** One statement, one parameter: parameters are few. */
    async save(events) {
      await db.run(sql`
        INSERT INTO ${communityEvents} (event_id, name, url, category, image, icon, lookup, starts_at, ends_at)
        SELECT value->>'eventId', value->>'name', value->>'url', value->>'category', value->>'image', value->>'icon', value->>'lookup',
          value->>'startsAt', value->>'endsAt'
        FROM json_each(${JSON.stringify(events)}) WHERE true
        ON CONFLICT (event_id) DO UPDATE SET name = excluded.name, url = excluded.url, category = excluded.category,
          image = excluded.image, icon = excluded.icon, lookup = excluded.lookup, starts_at = excluded.starts_at, ends_at = excluded.ends_at`);
    },

    async saveFetch(fetchedAt) {
      await db
        .insert(feedSnapshots)
        .values({ feed: FEED, fetchedAt })
        .onConflictDoUpdate({ target: feedSnapshots.feed, set: { fetchedAt } });
    },

    async live(now) {
      const [fetches, events, categories] = await reads.batch([
        reads.select({ fetchedAt: feedSnapshots.fetchedAt }).from(feedSnapshots).where(eq(feedSnapshots.feed, FEED)),
        reads
          .select()
          .from(communityEvents)
          .where(or(gt(communityEvents.endsAt, now), gt(communityEvents.startsAt, now))),
        reads.selectDistinct({ category: communityEvents.category }).from(communityEvents).orderBy(asc(communityEvents.category)),
      ]);
      return { fetchedAt: fetches[0]?.fetchedAt ?? null, events, categories: categories.map(({ category }) => category) };
    },

    ended({ category, limit }, now) {
      const isOver = and(lte(communityEvents.endsAt, now), lte(communityEvents.startsAt, now));
      return reads
        .select()
        .from(communityEvents)
        .where(category === null ? isOver : and(isOver, eq(communityEvents.category, category)))
        .orderBy(desc(communityEvents.endsAt), asc(communityEvents.eventId))
        .limit(limit);
    },
  };
}
