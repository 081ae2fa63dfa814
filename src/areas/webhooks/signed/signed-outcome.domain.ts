import { pauseAfter, type RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import type { Outcome, PostResult } from '../delivery/delivery.domain.ts';
import { MAX_EXCERPT_LENGTH } from './signed-events.data.ts';

/** Duration of retries, in seconds. */
export const RETRY_SECONDS = 86_400;
/**
 * Delays of 5 s, 20 s, 80 s, 5, 21 and 85 minutes, 5.7 hours, then 8 hours: ten attempts in a day. The number of attempts is not limited,
 * because attempts that crashed count too.
 */
export const RETRY_POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 5, factor: 4, longestPauseSeconds: 28_800 };
/** Random share of a delay. Jitter only shortens delays, so the last attempt stays within the day. */
const JITTER = 0.2;

/** Retry state of a delivery; times are unix milliseconds. */
export interface RetryState {
  /** Attempts so far, including this one. */
  tries: number;
  expiresAt: number;
  now: number;
}

/** 2xx: delivered. 410: gone. Other results are retried until the delivery expires. `random`: uniform in [0, 1). */
export function signedOutcomeOf(
  { status, retryAfterSeconds }: Pick<PostResult, 'status' | 'retryAfterSeconds'>,
  { tries, expiresAt, now }: RetryState,
  random: () => number,
): Outcome {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  const scheduled = (pauseAfter(RETRY_POLICY, tries) ?? 0) * (1 - JITTER * random());
  const requested = Math.min(retryAfterSeconds ?? 0, RETRY_POLICY.longestPauseSeconds);
  const waitMs = Math.max(scheduled, requested) * 1000;
  return now + waitMs < expiresAt ? { kind: 'retry', waitMs, isBusy: false } : { kind: 'failed' };
}

/** A stored attempt to deliver a message. */
export interface DeliveryAttempt {
  /** Unix seconds. */
  at: number;
  /** Status of the response; null: no response. */
  status: number | null;
  /** Error; null: none. */
  error: string | null;
  duration_ms: number;
  /** Excerpt of the response body; may be empty. */
  response: string;
}

/** First characters of a response. Characters that are not printable are replaced by spaces. */
export function excerptOf(text: string): string {
  return text
    .slice(0, MAX_EXCERPT_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu, ' ')
    .trim();
}
