import { z } from '@hono/zod-openapi';
import { digestOf, json, type Representation } from '../../platform/http/replies/reply.ts';
import { toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { FeedSnapshot } from './live/live-feeds.store.ts';

export const address = (description: string, example: string | null) => z.string().nullable().openapi({ description, example });
export const isoInstant = (description: string) => z.string().nullable().openapi({ description, example: '2026-03-10T15:30:00.000Z' });
export const count = z.number().int().openapi({ description: 'Number of items in this response.', example: 1 });

export const FetchedAt = isoInstant('Time when the source was last fetched; null before the first success.');

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
