import type { UnixSeconds } from '../../platform/time/clock.ts';

/** `lifeSeconds`: a listing ends so long after it was made; `staleSeconds`: it counts as gone when unseen for so long. */
export interface ListingRules {
  lifeSeconds: number;
  staleSeconds: number;
}

/** An offer on the market. All but `lastSeen` is fixed: the game issues a new id when a listing changes. */
export interface Listing {
  /** Lower-case UUID that the game made the listing with. */
  id: string;
  name: string;
  type: string | null;
  stack: number;
  /** Price of the whole stack. */
  price: number;
  /** Price of one, in thousandths. */
  milliEach: number;
  createdAt: UnixSeconds;
  lastSeen: UnixSeconds;
}

/** Oldest times an active listing may have. */
export interface ActiveSince {
  lastSeen: UnixSeconds;
  createdAt: UnixSeconds;
}

export function activeSince(now: UnixSeconds, rules: ListingRules): ActiveSince {
  return { lastSeen: now - rules.staleSeconds, createdAt: now - rules.lifeSeconds };
}

/** Last instant at which a listing is active; for the oldest times of several: at which all of them are. */
export function activeUntil({ createdAt, lastSeen }: Pick<Listing, 'createdAt' | 'lastSeen'>, rules: ListingRules): UnixSeconds {
  return Math.min(createdAt + rules.lifeSeconds, lastSeen + rules.staleSeconds);
}

export function expiresAt(listing: Pick<Listing, 'createdAt'>, rules: ListingRules): UnixSeconds {
  return listing.createdAt + rules.lifeSeconds;
}

/** Whether the listing ended or was not seen for too long. */
export function isExpired(
  { createdAt, lastSeen }: Pick<Listing, 'createdAt' | 'lastSeen'>,
  now: UnixSeconds,
  rules: ListingRules,
): boolean {
  const since = activeSince(now, rules);
  return createdAt < since.createdAt || lastSeen < since.lastSeen;
}
