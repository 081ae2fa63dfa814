import { namedValues } from '../../platform/values/named-values.ts';

/** Types of the stream in the order of the specification, which is the order of the snapshot. */
export const SNAPSHOT_TYPES = [
  'challenge',
  'chaos',
  'corruxion',
  'fluxion',
  'longshade',
  'wild_mana',
  'stampy',
  'daily_bonuses',
  'activity',
  'server_status',
  'game_news',
  'giveaways',
  'game_update',
] as const;

/** Types that happen once and have no state: never in the snapshot. */
const DISCRETE_TYPES = ['mod_release'] as const;

export const EVENT_TYPES = namedValues('StreamEventType', 'Type of an event stream message.', [...SNAPSHOT_TYPES, ...DISCRETE_TYPES]);
export type EventType = (typeof EVENT_TYPES)[number];

/** Seconds between keep-alive comments. */
export const HEARTBEAT_SECONDS = 20;
/** Seconds between rechecks of every source, in case a trigger was lost. */
export const WATCH_SECONDS = 30;
/** Live messages that may wait for a client. One more aborts its stream. */
export const CLIENT_QUEUE = 64;
/** `retry` field of the stream: reconnect delay of a client, in milliseconds. */
export const RETRY_MS = 5000;
/** Retry-After while the stream is at capacity, in seconds. */
export const CAPACITY_RETRY_SECONDS = 30;
/** Heartbeats without a read after which a stream with pending data is aborted. */
export const MAX_STALLED_BEATS = 3;
/** Milliseconds for which an isolate skips a shard that was full or unreachable. */
export const SHARD_REST_MS = 2000;
/** Milliseconds before an isolate asks the shards again to free the slots of lost streams, and that other requests wait meanwhile. */
export const LOST_SLOTS_REST_MS = 2000;
export const LOST_SLOTS_WAIT_MILLISECONDS = 250;
/** Slots that a shard renews or frees at once, and milliseconds each may take. */
export const RENEWALS_AT_ONCE = 4;
export const RENEWAL_TIMEOUT_MS = 5000;
/** Events, and characters, fetched from the log at once for a replay. A shard may hold a page for each of its streams. */
export const REPLAY_PAGE_EVENTS = 500;
export const REPLAY_PAGE_CHARACTERS = 50_000;
/** Seconds between attempts to send missed events to a shard. */
export const BEHIND_SECONDS = 5;
/** Timeout of one source, in milliseconds: a hanging source must not delay the others. */
export const SOURCE_MS = 5000;
/** Timeout of one shard, in milliseconds. */
export const SHARD_MS = 5000;
/** Events per batch of the follower. */
export const FOLLOWER_BATCH = 20;
/** Timeout of one batch of the follower, in milliseconds. */
export const FOLLOWER_MS = 5000;
/** Milliseconds an insert waits for its event to be published. */
export const PUBLISH_MS = 10_000;
