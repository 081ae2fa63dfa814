import { and, desc, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { invalidCursor } from '../../../platform/http/replies/page.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { feedSnapshots, newsArticles } from '../feeds.tables.ts';
import type { NewsItem } from './news.domain.ts';

/** An article with the key it is paged by. */
export type NewsArticle = NewsItem & { id: number };

/** A page of the archive: newest first, from an offset or after an article. */
export interface ArchiveRequest {
  limit: number;
  start: { offset: number } | { afterKey: number };
}

/** Every article ever seen. */
export interface NewsRepository {
  /** Stores articles by their address, in the order of the feed; what is known already is overwritten. */
  save(items: readonly NewsItem[]): Promise<void>;
  /** Notes that the feed was read. */
  saveFetch(fetchedAt: UnixSeconds): Promise<void>;
  /** The newest articles, and when the feed was last read; null before the first time. */
  newest(limit: number): Promise<{ fetchedAt: UnixSeconds | null; items: NewsItem[] }>;
  page(request: ArchiveRequest): Promise<{ rows: NewsArticle[]; total: number }>;
}

const FEED = 'news';
/** SQLite puts nulls last when it sorts descending. */
const NEWEST_FIRST = [desc(newsArticles.publishedAt), desc(newsArticles.id)];

export function createNewsRepository(db: Database, reads: PublicReads = db): NewsRepository {
  /** Articles that come after the given one in the order of the archive. */
  async function after(id: number): Promise<SQL | undefined> {
    const [anchor] = await reads.select({ publishedAt: newsArticles.publishedAt }).from(newsArticles).where(eq(newsArticles.id, id));
    if (!anchor) throw invalidCursor();
    const { publishedAt } = anchor;
    if (publishedAt === null) return and(isNull(newsArticles.publishedAt), lt(newsArticles.id, id));
    return or(
      lt(newsArticles.publishedAt, publishedAt),
      and(eq(newsArticles.publishedAt, publishedAt), lt(newsArticles.id, id)),
      isNull(newsArticles.publishedAt),
    );
  }

  return {
    /** From the bottom up, so that ids grow with newness. One statement, one parameter: parameters are few. */
    async save(items) {
      const rows = JSON.stringify(items.toReversed());
      await db.run(sql`
        INSERT INTO ${newsArticles} (url, title, author, summary, category, categories, image, published_at)
        SELECT value->>'url', value->>'title', value->>'author', value->>'summary', value->>'category', value->'categories',
          value->>'image', value->>'publishedAt'
        FROM json_each(${rows}) WHERE true
        ON CONFLICT (url) DO UPDATE SET title = excluded.title, author = excluded.author, summary = excluded.summary,
          category = excluded.category, categories = excluded.categories, image = excluded.image, published_at = excluded.published_at`);
    },

    async saveFetch(fetchedAt) {
      await db
        .insert(feedSnapshots)
        .values({ feed: FEED, fetchedAt })
        .onConflictDoUpdate({ target: feedSnapshots.feed, set: { fetchedAt } });
    },

    async newest(limit) {
      const [fetches, rows] = await reads.batch([
        reads.select({ fetchedAt: feedSnapshots.fetchedAt }).from(feedSnapshots).where(eq(feedSnapshots.feed, FEED)),
        reads
          .select()
          .from(newsArticles)
          .orderBy(...NEWEST_FIRST)
          .limit(limit),
      ]);
      return { fetchedAt: fetches[0]?.fetchedAt ?? null, items: rows.map(({ id: _id, ...item }) => item) };
    },

    async page({ limit, start }) {
      const where = 'afterKey' in start ? await after(start.afterKey) : undefined;
      const [rows, totals] = await reads.batch([
        reads
          .select()
          .from(newsArticles)
          .where(where)
          .orderBy(...NEWEST_FIRST)
          .limit(limit)
          .offset('offset' in start ? start.offset : 0),
        reads.select({ total: sql<number>`count(*)` }).from(newsArticles),
      ]);
      return { rows, total: totals[0]?.total ?? 0 };
    },
  };
}
