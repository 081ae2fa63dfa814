import { publicAccess, tokenAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { ATOM_TYPE, type AtomEntry, atomReply } from '../../../platform/http/replies/atom.ts';
import { cutPage, nextPageLink, pageStart } from '../../../platform/http/replies/page.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import { newsBody } from '../feeds.bodies.ts';
import type { NewsItem } from './news.domain.ts';
import { NewsBody, NewsHistoryBody, NewsHistoryQuery, NewsQuery, toNewsHistoryBody } from './news.schemas.ts';
import type { NewsService } from './news.service.ts';
import type { NewsRepository } from './news.store.ts';

/** Endpoints of the latest news and the news archive. */
export function createNewsEndpoints(news: NewsService, archive: NewsRepository): Endpoint[] {
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
