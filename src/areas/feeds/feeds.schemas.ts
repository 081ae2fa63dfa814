import { z } from '@hono/zod-openapi';
import { string } from '../../platform/http/bodies/body-schemas.ts';
import { digestOf, json, type Representation } from '../../platform/http/replies/reply.ts';
import { toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { FeedSnapshot } from './live-feeds.store.ts';

export const address = (description: string, example: string | null) => z.string().nullable().openapi({ description, example });
export const isoInstant = (description: string) => z.string().nullable().openapi({ description, example: '2026-03-10T15:30:00.000Z' });
export const count = z.number().int().openapi({ description: 'Number of items in this response.', example: 1 });

export const FetchedAt = isoInstant('Time when the source was last fetched; null before the first success.');

export const NewsItemBody = z
  .object({
    title: string('Headline.', 'Patch notes: Lunar Plunge'),
    url: string('URL of the article.', 'https://trovegame.com/news/lunar-plunge/'),
    author: string('Author of the article.', 'Team Trove'),
    summary: string('Beginning of the article as plain text, at most 220 characters plus `...`.', 'A new event comes to every world...'),
    category: string('First category.', 'Patch Notes'),
    categories: z.array(z.string()).openapi({ description: 'All categories, in the order of the feed.', example: ['Patch Notes', 'PC'] }),
    image: address('URL of an image, or null.', 'https://trovegame.com/images/lunar-plunge.jpg'),
    published_at: isoInstant('Time when the article was published; null if the feed has no date.'),
  })
  .openapi('NewsItem', { description: 'An article of the official news.' });

export const newsItems = z.array(NewsItemBody).openapi({ description: 'Newest first.' });

export const NewsBody = z.object({ items: newsItems, count }).openapi('News', { description: 'The latest news.' });

export function isoOrNull(instant: UnixSeconds | null): string | null {
  return instant === null ? null : toIso(instant);
}

/** Adds the age of the data as an `Age` header. */
export function withAge<Body>(body: Representation<Body>, fetchedAt: UnixSeconds | null, now: UnixSeconds): Representation<Body> {
  return fetchedAt === null ? body : { ...body, headers: { Age: String(Math.max(0, now - fetchedAt)) } };
}

/** Adds the ETag to a body that is sent many times. */
export function withETag<Body>(body: Representation<Body>): Representation<Body> {
  return { ...body, etag: `"${digestOf(body.text)}"` };
}

/** Returns the cached value of a key, or creates it. */
export function getOrCreate<Key, Value>(
  cache: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  create: () => Value,
): Value {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const value = create();
  cache.set(key, value);
  return value;
}

/** Serializes a body once per snapshot. */
export function oncePerSnapshot<Item, Body>(toBody: (snapshot: FeedSnapshot<Item>) => Body) {
  const bodies = new WeakMap<FeedSnapshot<Item>, Representation<Body>>();
  return (snapshot: FeedSnapshot<Item>, now: UnixSeconds): Representation<Body> => {
    const body = getOrCreate(bodies, snapshot, () => withETag(json(toBody(snapshot))));
    return withAge(body, snapshot.fetchedAt, now);
  };
}
