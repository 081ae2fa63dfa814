import { and, desc, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { invalidCursor } from '../../../platform/http/replies/page.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { selectRowCount } from '../../../platform/storage/row-counts.ts';
import { feedSnapshots, newsArticles } from '../feeds.tables.ts';
import type { NewsItem } from './news.domain.ts';

/** An article with its paging key. */
type NewsArticle = NewsItem & { id: number };

/** A page of the archive, newest first, from an offset or after an article. */
interface ArchiveRequest {
  limit: number;
  start: { offset: number } | { afterKey: number };
}

/** News archive; articles are never deleted. */
export type NewsStore = ReturnType<typeof createNewsStore>;

const FEED = 'news';
/** SQLite sorts nulls last in descending order. */
const NEWEST_FIRST = [desc(newsArticles.publishedAt), desc(newsArticles.id)];

export function createNewsStore(db: Database, reads: PublicReads = db) {
  /** Condition: articles after the given one in the order of the archive. */
  async function isAfter(id: number): Promise<SQL | undefined> {
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
    /** Inserts or updates articles by URL. `items` in the order of the feed. From the bottom of the feed up, because newer articles need larger ids. One statement with one parameter, because D1 limits the number of parameters. */
    async save(items: readonly NewsItem[]): Promise<void> {
      const rows = JSON.stringify(items.toReversed());
      await db.run(sql`
        INSERT INTO ${newsArticles} (url, title, author, summary, category, categories, image, published_at)
        SELECT value->>'url', value->>'title', value->>'author', value->>'summary', value->>'category', value->'categories',
          value->>'image', value->>'publishedAt'
        FROM json_each(${rows}) WHERE true
        ON CONFLICT (url) DO UPDATE SET title = excluded.title, author = excluded.author, summary = excluded.summary,
          category = excluded.category, categories = excluded.categories, image = excluded.image, published_at = excluded.published_at`);
    },

    /** Stores the time of a fetch. */
    async saveFetchTime(fetchedAt: UnixSeconds): Promise<void> {
      await db
        .insert(feedSnapshots)
        .values({ feed: FEED, fetchedAt })
        .onConflictDoUpdate({ target: feedSnapshots.feed, set: { fetchedAt } });
    },

    /** The newest articles and the time of the last fetch; null before the first one. */
    async newest(limit: number): Promise<{ fetchedAt: UnixSeconds | null; items: NewsItem[] }> {
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

    async page({ limit, start }: ArchiveRequest): Promise<{ rows: NewsArticle[]; total: number }> {
      const where = 'afterKey' in start ? await isAfter(start.afterKey) : undefined;
      const [rows, totals] = await reads.batch([
        reads
          .select()
          .from(newsArticles)
          .where(where)
          .orderBy(...NEWEST_FIRST)
          .limit(limit)
          .offset('offset' in start ? start.offset : 0),
        selectRowCount(reads, newsArticles),
      ]);
      return { rows, total: totals[0]?.total ?? 0 };
    },
  };
}
