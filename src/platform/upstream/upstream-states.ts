import type { UnixSeconds } from '../kit/time/clock.ts';

/** `ETag` and `Last-Modified` of the last confirmed response of a URL. */
export interface Validators {
  url: string;
  etag: string | null;
  lastModified: string | null;
  confirmedAt: UnixSeconds;
}

/** Stored state of a source between requests. */
export interface UpstreamState {
  source: string;
  validators: Validators | null;
  lastSuccessAt: UnixSeconds | null;
  lastFailureAt: UnixSeconds | null;
  /** Error of the last request; null after a success. */
  lastError: string | null;
  /** Number of failures since the last success. */
  failures: number;
  /** No requests before this instant; null while the circuit is closed. */
  pausedUntil: UnixSeconds | null;
}

/** Stores the states of sources. */
export interface UpstreamStates {
  find(source: string): Promise<UpstreamState | null>;
  /** Every source that was ever requested. */
  all(): Promise<UpstreamState[]>;
  save(state: UpstreamState): Promise<void>;
  /** Ends the pauses of the sources. The number of failures stays, so the next failure pauses the source again. */
  resume(sources: readonly string[]): Promise<void>;
}

/** Number of consecutive failures that pause a source. */
export const FAILURES_TO_PAUSE = 5;
const INITIAL_PAUSE_SECONDS = 60;
/** Maximum pause without `Retry-After`, and so the maximum delay until a recovered source is detected. */
export const MAX_PAUSE_SECONDS = 900;
/** Maximum pause that a source may request with `Retry-After`. */
export const MAX_RETRY_AFTER_SECONDS = 86_400;

export interface Failure {
  message: string;
  /** `Retry-After` of the source, or null. */
  retryAfterSeconds: number | null;
}

/** State of a source that was never requested. */
export function unknownState(source: string): UpstreamState {
  return { source, validators: null, lastSuccessAt: null, lastFailureAt: null, lastError: null, failures: 0, pausedUntil: null };
}

export function isPaused(state: UpstreamState, now: UnixSeconds): boolean {
  return state.pausedUntil !== null && now < state.pausedUntil;
}

/** False for a source that keeps failing: each request then makes a single attempt. */
export function allowsRetries(state: UpstreamState): boolean {
  return state.failures < FAILURES_TO_PAUSE;
}

export function afterSuccess(state: UpstreamState, now: UnixSeconds): UpstreamState {
  return { ...state, lastSuccessAt: now, lastError: null, failures: 0, pausedUntil: null };
}

/** From the fifth consecutive failure on, the pause doubles each time. A pause that the source requests applies from the first failure. */
export function afterFailure(state: UpstreamState, failure: Failure, now: UnixSeconds): UpstreamState {
  const failures = state.failures + 1;
  const excess = failures - FAILURES_TO_PAUSE;
  const backoff = excess < 0 ? 0 : Math.min(MAX_PAUSE_SECONDS, INITIAL_PAUSE_SECONDS * 2 ** Math.min(excess, 16));
  const requested = Math.min(MAX_RETRY_AFTER_SECONDS, failure.retryAfterSeconds ?? 0);
  const pause = Math.max(backoff, requested);
  return { ...state, lastFailureAt: now, lastError: failure.message, failures, pausedUntil: pause > 0 ? now + pause : null };
}
