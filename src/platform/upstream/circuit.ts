import type { UnixSeconds } from '../time/clock.ts';
import type { UpstreamState } from './upstream-states.ts';

/** Failed calls in a row after which a source is left alone for a while. */
export const FAILURES_TO_PAUSE = 5;
const INITIAL_PAUSE_SECONDS = 60;
/** Longest pause of our own making: a source that comes back is found within it. */
export const MAX_PAUSE_SECONDS = 900;
/** Longest pause that a source may ask for. */
export const MAX_RETRY_AFTER_SECONDS = 86_400;

export interface Failure {
  message: string;
  /** What the source asked for in `Retry-After`, or null. */
  retryAfterSeconds: number | null;
}

/** A source nobody has called yet. */
export function unknownState(source: string): UpstreamState {
  return { source, validators: null, lastSuccessAt: null, lastFailureAt: null, lastError: null, failures: 0, pausedUntil: null };
}

export function isPaused(state: UpstreamState, now: UnixSeconds): boolean {
  return state.pausedUntil !== null && now < state.pausedUntil;
}

/** Whether a call may be repeated at once when it fails; a source that fails all the time gets a single try. */
export function deservesRetries(state: UpstreamState): boolean {
  return state.failures < FAILURES_TO_PAUSE;
}

export function afterSuccess(state: UpstreamState, now: UnixSeconds): UpstreamState {
  return { ...state, lastSuccessAt: now, lastError: null, failures: 0, pausedUntil: null };
}

/** Pauses double from the fifth failure in a row; a pause that the source asked for counts from the first. */
export function afterFailure(state: UpstreamState, failure: Failure, now: UnixSeconds): UpstreamState {
  const failures = state.failures + 1;
  const excess = failures - FAILURES_TO_PAUSE;
  const own = excess < 0 ? 0 : Math.min(MAX_PAUSE_SECONDS, INITIAL_PAUSE_SECONDS * 2 ** Math.min(excess, 16));
  const asked = Math.min(MAX_RETRY_AFTER_SECONDS, failure.retryAfterSeconds ?? 0);
  const pause = Math.max(own, asked);
  return { ...state, lastFailureAt: now, lastError: failure.message, failures, pausedUntil: pause > 0 ? now + pause : null };
}
