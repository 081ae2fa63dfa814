import { roundTo } from '../../platform/kit/values/rounding.ts';
import type { ActiveItem, Liquidity, MarketAnalytics, PriceMove } from './analytics.store.ts';

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
export function totalsOf({ active }: MarketAnalytics) {
  const sum = (pick: (item: ActiveItem) => number) => active.reduce((total, item) => total + pick(item), 0);
  return {
    activeListings: sum(({ count }) => count),
    activeItems: active.length,
    totalValue: sum(({ totalPrice }) => totalPrice),
    totalUnits: sum(({ totalStack }) => totalStack),
  };
}
