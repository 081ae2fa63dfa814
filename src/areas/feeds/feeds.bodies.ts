import { digestOf, json, type Representation } from '../../platform/http/reply.ts';
import { BoundedMap } from '../../platform/storage/bounded-map.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { toCommunityEventsBody } from './community-events.schemas.ts';
import type { EventList } from './community-events.service.ts';
import type { FeedSnapshot } from './feed-snapshots.repository.ts';
import { MAX_NEWS_ITEMS } from './feeds.data.ts';
import { toStreamsBody, toVideosBody } from './live-feeds.schemas.ts';
import { mergeLatestNews, type NewsItem } from './news.domain.ts';
import { toNewsBody } from './news.schemas.ts';
import type { Stream } from './streams.domain.ts';
import type { Video } from './videos.domain.ts';

/** Says in a header how old the data is; the body does not change with it. */
export function withAge<Body>(body: Representation<Body>, fetchedAt: UnixSeconds | null, now: UnixSeconds): Representation<Body> {
  return fetchedAt === null ? body : { ...body, headers: { Age: String(Math.max(0, now - fetchedAt)) } };
}

/** A body that is sent many times: its ETag is computed once. */
function hashed<Body>(body: Representation<Body>): Representation<Body> {
  return { ...body, etag: `"${digestOf(body.text)}"` };
}

/** Makes a body once for each snapshot, which an isolate keeps for a while. */
function oncePerSnapshot<Item, Body>(make: (snapshot: FeedSnapshot<Item>) => Body) {
  const made = new WeakMap<FeedSnapshot<Item>, Representation<Body>>();
  return (snapshot: FeedSnapshot<Item>, now: UnixSeconds): Representation<Body> => {
    const body = made.get(snapshot) ?? hashed(json(make(snapshot)));
    made.set(snapshot, body);
    return withAge(body, snapshot.fetchedAt, now);
  };
}

/** The serialised streams: the one form for their route. */
export const streamsBody = oncePerSnapshot<Stream, ReturnType<typeof toStreamsBody>>(toStreamsBody);

/** The serialised videos of either platform. */
export const videosBody = oncePerSnapshot<Video, ReturnType<typeof toVideosBody>>(toVideosBody);

type NewsBodies = BoundedMap<number, Representation<ReturnType<typeof toNewsBody>>>;
const newsBodies = new WeakMap<FeedSnapshot<NewsItem>, NewsBodies>();

/** The serialised news: the one form for its route, the snapshot and the event stream. */
export function newsBody(snapshot: FeedSnapshot<NewsItem>, limit: number, now: UnixSeconds) {
  const made: NewsBodies = newsBodies.get(snapshot) ?? new BoundedMap(MAX_NEWS_ITEMS);
  newsBodies.set(snapshot, made);
  const body = made.get(limit) ?? hashed(json(toNewsBody(mergeLatestNews(snapshot.items, limit))));
  made.set(limit, body);
  return withAge(body, snapshot.fetchedAt, now);
}

/** The serialised list of events. The clock moves the countdowns and nothing else until an event begins or ends. */
export function communityEventsBody({ events, fetchedAt }: EventList, now: UnixSeconds) {
  const body = toCommunityEventsBody(events);
  const state = JSON.stringify(body.items.map(({ seconds_until: _secondsUntil, ...rest }) => rest));
  return withAge<typeof body>({ kind: 'json', text: JSON.stringify(body), state }, fetchedAt, now);
}
