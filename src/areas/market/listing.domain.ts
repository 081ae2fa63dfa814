import type { UnixSeconds } from '../../platform/kit/time/clock.ts';

/** `lifeSeconds`: lifetime of a listing; `staleSeconds`: time without a sighting after which it counts as expired. */
export interface ListingRules {
  lifeSeconds: number;
  staleSeconds: number;
}

/** A market listing. Immutable except for `lastSeen`: the game issues a new id when a listing changes. */
export interface Listing {
  /** Lower-case UUID issued by the game. */
  id: string;
  name: string;
  type: string | null;
  stack: number;
  /** Price of the whole stack. */
  price: number;
  /** Unit price in thousandths. */
  milliEach: number;
  createdAt: UnixSeconds;
  lastSeen: UnixSeconds;
}

/** Minimum times of an active listing. */
export interface ActiveSince {
  lastSeen: UnixSeconds;
  createdAt: UnixSeconds;
}

export function activeSince(now: UnixSeconds, rules: ListingRules): ActiveSince {
  return { lastSeen: now - rules.staleSeconds, createdAt: now - rules.lifeSeconds };
}

/** Last instant at which a listing is active. With the oldest times of several listings: at which all of them are. */
export function activeUntil({ createdAt, lastSeen }: Pick<Listing, 'createdAt' | 'lastSeen'>, rules: ListingRules): UnixSeconds {
  return Math.min(createdAt + rules.lifeSeconds, lastSeen + rules.staleSeconds);
}

export function expiresAt(listing: Pick<Listing, 'createdAt'>, rules: ListingRules): UnixSeconds {
  return listing.createdAt + rules.lifeSeconds;
}

/** Whether the listing ended or was not seen for `staleSeconds`. */
export function isExpired(
  { createdAt, lastSeen }: Pick<Listing, 'createdAt' | 'lastSeen'>,
  now: UnixSeconds,
  rules: ListingRules,
): boolean {
  const since = activeSince(now, rules);
  return createdAt < since.createdAt || lastSeen < since.lastSeen;
}
