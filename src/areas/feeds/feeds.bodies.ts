import { digestOf, json, type Representation } from '../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { toCommunityEventsBody } from './community-events/community-events.schemas.ts';
import type { EventList } from './community-events/community-events.service.ts';
import type { FeedSnapshot } from './live/feed-snapshots.store.ts';
import { toStreamsBody, toVideosBody } from './live/live-feeds.schemas.ts';
import { mergeLatestNews, type NewsItem } from './news/news.domain.ts';
import { toNewsBody } from './news/news.schemas.ts';
import type { Stream } from './streams/streams.domain.ts';
import type { Video } from './videos/videos.domain.ts';

/** Adds the age of the data as an `Age` header. */
export function withAge<Body>(body: Representation<Body>, fetchedAt: UnixSeconds | null, now: UnixSeconds): Representation<Body> {
  return fetchedAt === null ? body : { ...body, headers: { Age: String(Math.max(0, now - fetchedAt)) } };
}

/** Adds the ETag to a body that is sent many times. */
function withETag<Body>(body: Representation<Body>): Representation<Body> {
  return { ...body, etag: `"${digestOf(body.text)}"` };
}

/** Returns the cached value of a key, or creates it. */
function getOrCreate<Key, Value>(
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
function oncePerSnapshot<Item, Body>(toBody: (snapshot: FeedSnapshot<Item>) => Body) {
  const bodies = new WeakMap<FeedSnapshot<Item>, Representation<Body>>();
  return (snapshot: FeedSnapshot<Item>, now: UnixSeconds): Representation<Body> => {
    const body = getOrCreate(bodies, snapshot, () => withETag(json(toBody(snapshot))));
    return withAge(body, snapshot.fetchedAt, now);
  };
}

/** Serialized streams. */
export const streamsBody = oncePerSnapshot<Stream, ReturnType<typeof toStreamsBody>>(toStreamsBody);

/** Serialized videos of either platform. */
export const videosBody = oncePerSnapshot<Video, ReturnType<typeof toVideosBody>>(toVideosBody);

type NewsRepresentation = Representation<ReturnType<typeof toNewsBody>>;
const newsBodies = new WeakMap<FeedSnapshot<NewsItem>, Map<number, NewsRepresentation>>();

/** Serialized news of the endpoint, the snapshot and the event stream. Created once per snapshot and limit. */
export function newsBody(snapshot: FeedSnapshot<NewsItem>, limit: number, now: UnixSeconds): NewsRepresentation {
  const byLimit = getOrCreate(newsBodies, snapshot, () => new Map<number, NewsRepresentation>());
  const body = getOrCreate(byLimit, limit, () => withETag(json(toNewsBody(mergeLatestNews(snapshot.items, limit)))));
  return withAge(body, snapshot.fetchedAt, now);
}

/** Serialized list of events. The ETag ignores the countdowns, which change every second. */
export function communityEventsBody({ events, fetchedAt }: EventList, now: UnixSeconds) {
  const body = toCommunityEventsBody(events);
  const state = JSON.stringify(body.items.map(({ seconds_until: _secondsUntil, ...rest }) => rest));
  return withAge<typeof body>({ kind: 'json', text: JSON.stringify(body), state }, fetchedAt, now);
}
