import { pauseAfter } from '../../../platform/durable/retry-policy.domain.ts';
import { CHAT_LIMITS, type PostLimit, RETRY_POLICY } from './delivery.data.ts';

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

/** Result of a test post. */
export interface TestResult {
  ok: boolean;
  status: number | null;
  error: string | null;
}

/** Wakes the sender objects of these indexes, which have due deliveries. */
export type WakeSenders = (senders: readonly number[]) => Promise<void>;

/** Outcome of an attempt. */
export type Outcome =
  | { kind: 'delivered' }
  /** Retry after the wait. `isBusy`: other posts to the URL wait too. */
  | { kind: 'retry'; waitMs: number; isBusy: boolean }
  | { kind: 'failed' }
  /** Its time is over. */
  | { kind: 'expired' }
  /** The webhook no longer exists. */
  | { kind: 'gone' };

/** Retry state of a delivery; times are unix milliseconds. */
export interface RetryState {
  /** Attempts so far, including this one. */
  tries: number;
  expiresAt: number;
  now: number;
}

/**
 * 2xx: delivered. 404 and 410: gone. 408, 429, 5xx and no response are retried until the delivery expires. Any other response ends it.
 * `Retry-After` can only lengthen a pause, up to an hour; after a 429 it replaces the pause.
 */
export function outcomeOf({ status, retryAfterSeconds }: Pick<PostResult, 'status' | 'retryAfterSeconds'>, state: RetryState): Outcome {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status !== null && status !== 408 && status !== 429 && status < 500) return { kind: 'failed' };
  const isBusy = status === 429;
  const pause =
    isBusy && retryAfterSeconds !== null
      ? Math.min(retryAfterSeconds, RETRY_POLICY.longestPauseSeconds)
      : (pauseAfter(RETRY_POLICY, state.tries, retryAfterSeconds) ?? 0);
  const waitMs = pause * 1000;
  return state.now + waitMs < state.expiresAt ? { kind: 'retry', waitMs, isBusy } : { kind: 'expired' };
}

/** Times of recent posts to a URL, and the end of its busy period, in unix milliseconds. */
export interface PostWindow {
  posts: readonly number[];
  busyUntil: number;
}

export const EMPTY_WINDOW: PostWindow = { posts: [], busyUntil: 0 };

const MAX_POSTS = Math.max(...CHAT_LIMITS.map(({ posts }) => posts));
const MAX_PERIOD_MS = Math.max(...CHAT_LIMITS.map(({ periodMs }) => periodMs));

/** Time of the next post that all limits allow. */
export function nextPostAt({ posts, busyUntil }: PostWindow, now: number, limits: readonly PostLimit[]): number {
  const allowed = limits.map((limit) => {
    const earliest = posts.at(-limit.posts);
    return earliest === undefined ? 0 : earliest + limit.periodMs;
  });
  return Math.max(now, busyUntil, ...allowed);
}

/** The window after a post at the given time. */
export function afterPost({ posts, busyUntil }: PostWindow, at: number): PostWindow {
  return { posts: [...posts, at].slice(-MAX_POSTS), busyUntil };
}

/** False when the window no longer delays a post. */
export const delaysPosts = ({ posts, busyUntil }: PostWindow, now: number): boolean =>
  busyUntil > now || (posts.at(-1) ?? 0) + MAX_PERIOD_MS > now;
