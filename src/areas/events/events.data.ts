/** Comment that reports missed events which the log has no more. Clients recognize the text: it must not change. */
export const GAP_COMMENT = 'some missed events are no longer in the log';
/** Seconds between keep-alive comments. */
export const HEARTBEAT_SECONDS = 20;
/** Seconds between checks of every source, in case a trigger was lost. */
export const MAX_CHECK_INTERVAL_SECONDS = 30;
/** Maximum number of queued live messages per client. One more aborts the stream. */
export const MAX_QUEUED_EVENTS = 64;
/** Range of the `retry` field of a stream, the reconnect delay of its client in milliseconds: a deployment ends every stream at once. */
export const MIN_RETRY_MS = 1000;
export const MAX_RETRY_MS = 15_000;
/** Retry-After while the stream is at capacity, in seconds. */
export const CAPACITY_RETRY_SECONDS = 30;
/** Heartbeats without a read after which a stream with queued data is aborted. */
export const MAX_STALLED_HEARTBEATS = 3;
/** Status of a shard's response that contains the refusal of a slot. */
export const SLOT_REFUSED_STATUS = 429;
/** How long an isolate does not ask a shard that was full, and one that was unreachable, in milliseconds. */
export const SHARD_FULL_SKIP_MS = 10_000;
export const SHARD_UNREACHABLE_SKIP_MS = 2000;
/** Maximum number of shards that one open asks. Doubling steps reach the last of 64 shards with nine. */
export const MAX_SHARDS_ASKED = 9;
/** Slots that a shard renews or releases concurrently, and the timeout of each in milliseconds. */
export const RENEWAL_CONCURRENCY = 4;
export const RENEWAL_TIMEOUT_MS = 5000;
/** Maximum events and characters per page of a replay. A shard may hold one page per stream in memory. */
export const REPLAY_PAGE_EVENTS = 500;
export const REPLAY_PAGE_CHARACTERS = 50_000;
/** Delay before missed events are sent to a shard again, in seconds. */
export const CATCH_UP_DELAY_SECONDS = 5;
/** Timeout of one source, in milliseconds, so a hanging source does not delay the others. */
export const SOURCE_TIMEOUT_MS = 5000;
/** Timeout of one shard, in milliseconds. */
export const SHARD_TIMEOUT_MS = 5000;
/** Events per batch of the follower. */
export const FOLLOWER_BATCH_SIZE = 20;
/** Timeout of one batch of the follower, in milliseconds. */
export const FOLLOWER_TIMEOUT_MS = 5000;
/** Maximum time that an insert waits for its event to be published, in milliseconds. */
export const PUBLISH_TIMEOUT_MS = 10_000;
