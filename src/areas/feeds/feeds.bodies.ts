import { digestOf, json, type Representation } from '../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { toCommunityEventsBody } from './community-events/community-events.schemas.ts';
import type { EventList } from './community-events/community-events.service.ts';
import type { FeedSnapshot } from './live/feed-snapshots.repository.ts';
import { toStreamsBody, toVideosBody } from './live/live-feeds.schemas.ts';
import { mergeLatestNews, type NewsItem } from './news/news.domain.ts';
import { toNewsBody } from './news/news.schemas.ts';
import type { Stream } from './streams/streams.domain.ts';
import type { Video } from './videos/videos.domain.ts';

/** Reports the age of the data in a header, outside of the body. */
export function withAge<Body>(body: Representation<Body>, fetchedAt: UnixSeconds | null, now: UnixSeconds): Representation<Body> {
  return fetchedAt === null ? body : { ...body, headers: { Age: String(Math.max(0, now - fetchedAt)) } };
}

/** A body that is sent many times: its ETag is computed once. */
function hashed<Body>(body: Representation<Body>): Representation<Body> {
  return { ...body, etag: `"${digestOf(body.text)}"` };
}

/** The value kept under a key, made when there is none. */
function remembered<Key, Value>(
  kept: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const value = make();
  kept.set(key, value);
  return value;
}

/** Serialises a body once per snapshot. */
function oncePerSnapshot<Item, Body>(make: (snapshot: FeedSnapshot<Item>) => Body) {
  const made = new WeakMap<FeedSnapshot<Item>, Representation<Body>>();
  return (snapshot: FeedSnapshot<Item>, now: UnixSeconds): Representation<Body> => {
    const body = remembered(made, snapshot, () => hashed(json(make(snapshot))));
    return withAge(body, snapshot.fetchedAt, now);
  };
}

/** The serialised streams: the one form for their route. */
export const streamsBody = oncePerSnapshot<Stream, ReturnType<typeof toStreamsBody>>(toStreamsBody);

/** The serialised videos of either platform. */
export const videosBody = oncePerSnapshot<Video, ReturnType<typeof toVideosBody>>(toVideosBody);

type NewsRepresentation = Representation<ReturnType<typeof toNewsBody>>;
const newsBodies = new WeakMap<FeedSnapshot<NewsItem>, Map<number, NewsRepresentation>>();

/** The serialised news: the one form for its route, the snapshot and the event stream. Made once for each limit. */
export function newsBody(snapshot: FeedSnapshot<NewsItem>, limit: number, now: UnixSeconds): NewsRepresentation {
  const byLimit = remembered(newsBodies, snapshot, () => new Map<number, NewsRepresentation>());
  const body = remembered(byLimit, limit, () => hashed(json(toNewsBody(mergeLatestNews(snapshot.items, limit)))));
  return withAge(body, snapshot.fetchedAt, now);
}

/** The serialised list of events. The clock moves the countdowns and nothing else until an event begins or ends. */
export function communityEventsBody({ events, fetchedAt }: EventList, now: UnixSeconds) {
  const body = toCommunityEventsBody(events);
  const state = JSON.stringify(body.items.map(({ seconds_until: _secondsUntil, ...rest }) => rest));
  return withAge<typeof body>({ kind: 'json', text: JSON.stringify(body), state }, fetchedAt, now);
}
