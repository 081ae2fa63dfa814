import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';

/** Timeout of a post including its response, in seconds. */
export const POST_TIMEOUT_SECONDS = 10;
/** Pauses of 2, 8 and 32 s, 2, 9 and 34 minutes, then an hour, until the message is a day old. */
export const RETRY_POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 2, factor: 4, longestPauseSeconds: 3600 };
/** Age in seconds at which a message is lost. */
export const MESSAGE_TTL_SECONDS = 86_400;
/** Age in seconds at which the delivery of a signed message is no longer retried. */
export const SIGNED_TTL_SECONDS = 86_400;
/** Attempts without a result after which a message is lost: each may have been posted. */
export const MAX_INTERRUPTIONS = 3;
/** Attempts without a result after which a message has no image, because drawing may have crashed the object. */
export const MAX_DRAWN_INTERRUPTIONS = 2;
/** Pending messages of a webhook. */
export const MAX_QUEUED_MESSAGES = 100;
/** Age in milliseconds from which a message says of when it is. */
export const LATE_MS = 300_000;
/** Lost messages in a row after which a webhook is disabled. */
export const MAX_FAILURES = 12;
/** Webhooks of a host that are looked at to tell a failure of the host. */
export const MAX_HOST_SAMPLE = 1000;

/** A rate limit per URL: posts per period. */
export interface PostLimit {
  posts: number;
  periodMs: number;
}
const BURST: PostLimit = { posts: 5, periodMs: 2000 };
/** The rate limits of the chat service, and those of endpoints of signed webhooks. */
export const CHAT_LIMITS: readonly PostLimit[] = [BURST, { posts: 30, periodMs: 60_000 }];
export const SIGNED_LIMITS: readonly PostLimit[] = [BURST];
/** URLs whose window a sender object stores. */
export const MAX_STORED_WINDOWS = 500;

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

/** Retention of deliveries, bodies and attempts of signed webhooks, in seconds. */
export const LOG_TTL_SECONDS = 7 * 86_400;
/** Stored deliveries per signed webhook. */
export const MAX_LOG_ROWS = 500;
/** Stored attempts per delivery. */
export const MAX_STORED_ATTEMPTS = 12;
