import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { floorDiv } from '../../platform/kit/time/clock.ts';
import { roundTo } from '../../platform/kit/values/rounding.ts';
import type { Listing } from './listing.domain.ts';
import { quantile } from './prices.domain.ts';

/** Listings created in one bucket. */
export interface TimelinePoint {
  /** Start of the bucket, a multiple of its length. */
  bucket: UnixSeconds;
  listings: number;
  /** Sum of the stack sizes. */
  stack: number;
  /** Quartiles of the unit price, 3 decimals. */
  p25: number;
  p50: number;
  p75: number;
}

type PricedListing = Pick<Listing, 'createdAt' | 'stack' | 'milliEach'>;

/** Groups listings into buckets by creation time, oldest first; omits empty buckets. */
export function timelineOf(listings: readonly PricedListing[], bucketSeconds: number): TimelinePoint[] {
  const buckets = new Map<UnixSeconds, PricedListing[]>();
  for (const listing of listings) {
    const bucket = floorDiv(listing.createdAt, bucketSeconds) * bucketSeconds;
    const existing = buckets.get(bucket);
    if (existing) existing.push(listing);
    else buckets.set(bucket, [listing]);
  }
  return [...buckets].sort(([one], [other]) => one - other).map(([bucket, members]) => pointOf(bucket, members));
}

function pointOf(bucket: UnixSeconds, members: readonly PricedListing[]): TimelinePoint {
  const prices = members.map(({ milliEach }) => milliEach).sort((one, other) => one - other);
  const at = (share: number) => roundTo(quantile(prices, share) / 1000, 3);
  const stack = members.reduce((sum, listing) => sum + listing.stack, 0);
  return { bucket, listings: members.length, stack, p25: at(0.25), p50: at(0.5), p75: at(0.75) };
}
