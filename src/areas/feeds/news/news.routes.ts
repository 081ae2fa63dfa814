import { z } from '@hono/zod-openapi';
import { publicAccess, tokenAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { historyPage, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { ATOM_TYPE, type AtomEntry, atomReply } from '../../../platform/http/replies/atom.ts';
import { cutPage, NextCursor, nextPageLink, pageStart } from '../../../platform/http/replies/page.ts';
import { json, type Representation } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { count, getOrCreate, isoOrNull, NewsBody, type NewsItemBody, newsItems, withAge, withETag } from '../feeds.schemas.ts';
import type { FeedSnapshot } from '../live-feeds.store.ts';
import { DEFAULT_NEWS_ITEMS, MAX_NEWS_ITEMS, mergeLatestNews, type NewsItem } from './news.domain.ts';
import type { NewsService } from './news.service.ts';
import type { NewsStore } from './news.store.ts';

const NewsQuery = z.object({
  limit: integerWithDefault({
    min: 1,
    max: MAX_NEWS_ITEMS,
    default: DEFAULT_NEWS_ITEMS,
    description: `Maximum number of items, 1 to ${MAX_NEWS_ITEMS}.`,
    example: DEFAULT_NEWS_ITEMS,
  }),
});

const NewsHistoryQuery = z.object(historyPage({ max: 200, default: 50, cursorExample: 'WzFd' }));

export const NewsHistoryBody = z
  .object({
    items: newsItems,
    count,
    total: z.number().int().openapi({ description: 'Total number of articles.', example: 1 }),
    next_cursor: NextCursor,
  })
  .openapi('NewsHistory', { description: 'A page of the news archive.' });

function toNewsItemBody(item: NewsItem): z.infer<typeof NewsItemBody> {
  const { title, url, author, summary, category, categories, image, publishedAt } = item;
  return { title, url, author, summary, category, categories: [...categories], image, published_at: isoOrNull(publishedAt) };
}

function toNewsBody(items: readonly NewsItem[]): z.infer<typeof NewsBody> {
  return { items: items.map(toNewsItemBody), count: items.length };
}

function toNewsHistoryBody(rows: readonly NewsItem[], total: number, nextCursor: string | null): z.infer<typeof NewsHistoryBody> {
  return { ...toNewsBody(rows), total, next_cursor: nextCursor };
}

/** Endpoints of the latest news and the news archive. */
export function createNewsEndpoints(news: NewsService, archive: NewsStore): Endpoint[] {
  return [
    defineRoute({
      method: 'get',
      path: '/v1/feeds/news',
      operationId: 'getNews',
      tag: 'Feeds',
      summary: 'List latest news',
      description:
        'Lists the latest articles of the official news, newest first. An article that the feed lists several times appears once. The `Age` header is the age of the data in seconds. The list is empty before the first successful refresh.',
      access: publicAccess('feeds:read'),
      query: NewsQuery,
      ok: { description: 'The news.', schema: NewsBody },
      table: listTable(NewsBody, 'items'),
    }).handle(async ({ query, now }) => newsBody(await news.latest(), query.limit, now)),

    defineRoute({
      method: 'get',
      path: '/v1/feeds/news.atom',
      operationId: 'getNewsFeed',
      tag: 'Feeds',
      summary: 'Get the news Atom feed',
      description: 'Returns the latest articles of the official news as an Atom feed (RFC 4287).',
      access: publicAccess('feeds:read'),
      ok: { contentTypes: [ATOM_TYPE], description: 'Atom feed.' },
    }).handle(async ({ baseUrl }) => {
      const { items } = await news.latest();
      return atomReply({
        title: 'Game news',
        author: 'Game Data API',
        selfUrl: `${baseUrl}/v1/feeds/news.atom`,
        pageUrl: baseUrl,
        entries: newsEntries(items),
      });
    }),

    defineRoute({
      method: 'get',
      path: '/v1/misc/news-history',
      operationId: 'listNewsHistory',
      tag: 'Misc',
      summary: 'List archived news',
      description:
        'Lists all articles of the official news, newest first, as the feed listed them: an article may appear once per category. Articles are never deleted. The `Link` header contains the URL of the next page.',
      access: tokenAccess('misc:read'),
      query: NewsHistoryQuery,
      errors: ['bad_request'],
      ok: { description: 'A page of the archive.', schema: NewsHistoryBody },
      table: listTable(NewsHistoryBody, 'items'),
    }).handle(async ({ query, request }) => {
      const page = await archive.page({ limit: query.limit + 1, start: pageStart(query) });
      const { rows, nextCursor } = cutPage(page.rows, query.limit, ({ id }) => id);
      return json(toNewsHistoryBody(rows, page.total, nextCursor), { headers: nextPageLink(request.url, nextCursor) });
    }),
  ];
}

const MAX_ENTRIES = 50;

/** Atom entries of articles, each article once. Articles without a time are omitted. */
function newsEntries(items: readonly NewsItem[]): AtomEntry[] {
  const entries = new Map<string, AtomEntry>();
  for (const { url, title, author, summary, publishedAt } of items) {
    if (publishedAt === null || entries.has(url)) continue;
    entries.set(url, { id: url, title, url, publishedAt, ...(author === '' ? {} : { author }), summary });
  }
  return [...entries.values()].slice(0, MAX_ENTRIES);
}

type NewsRepresentation = Representation<ReturnType<typeof toNewsBody>>;
const newsBodies = new WeakMap<FeedSnapshot<NewsItem>, Map<number, NewsRepresentation>>();

/** Serialized news of the endpoint, the snapshot and the event stream. Created once per snapshot and limit. */
export function newsBody(snapshot: FeedSnapshot<NewsItem>, limit: number, now: UnixSeconds): NewsRepresentation {
  const byLimit = getOrCreate(newsBodies, snapshot, () => new Map<number, NewsRepresentation>());
  const body = getOrCreate(byLimit, limit, () => withETag(json(toNewsBody(mergeLatestNews(snapshot.items, limit)))));
  return withAge(body, snapshot.fetchedAt, now);
}
