/** Seconds that a post may take, answer included. */
export const POST_TIMEOUT_SECONDS = 10;
/** Posts of one delivery that may fail. */
export const MAX_ATTEMPTS = 3;
/** Milliseconds before the next try after a failed one, times the tries made. */
export const RETRY_MS = 500;
/** Seconds waited when the chat service asks to wait and does not say how long, and the longest wait. */
export const DEFAULT_WAIT_SECONDS = 1;
export const MAX_RETRY_WAIT_SECONDS = 5;
/** Deliveries in a row that may fail before a webhook is switched off. */
export const MAX_FAILURES = 12;

/** What the chat service takes at one address: so many posts in so many milliseconds. */
export const POSTS_OF_A_BURST = 5;
export const BURST_MS = 2000;
/** Addresses whose last posts an object remembers. */
export const MAX_CACHED_PACES = 500;
/** Longest that somebody who tries a webhook waits for its turn, in milliseconds. */
export const MAX_TEST_WAIT_MS = 4000;

/** Objects that post; each webhook belongs to one by its address. */
export const SENDERS = 8;
/** Addresses that an object posts to side by side. */
export const POST_CONCURRENCY = 6;
/** Deliveries an object takes up at once. */
export const BATCH = 30;
/**
 * Images an object draws in a round of deliveries; the others stay for the next round. Each takes less than a second of processor time,
 * and a round has 30 (`limits.cpu_ms` of a Worker when nothing is set).
 */
export const MAX_DRAWINGS_OF_A_ROUND = 10;
/** Milliseconds after which a try that was never heard of again counts as crashed: longer than any takes. */
export const LEASE_MS = 30_000;

/** Webhooks of an account. */
export const MAX_WEBHOOKS = 15;
export const MAX_LABEL_LENGTH = 80;
/** Longest error that is kept. */
export const MAX_ERROR_LENGTH = 200;
/** Keys of events are kept so long, in seconds: well beyond the memory of the stream, so that none is told twice. */
export const JOB_SECONDS = 30 * 86_400;
