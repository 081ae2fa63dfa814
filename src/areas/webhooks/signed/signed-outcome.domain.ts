import { pauseAfter, type RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import type { Outcome, PostResult } from '../delivery/delivery.domain.ts';

/** How long a delivery is retried, in seconds. */
export const RETRY_SECONDS = 86_400;
/**
 * Attempts after 5 s, 20 s, 80 s, 5, 21 and 85 minutes, 5.7 hours and then every 8 hours: ten in a day. No limit by number, because
 * attempts that a crash cut off count as well.
 */
export const RETRY_POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 5, factor: 4, longestPauseSeconds: 28_800 };
/** Share of a pause that is random. It only shortens, so that the last attempt stays within the day. */
const JITTER = 0.2;

/** Where a delivery stands; instants are real milliseconds. */
export interface RetryState {
  /** Attempts so far, this one included. */
  tries: number;
  expiresAt: number;
  now: number;
}

/** Only 2xx is a success and only 410 is final; everything else is tried again until the delivery expires. `random`: uniform in [0, 1). */
export function signedOutcomeOf(
  { status, retryAfterSeconds }: Pick<PostResult, 'status' | 'retryAfterSeconds'>,
  { tries, expiresAt, now }: RetryState,
  random: () => number,
): Outcome {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  const scheduled = (pauseAfter(RETRY_POLICY, tries) ?? 0) * (1 - JITTER * random());
  const asked = Math.min(retryAfterSeconds ?? 0, RETRY_POLICY.longestPauseSeconds);
  const waitMilliseconds = Math.max(scheduled, asked) * 1000;
  return now + waitMilliseconds < expiresAt ? { kind: 'again', waitMilliseconds, isBusy: false } : { kind: 'failed' };
}
