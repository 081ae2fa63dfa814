import type { UnixSeconds } from '../time/clock.ts';
import type { UpstreamState } from './upstream-states.ts';

/** Failed calls in a row after which a source is left alone for a while. */
export const FAILURES_TO_PAUSE = 5;
const INITIAL_PAUSE_SECONDS = 60;
/** Maximum pause without `Retry-After`: a recovered source is detected within it. */
export const MAX_PAUSE_SECONDS = 900;
/** Maximum pause that a source may request. */
export const MAX_RETRY_AFTER_SECONDS = 86_400;

export interface Failure {
  message: string;
  /** `Retry-After` of the source, or null. */
  retryAfterSeconds: number | null;
}

/** The state of a source without requests. */
export function unknownState(source: string): UpstreamState {
  return { source, validators: null, lastSuccessAt: null, lastFailureAt: null, lastError: null, failures: 0, pausedUntil: null };
}

export function isPaused(state: UpstreamState, now: UnixSeconds): boolean {
  return state.pausedUntil !== null && now < state.pausedUntil;
}

/** True when a failed request may be repeated at once; a source that keeps failing gets a single attempt. */
export function deservesRetries(state: UpstreamState): boolean {
  return state.failures < FAILURES_TO_PAUSE;
}

export function afterSuccess(state: UpstreamState, now: UnixSeconds): UpstreamState {
  return { ...state, lastSuccessAt: now, lastError: null, failures: 0, pausedUntil: null };
}

/** Pauses double from the fifth failure in a row; a pause requested by the source applies from the first. */
export function afterFailure(state: UpstreamState, failure: Failure, now: UnixSeconds): UpstreamState {
  const failures = state.failures + 1;
  const excess = failures - FAILURES_TO_PAUSE;
  const own = excess < 0 ? 0 : Math.min(MAX_PAUSE_SECONDS, INITIAL_PAUSE_SECONDS * 2 ** Math.min(excess, 16));
  const asked = Math.min(MAX_RETRY_AFTER_SECONDS, failure.retryAfterSeconds ?? 0);
  const pause = Math.max(own, asked);
  return { ...state, lastFailureAt: now, lastError: failure.message, failures, pausedUntil: pause > 0 ? now + pause : null };
}
