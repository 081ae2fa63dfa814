import { pauseAfter, type RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import type { Outcome, PostResult, RetryState } from '../delivery/delivery.domain.ts';

/** Signed webhooks per account. */
export const MAX_SIGNED_WEBHOOKS = 10;
/** Maximum length of an endpoint URL, in characters. */
export const MAX_ENDPOINT_LENGTH = 1000;

/**
 * Number of sender objects for signed webhooks. They are separate from those of chat webhooks, so slow endpoints do not delay chat
 * messages.
 */
export const SIGNED_SENDER_COUNT = 8;

/** Delay of the deliveries to an endpoint that does not respond, in milliseconds, so it does not delay other endpoints. */
export const UNRESPONSIVE_DELAY_MS = 30_000;

/** How long the previous secret still signs after a rotation, in seconds. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;
export const MAX_OVERLAP_SECONDS = 7 * 86_400;

/** Maximum length of a response excerpt, in characters. */
export const MAX_EXCERPT_LENGTH = 500;

/**
 * Delays of 5 s, 20 s, 80 s, 5, 21 and 85 minutes, 5.7 hours, then 8 hours: ten attempts in a day. The number of attempts is not limited,
 * because attempts that crashed count too.
 */
const RETRY_POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 5, factor: 4, longestPauseSeconds: 28_800 };
/** Random share of a delay. Jitter only shortens delays, so the last attempt stays within the day. */
const JITTER = 0.2;

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

/** First characters of a response. Characters that are not printable are replaced by spaces. */
export function excerptOf(text: string): string {
  return text
    .slice(0, MAX_EXCERPT_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu, ' ')
    .trim();
}
