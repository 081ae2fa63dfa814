import type { UnixSeconds } from '../kit/time/clock.ts';
import type { UpstreamError } from './upstream-error.ts';

const INITIAL_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 8000;
/** A source that requests a longer pause is not retried by the same job run. */
const MAX_RETRY_WAIT_SECONDS = 10;
const TRANSIENT_STATUSES = [408, 425, 429, 500, 502, 503, 504];

/** True if a retry within seconds may succeed. */
export function isRetryable(error: UpstreamError): boolean {
  if (error.retryAfterSeconds !== null && error.retryAfterSeconds > MAX_RETRY_WAIT_SECONDS) return false;
  if (error.kind === 'status') return TRANSIENT_STATUSES.includes(error.status ?? 0);
  return error.kind === 'network' || error.kind === 'timeout';
}

/**
 * Delay before the next attempt: exponential backoff with 50% jitter, which spreads the load on a recovering source. At least the
 * `Retry-After` of the source.
 */
export function retryDelayMs(failedAttempts: number, error: UpstreamError, random: () => number): number {
  const delay = Math.min(MAX_RETRY_DELAY_MS, INITIAL_RETRY_DELAY_MS * 2 ** (failedAttempts - 1));
  const jittered = delay / 2 + (random() * delay) / 2;
  return Math.max(jittered, (error.retryAfterSeconds ?? 0) * 1000);
}

/** Parses `Retry-After`, a number (some services send a fraction) or a date, to whole seconds; null if it is invalid. */
export function retryAfterSeconds(header: string | null, now: UnixSeconds): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Math.ceil(Number(text));
  const at = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil(at / 1000) - now);
}

/** Waits. Rejects with the reason of the signal when it aborts. */
export function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
