import type { Delivery } from './deliveries.repository.ts';
import type { Outcome, PostResult } from './delivery.domain.ts';

/** What the deliveries of a round share. */
export interface Round {
  /** Images drawn so far. */
  drawings: number;
}

/**
 * A delivery before its attempt is counted. `waits`: it was postponed, or stays for the next round. `unreadable`: its webhook cannot be
 * used any more. `failed`: it must not be tried again.
 */
export type Prepared =
  | { kind: 'ready'; post(): Promise<PostResult> }
  | { kind: 'waits' }
  | { kind: 'unreadable' }
  | { kind: 'failed'; error: string };

/** One way of posting events. Queue, pace, leases and settling are the same for all. */
export interface DeliveryFormat {
  /** Also whether attempts are kept in the log. */
  isLogged: boolean;
  /** Milliseconds for which the other deliveries of a webhook wait when its endpoint does not respond; 0: they do not. */
  holdMilliseconds: number;
  /** Why a webhook is switched off when its address says that it is gone. */
  goneReason: string;
  prepare(delivery: Delivery, round: Round): Promise<Prepared>;
  /** What an attempt means for its delivery. */
  outcomeOf(result: PostResult, delivery: Delivery): Outcome;
}
