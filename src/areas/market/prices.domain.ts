import { floorDiv, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { roundTo, upperMedian } from '../../platform/kit/values/numbers.ts';
import type { ActiveItem, Liquidity, PriceMove } from './analytics.domain.ts';
import type { Listing } from './listings.domain.ts';

/** Price summary of the active listings of an item. */
export interface PriceSummary {
  count: number;
  totalPrice: number;
  totalStack: number;
  minEach: number;
  maxEach: number;
  /** Mean unit price, 3 decimals. */
  avgEach: number;
  /** Median unit price, unrounded; the mean of the middle two for an even count. */
  medianEach: number;
}

type Priced = Pick<Listing, 'price' | 'stack' | 'milliEach'>;

const MILLI = 1000;

/** A price of thousandths, 3 decimals. */
export const fromMilli = (milli: number) => roundTo(milli / MILLI, 3);

/** Null for no listings. */
export function summarisePrices(listings: readonly Priced[]): PriceSummary | null {
  const sorted = listings.map(({ milliEach }) => milliEach).sort((one, other) => one - other);
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  if (lowest === undefined || highest === undefined) return null;
  const sum = (pick: (listing: Priced) => number) => listings.reduce((total, listing) => total + pick(listing), 0);
  return {
    count: sorted.length,
    totalPrice: sum(({ price }) => price),
    totalStack: sum(({ stack }) => stack),
    minEach: lowest / MILLI,
    maxEach: highest / MILLI,
    avgEach: fromMilli(sum(({ milliEach }) => milliEach) / sorted.length),
    medianEach: quantile(sorted, 0.5) / MILLI,
  };
}

/** Linear interpolation at position share * (n - 1) of sorted values; NaN for none. */
export function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}

interface OutlierRules {
  thresholdZ: number;
  /** Minimum number of positive prices for the check. */
  minPrices: number;
}

/** Median deviations below this mean that all prices are practically equal. */
const NO_SPREAD = 1e-9;
/** Makes the median absolute deviation comparable with a standard deviation. */
const MAD_SCALE = 0.6745;

/**
 * Splits items into normal prices and outliers by the modified z-score of the logarithm of the price. Stable. For an even
 * count both medians are the upper middle value. Prices of 0 or below count as normal.
 */
export function splitPriceOutliers<Item>(items: readonly Item[], priceOf: (item: Item) => number, rules: OutlierRules) {
  const logs = items
    .map(priceOf)
    .filter((price) => price > 0)
    .map(Math.log10);
  if (logs.length < rules.minPrices) return { included: [...items], dropped: [] as Item[] };
  const middle = upperMedian(logs);
  const deviation = upperMedian(logs.map((log) => Math.abs(log - middle)));
  const isOutlier = (price: number) =>
    price > 0 && deviation >= NO_SPREAD && (MAD_SCALE * Math.abs(Math.log10(price) - middle)) / deviation > rules.thresholdZ;
  const included: Item[] = [];
  const dropped: Item[] = [];
  for (const item of items) (isOutlier(priceOf(item)) ? dropped : included).push(item);
  return { included, dropped };
}

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
  const at = (share: number) => fromMilli(quantile(prices, share));
  const stack = members.reduce((sum, listing) => sum + listing.stack, 0);
  return { bucket, listings: members.length, stack, p25: at(0.25), p50: at(0.5), p75: at(0.75) };
}

/** Maximum number of parts in a list of names that are joined to a name with commas. */
const MAX_COMMA_PARTS = 4;

/**
 * Splits a comma-separated list into known names and the other parts. Two items have a comma in their name: of several readings the
 * longest known name wins. `find` returns the stored spelling.
 */
export function splitNames(text: string, find: (name: string) => string | undefined): { names: string[]; missing: string[] } {
  const parts = text.split(',');
  const names = new Set<string>();
  const missing = new Set<string>();
  for (let at = 0; at < parts.length; ) {
    let length = Math.min(MAX_COMMA_PARTS, parts.length - at);
    let found: string | undefined;
    for (; length > 0; length -= 1) {
      found = find(parts.slice(at, at + length).join(','));
      if (found !== undefined) break;
    }
    const part = parts[at]?.trim() ?? '';
    if (found !== undefined) names.add(found);
    else if (part !== '') missing.add(part);
    at += Math.max(length, 1);
  }
  return { names: [...names], missing: [...missing] };
}

/** Relative change of the median, 4 decimals: 0.3125 for 16 to 21. */
export const changeOf = ({ recentMilli, priorMilli }: PriceMove): number => roundTo((recentMilli - priorMilli) / priorMilli, 4);

/** Discount of a unit price below the median, 4 decimals. */
export const discountOf = (milliEach: number, medianMilli: number): number => roundTo(1 - milliEach / medianMilli, 4);

/** The largest moves, split by direction: risers by change, highest first; fallers lowest first. Unchanged medians are in neither. */
export function splitMoves(moves: readonly PriceMove[], limit: number): { risers: PriceMove[]; fallers: PriceMove[] } {
  const largest = moves.slice(0, limit);
  return {
    risers: largest.filter((move) => changeOf(move) > 0),
    fallers: largest.filter((move) => changeOf(move) < 0),
  };
}

/** Days until the active listings are sold at the rate of the window, 1 decimal; null when nothing was sold. */
export function daysOfStock({ soldUnits }: Liquidity, active: ActiveItem | undefined, days: number): number | null {
  return soldUnits === 0 ? null : roundTo(((active?.totalStack ?? 0) * days) / soldUnits, 1);
}

/** Sums over all active listings. */
export function totalsOf(active: readonly ActiveItem[]) {
  const sum = (pick: (item: ActiveItem) => number) => active.reduce((total, item) => total + pick(item), 0);
  return {
    activeListings: sum(({ count }) => count),
    activeItems: active.length,
    totalValue: sum(({ totalPrice }) => totalPrice),
    totalUnits: sum(({ totalStack }) => totalStack),
  };
}
