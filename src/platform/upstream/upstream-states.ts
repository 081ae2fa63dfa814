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
