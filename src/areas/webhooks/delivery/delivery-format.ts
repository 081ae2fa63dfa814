import type { Delivery } from './deliveries.repository.ts';
import type { Outcome, PostResult } from './delivery.domain.ts';

/** State shared by the deliveries of a round. */
export interface Round {
  /** Images drawn so far. */
  drawings: number;
}

/**
 * A delivery before its attempt is counted. `postponed`: left for a later round. `unreadable`: the URL or secret cannot be decrypted.
 * `failed`: not retried.
 */
export type Prepared =
  | { kind: 'ready'; post(): Promise<PostResult> }
  | { kind: 'postponed' }
  | { kind: 'unreadable' }
  | { kind: 'failed'; error: string };

/** One format of posts. Queue, pace, leases and results are shared by all formats. */
export interface DeliveryFormat {
  /** Whether attempts are logged. */
  isLogged: boolean;
  /** Delay of the other deliveries to an endpoint that does not respond, in milliseconds; 0: none. */
  otherDeliveriesDelayMs: number;
  /** `disabled_reason` of a webhook whose endpoint is gone. */
  goneReason: string;
  prepare(delivery: Delivery, round: Round): Promise<Prepared>;
  /** Outcome of an attempt for its delivery. */
  outcomeOf(result: PostResult, delivery: Delivery): Outcome;
}
