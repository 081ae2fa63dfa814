import { floorDiv } from '../../platform/time/arithmetic.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { roundTo } from '../../platform/values/rounding.ts';
import type { Listing } from './listing.domain.ts';
import { quantile } from './prices.domain.ts';

/** Listings created in one bucket. */
export interface TimelinePoint {
  /** Start of the stretch, a multiple of its length. */
  bucket: UnixSeconds;
  listings: number;
  /** Pieces in all their stacks. */
  stack: number;
  /** Quartiles of the price of one, 3 decimals. */
  p25: number;
  p50: number;
  p75: number;
}

type Offered = Pick<Listing, 'createdAt' | 'stack' | 'milliEach'>;

/** Groups listings by when they were made, oldest first; stretches without any are left out. */
export function timelineOf(listings: readonly Offered[], bucketSeconds: number): TimelinePoint[] {
  const buckets = new Map<UnixSeconds, Offered[]>();
  for (const listing of listings) {
    const bucket = floorDiv(listing.createdAt, bucketSeconds) * bucketSeconds;
    const known = buckets.get(bucket);
    if (known) known.push(listing);
    else buckets.set(bucket, [listing]);
  }
  return [...buckets].sort(([one], [other]) => one - other).map(([bucket, members]) => pointOf(bucket, members));
}

function pointOf(bucket: UnixSeconds, members: readonly Offered[]): TimelinePoint {
  const prices = members.map(({ milliEach }) => milliEach).sort((one, other) => one - other);
  const at = (share: number) => roundTo(quantile(prices, share) / 1000, 3);
  const stack = members.reduce((sum, listing) => sum + listing.stack, 0);
  return { bucket, listings: members.length, stack, p25: at(0.25), p50: at(0.5), p75: at(0.75) };
}
