import { and, asc, desc, eq, gt, lte, or, sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { communityEvents, feedSnapshots } from '../feeds.tables.ts';
import type { CommunityEvent } from './community-events.domain.ts';

/** Filter of ended events, latest first. A null category: all. */
interface EndedEventsQuery {
  category: string | null;
  limit: number;
}

/** Events that have not ended, and the time of the last fetch. */
export interface LiveEvents {
  /** Null before the first success. */
  fetchedAt: UnixSeconds | null;
  events: CommunityEvent[];
  /** Categories of all stored events, ascending. */
  categories: string[];
}

/** Archive of the community calendar; events are never deleted. */
export type CommunityEventsStore = ReturnType<typeof createCommunityEventsStore>;

const FEED = 'community-events';

/** The categories of all events, ascending: one seek per category, because DISTINCT would read every event. */
const CATEGORIES = sql`(WITH RECURSIVE found(category) AS (
    SELECT min(category) FROM ${communityEvents}
    UNION ALL SELECT (SELECT min(category) FROM ${communityEvents} WHERE category > found.category) FROM found WHERE found.category IS NOT NULL)
  SELECT category FROM found WHERE category IS NOT NULL)`;

export function createCommunityEventsStore(db: Database, reads: PublicReads = db) {
  return {
    /** Inserts or updates events by id. Events missing from the list are not deleted. One statement with one parameter, because D1 limits the number of parameters. */
    async save(events: readonly CommunityEvent[]): Promise<void> {
      await db.run(sql`
        INSERT INTO ${communityEvents} (event_id, name, url, category, image, icon, lookup, starts_at, ends_at)
        SELECT value->>'eventId', value->>'name', value->>'url', value->>'category', value->>'image', value->>'icon', value->>'lookup',
          value->>'startsAt', value->>'endsAt'
        FROM json_each(${JSON.stringify(events)}) WHERE true
        ON CONFLICT (event_id) DO UPDATE SET name = excluded.name, url = excluded.url, category = excluded.category,
          image = excluded.image, icon = excluded.icon, lookup = excluded.lookup, starts_at = excluded.starts_at, ends_at = excluded.ends_at`);
    },

    /** Stores the time of a fetch. */
    async saveFetchTime(fetchedAt: UnixSeconds): Promise<void> {
      await db
        .insert(feedSnapshots)
        .values({ feed: FEED, fetchedAt })
        .onConflictDoUpdate({ target: feedSnapshots.feed, set: { fetchedAt } });
    },

    /** Events that have not ended at `now`, and all categories. */
    async live(now: UnixSeconds): Promise<LiveEvents> {
      const [fetches, events, categories] = await reads.batch([
        reads.select({ fetchedAt: feedSnapshots.fetchedAt }).from(feedSnapshots).where(eq(feedSnapshots.feed, FEED)),
        reads
          .select()
          .from(communityEvents)
          .where(or(gt(communityEvents.endsAt, now), gt(communityEvents.startsAt, now))),
        reads.select({ category: sql<string>`category` }).from(CATEGORIES),
      ]);
      return { fetchedAt: fetches[0]?.fetchedAt ?? null, events, categories: categories.map(({ category }) => category) };
    },

    /** Events that ended before `now`, latest first. */
    ended({ category, limit }: EndedEventsQuery, now: UnixSeconds): Promise<CommunityEvent[]> {
      const hasEnded = and(lte(communityEvents.endsAt, now), lte(communityEvents.startsAt, now));
      return reads
        .select()
        .from(communityEvents)
        .where(category === null ? hasEnded : and(hasEnded, eq(communityEvents.category, category)))
        .orderBy(desc(communityEvents.endsAt), asc(communityEvents.eventId))
        .limit(limit);
    },
  };
}
