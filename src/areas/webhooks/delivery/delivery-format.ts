import type { Delivery } from './deliveries.repository.ts';
import type { Outcome, PostResult } from './delivery.domain.ts';

/** State shared by the deliveries of a round. */
export interface Round {
  /** Images drawn so far. */
  drawings: number;
}

/**
 * A delivery before its attempt is counted. `waits`: postponed or left for the next round. `unreadable`: the webhook cannot be decrypted.
 * `failed`: not retried.
 */
export type Prepared =
  | { kind: 'ready'; post(): Promise<PostResult> }
  | { kind: 'waits' }
  | { kind: 'unreadable' }
  | { kind: 'failed'; error: string };

/** One format of posts. Queue, pace, leases and settling are shared. */
export interface DeliveryFormat {
  /** Whether attempts are logged. */
  isLogged: boolean;
  /** Delay of the other deliveries of a webhook whose endpoint does not respond, in milliseconds; 0: none. */
  holdMs: number;
  /** Disabled reason of a webhook whose endpoint is gone. */
  goneReason: string;
  prepare(delivery: Delivery, round: Round): Promise<Prepared>;
  /** Outcome of an attempt for its delivery. */
  outcomeOf(result: PostResult, delivery: Delivery): Outcome;
}
