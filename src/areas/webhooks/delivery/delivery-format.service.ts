import type { Delivery } from './deliveries.store.ts';
import type { PostLimit } from './delivery.data.ts';
import type { Outcome, PostResult } from './delivery.domain.ts';

/** State shared by the deliveries of a round. */
export interface Round {
  /** Images drawn so far. */
  drawings: number;
  /** Deliveries that wait for the secret of the service. */
  locked: number;
  /** Index of the sender object. */
  sender: number;
}

/**
 * A delivery before its attempt is counted. `postponed`: left for a later round. `locked`: waits until the service has the secret that
 * decrypts the URL and signing secret. `unreadable`: they cannot be decrypted. `failed`: not retried.
 */
export type Prepared =
  | { kind: 'ready'; post(): Promise<PostResult> }
  | { kind: 'postponed' }
  | { kind: 'locked' }
  | { kind: 'unreadable' }
  | { kind: 'failed'; error: string };

/** One format of posts. Queue, windows, leases and results are shared by all formats. */
export interface DeliveryFormat {
  /** Whether attempts are logged. */
  isLogged: boolean;
  /** Whether a pending delivery blocks the later ones of its webhook. */
  isOrdered: boolean;
  /** The rate limits of a URL. */
  limits: readonly PostLimit[];
  /** Delay of the other deliveries to an endpoint that does not respond, in milliseconds; 0: none. */
  otherDeliveriesDelayMs: number;
  /** `disabled_reason` of a webhook whose endpoint is gone. */
  goneReason: string;
  prepare(delivery: Delivery, round: Round): Promise<Prepared>;
  /** Outcome of an attempt for its delivery. */
  outcomeOf(result: PostResult, delivery: Delivery): Outcome;
}
