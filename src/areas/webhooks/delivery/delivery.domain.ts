import type { Delivery } from './deliveries.store.ts';
import { BURST_MS, DEFAULT_WAIT_SECONDS, MAX_ATTEMPTS, MAX_BURST_POSTS, MAX_RETRY_WAIT_SECONDS, RETRY_MS } from './delivery.data.ts';

/** Result of a post. */
export interface PostResult {
  /** Status of the response; null: no response. */
  status: number | null;
  /** Error for the owner; null: none. */
  error: string | null;
  /** Retry-After of the response, in seconds. */
  retryAfterSeconds: number | null;
  /** Printable excerpt of the response; signed webhooks only. */
  response?: string;
}

/** Outcome of an attempt. */
export type Outcome =
  | { kind: 'delivered' }
  /** Retry after the wait. `isBusy`: other posts to the URL wait too. */
  | { kind: 'retry'; waitMs: number; isBusy: boolean }
  | { kind: 'failed' }
  /** The webhook no longer exists. */
  | { kind: 'gone' };

/** `tries`: attempts so far, including this one. */
export function outcomeOf({ status, retryAfterSeconds }: PostResult, tries: number): Outcome {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const isRetryable = status === null || status === 429 || status >= 500;
  if (!isRetryable || tries >= MAX_ATTEMPTS) return { kind: 'failed' };
  if (status !== 429) return { kind: 'retry', waitMs: RETRY_MS * tries, isBusy: false };
  const seconds = Math.min(retryAfterSeconds ?? DEFAULT_WAIT_SECONDS, MAX_RETRY_WAIT_SECONDS);
  return { kind: 'retry', waitMs: seconds * 1000, isBusy: true };
}

/** Times of recent posts to a URL, and the end of its busy period, in unix milliseconds. */
export interface Pace {
  posts: readonly number[];
  busyUntil: number;
}

export const IDLE_PACE: Pace = { posts: [], busyUntil: 0 };

/** Time of the next allowed post. */
export function nextPostAt({ posts, busyUntil }: Pace, now: number): number {
  const earliest = posts.at(-MAX_BURST_POSTS);
  return Math.max(now, busyUntil, earliest === undefined ? 0 : earliest + BURST_MS);
}

/** Pace after a post at the given time. */
export function afterPost({ posts, busyUntil }: Pace, at: number): Pace {
  return { posts: [...posts, at].slice(-MAX_BURST_POSTS), busyUntil };
}

/** State shared by the deliveries of a round. */
export interface Round {
  /** Images drawn so far. */
  drawings: number;
  /** Deliveries that wait for the secret of the service. */
  locked: number;
}

/**
 * A delivery before its attempt is counted. `postponed`: left for a later round. `locked`: waits until the service has the secret that
 * decrypts the URL and signing secret. `unreadable`: they cannot be decrypted. `failed`: not retried.
 */
export type Prepared =
  | { kind: 'ready'; post(): Promise<PostResult> }
  | { kind: 'postponed' }
  | { kind: 'locked' }
  | { kind: 'unreadable' }
  | { kind: 'failed'; error: string };

/** One format of posts. Queue, pace, leases and results are shared by all formats. */
export interface DeliveryFormat {
  /** Whether attempts are logged. */
  isLogged: boolean;
  /** Delay of the other deliveries to an endpoint that does not respond, in milliseconds; 0: none. */
  otherDeliveriesDelayMs: number;
  /** `disabled_reason` of a webhook whose endpoint is gone. */
  goneReason: string;
  prepare(delivery: Delivery, round: Round): Promise<Prepared>;
  /** Outcome of an attempt for its delivery. */
  outcomeOf(result: PostResult, delivery: Delivery): Outcome;
}
