import { z } from '@hono/zod-openapi';
import { historyPage, integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { NextCursor } from '../../../platform/http/replies/page.ts';
import { DEFAULT_NEWS_ITEMS, MAX_NEWS_ITEMS } from '../feeds.data.ts';
import { address, count, isoInstant, isoOrNull, text } from '../feeds.schemas.ts';
import type { NewsItem } from './news.domain.ts';

export const NewsQuery = z.object({
  limit: integerWithDefault({
    min: 1,
    max: MAX_NEWS_ITEMS,
    default: DEFAULT_NEWS_ITEMS,
    description: `Maximum number of items, 1 to ${MAX_NEWS_ITEMS}.`,
    example: DEFAULT_NEWS_ITEMS,
  }),
});

export const NewsHistoryQuery = z.object(historyPage({ max: 200, default: 50, cursorExample: 'WzFd' }));

const NewsItemBody = z
  .object({
    title: text('Headline.', 'Patch notes: Lunar Plunge'),
    url: text('URL of the article.', 'https://trovegame.com/news/lunar-plunge/'),
    author: text('Author of the article.', 'Team Trove'),
    summary: text('Beginning of the article as plain text, at most 220 characters plus `...`.', 'A new event comes to every world...'),
    category: text('First category.', 'Patch Notes'),
    categories: z.array(z.string()).openapi({ description: 'All categories, in the order of the feed.', example: ['Patch Notes', 'PC'] }),
    image: address('URL of an image, or null.', 'https://trovegame.com/images/lunar-plunge.jpg'),
    published_at: isoInstant('Time when the article was published; null if the feed has no date.'),
  })
  .openapi('NewsItem', { description: 'An article of the official news.' });

const items = z.array(NewsItemBody).openapi({ description: 'Newest first.' });

export const NewsBody = z.object({ items, count }).openapi('News', { description: 'The latest news.' });

export const NewsHistoryBody = z
  .object({
    items,
    count,
    total: z.number().int().openapi({ description: 'Total number of articles.', example: 1 }),
    next_cursor: NextCursor,
  })
  .openapi('NewsHistory', { description: 'A page of the news archive.' });

function toNewsItemBody(item: NewsItem): z.infer<typeof NewsItemBody> {
  const { title, url, author, summary, category, categories, image, publishedAt } = item;
  return { title, url, author, summary, category, categories: [...categories], image, published_at: isoOrNull(publishedAt) };
}

export function toNewsBody(items: readonly NewsItem[]): z.infer<typeof NewsBody> {
  return { items: items.map(toNewsItemBody), count: items.length };
}

export function toNewsHistoryBody(rows: readonly NewsItem[], total: number, nextCursor: string | null): z.infer<typeof NewsHistoryBody> {
  return { ...toNewsBody(rows), total, next_cursor: nextCursor };
}
