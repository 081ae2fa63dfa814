/** Timeout of a post including its response, in seconds. */
export const POST_TIMEOUT_SECONDS = 10;
/** Attempts per delivery. */
export const MAX_ATTEMPTS = 3;
/** Delay of a retry in milliseconds, multiplied by the attempts so far. */
export const RETRY_MS = 500;
/** Wait in seconds after a 429 without Retry-After, and the maximum wait. */
export const DEFAULT_WAIT_SECONDS = 1;
export const MAX_RETRY_WAIT_SECONDS = 5;
/** Failed deliveries in a row after which a webhook is disabled. */
export const MAX_FAILURES = 12;

/** Rate limit of the chat service per URL: posts per window of `BURST_MS`. */
export const MAX_BURST_POSTS = 5;
export const BURST_MS = 2000;
/** URLs whose pace a sender object caches. */
export const MAX_CACHED_PACES = 500;
/** Maximum wait of a test post, in milliseconds. */
export const MAX_TEST_WAIT_MS = 4000;

/** Number of sender objects for chat webhooks. The URL of a webhook selects its object. */
export const SENDER_COUNT = 8;
/** URLs that an object posts to concurrently. */
export const POST_CONCURRENCY = 6;
/** Deliveries per round of an object. */
export const MAX_DELIVERIES_PER_ROUND = 30;
/** Images per round of an object. An image takes less than 1 s of CPU time, and a round has 30 s (default `limits.cpu_ms` of a Worker). */
export const MAX_DRAWINGS_PER_ROUND = 10;
/** Lease of an attempt in milliseconds, longer than any attempt. An attempt that exceeds it counts as crashed. */
export const LEASE_MS = 30_000;
/** Delay of a delivery whose URL or secret cannot be decrypted at present, in milliseconds. */
export const LOCKED_DELAY_MS = 60_000;

/** Chat webhooks per account. */
export const MAX_WEBHOOKS = 15;
export const MAX_LABEL_LENGTH = 80;
/** Maximum length of a stored error. */
export const MAX_ERROR_LENGTH = 200;
/** Lifetime of event keys in seconds. Longer than the replay log of the event stream, because an event must not be posted twice. */
export const JOB_TTL_SECONDS = 30 * 86_400;
