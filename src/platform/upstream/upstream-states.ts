import type { UnixSeconds } from '../time/clock.ts';

/** `ETag` and `Last-Modified` of the last confirmed response, valid for one address. */
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
  /** Why the last call failed; null after a success. */
  lastError: string | null;
  /** Failed calls since the last success. */
  failures: number;
  /** No requests before this instant; null while the circuit is closed. */
  pausedUntil: UnixSeconds | null;
}

/** Memory of the upstream client. */
export interface UpstreamStates {
  find(source: string): Promise<UpstreamState | null>;
  /** Every source that was ever called. */
  all(): Promise<UpstreamState[]>;
  save(state: UpstreamState): Promise<void>;
  /** Ends the pauses of these sources. Their failures stay counted: the next one pauses them again. */
  resume(sources: readonly string[]): Promise<void>;
}
