import {
  BURST_MILLISECONDS,
  DEFAULT_WAIT_SECONDS,
  LONGEST_WAIT_SECONDS,
  MAX_TRIES,
  POSTS_OF_A_BURST,
  RETRY_MILLISECONDS,
} from './delivery.data.ts';

/** How one post went. */
export interface PostResult {
  /** Status of the answer; null when there was none. */
  status: number | null;
  /** What went wrong, for the owner; null when nothing did. */
  error: string | null;
  /** What the chat service asked for, in seconds. */
  retryAfterSeconds: number | null;
  /** Beginning of the response as it may be shown, where it is kept. */
  response?: string;
}

/** What a post means for its delivery. */
export type Outcome =
  | { kind: 'delivered' }
  /** To be tried again after so many milliseconds; `isBusy`: so must every other post to the address. */
  | { kind: 'again'; waitMilliseconds: number; isBusy: boolean }
  | { kind: 'failed' }
  /** The webhook is no more. */
  | { kind: 'gone' };

/** `tries`: posts of the delivery so far, this one included. */
export function outcomeOf({ status, retryAfterSeconds }: PostResult, tries: number): Outcome {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const mayPass = status === null || status === 429 || status >= 500;
  if (!mayPass || tries >= MAX_TRIES) return { kind: 'failed' };
  if (status !== 429) return { kind: 'again', waitMilliseconds: RETRY_MILLISECONDS * tries, isBusy: false };
  const seconds = Math.min(retryAfterSeconds ?? DEFAULT_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
  return { kind: 'again', waitMilliseconds: seconds * 1000, isBusy: true };
}

/** When posts to an address were made, and until when it wants none. In real milliseconds. */
export interface Pace {
  posts: readonly number[];
  busyUntil: number;
}

export const IDLE_PACE: Pace = { posts: [], busyUntil: 0 };

/** When the next post may be made. */
export function nextPostAt({ posts, busyUntil }: Pace, now: number): number {
  const earliest = posts.at(-POSTS_OF_A_BURST);
  return Math.max(now, busyUntil, earliest === undefined ? 0 : earliest + BURST_MILLISECONDS);
}

/** The pace once a post is made at an instant. */
export function afterPost({ posts, busyUntil }: Pace, at: number): Pace {
  return { posts: [...posts, at].slice(-POSTS_OF_A_BURST), busyUntil };
}
