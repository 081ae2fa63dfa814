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

export const EVENT_TYPES = [...SNAPSHOT_TYPES, ...DISCRETE_TYPES] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Seconds between keep-alive comments. */
export const HEARTBEAT_SECONDS = 20;
/** Seconds between rechecks of every source, in case a trigger was lost. */
export const WATCH_SECONDS = 30;
/** How long events can be replayed, in seconds. */
export const REPLAY_SECONDS = 7 * 86_400;
/** Live messages that may wait for a reader; one more closes its stream. */
export const CLIENT_QUEUE = 64;
/** Streams of one shard; the next one is refused. */
export const MAX_CONNECTIONS_PER_SHARD = 5000;
/** What a client is told to wait before it reconnects, in milliseconds. */
export const RETRY_MILLISECONDS = 5000;
/** Seconds a client should wait when every place is taken. */
export const CAPACITY_RETRY_SECONDS = 30;
/** Events fetched from the log at once for a replay. */
export const REPLAY_PAGE = 500;
