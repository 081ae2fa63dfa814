import type { UnixSeconds } from '../time/clock.ts';
import type { UpstreamError } from './upstream-error.ts';

const INITIAL_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 8000;
/** A source that requests a longer pause is not retried in the same run. */
const MAX_AWAITED_RETRY_SECONDS = 10;
const PASSING_STATUSES = [408, 425, 429, 500, 502, 503, 504];

/** True when the same request may succeed a moment later. */
export function isWorthRetrying(error: UpstreamError): boolean {
  if (error.retryAfterSeconds !== null && error.retryAfterSeconds > MAX_AWAITED_RETRY_SECONDS) return false;
  if (error.kind === 'status') return PASSING_STATUSES.includes(error.status ?? 0);
  return error.kind === 'network' || error.kind === 'timeout';
}

/**
 * Pause before the attempt after `failedAttempts`: doubling, with 50% jitter to spread the load on a recovering source; never
 * shorter than the source requested.
 */
export function pauseBeforeRetry(failedAttempts: number, error: UpstreamError, random: () => number): number {
  const full = Math.min(MAX_RETRY_DELAY_MS, INITIAL_RETRY_DELAY_MS * 2 ** (failedAttempts - 1));
  const spread = full / 2 + (random() * full) / 2;
  return Math.max(spread, (error.retryAfterSeconds ?? 0) * 1000);
}

/** Whole seconds of a `Retry-After` header, given as a number (some add a fraction) or a date; null when it is invalid. */
export function retryAfterSeconds(header: string | null, now: UnixSeconds): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Math.ceil(Number(text));
  const at = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil(at / 1000) - now);
}

/** Waits, or rejects with the signal's reason as soon as it aborts. */
export function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abandon = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abandon);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abandon();
    else signal?.addEventListener('abort', abandon, { once: true });
  });
}
