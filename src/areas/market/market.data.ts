import type { DumpRules } from './dump.domain.ts';
import type { ListingRules } from './listing.domain.ts';

/** Rules of the market: lifetimes in seconds, prices in the game's currency. */
export const listingRules: ListingRules = { lifeSeconds: 604_800, staleSeconds: 10_800 };

/** Limits of a dump line. The name limit equals that of tracked items. */
export const dumpRules: DumpRules = { maxPrice: 50_000_000, maxTextLength: 200 };

/** Largest dump in bytes, and the form around it: bots write below 5 MB. */
export const MAX_DUMP_BYTES = 20 * 1024 * 1024;
/** Listings further in a dump than this are not taken: more than twice what a real one holds. */
export const MAX_DUMP_LISTINGS = 150_000;

/** Line breaks, and semicolons, in a dump. Empty lines and fields cost processor time too: 20 MiB of line breaks took several seconds. */
export const MAX_DUMP_LINE_BREAKS = 500_000;
export const MAX_DUMP_SEMICOLONS = 1_000_000;

/** A `timestamp` may be ahead of the clock by this many seconds. */
export const MAX_FUTURE_SECONDS = 300;

/** Modified z-score beyond which a price counts as an outlier, and the prices needed to judge at all. */
export const OUTLIER_THRESHOLD_Z = 3.5;
export const MIN_OUTLIER_PRICES = 5;

/** Most points of a price history on one page, and most listings a timeline looks at. */
export const MAX_HISTORY_POINTS = 5000;
export const MAX_TIMELINE_LISTINGS = 50_000;
