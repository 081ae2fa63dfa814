/** Lifetime of a listing in the game (7 days), and time without a sighting after which it counts as expired (3 hours). */
export const listingRules = { lifeSeconds: 604_800, staleSeconds: 10_800 };

/** Maximum price of a listing in a dump, in the currency of the game. */
export const MAX_LISTING_PRICE = 50_000_000;
/** Maximum length of its name and type, in UTF-16 code units; that of the names of tracked items. */
export const MAX_TEXT_LENGTH = 200;

/** Maximum size of a dump; real dumps have less than 5 MB. */
export const MAX_DUMP_BYTES = 20 * 1024 * 1024;
/** Maximum number of listings in a dump, more than twice that of real dumps; the rest is dropped. */
export const MAX_DUMP_LISTINGS = 150_000;

/** Maximum number of line breaks and semicolons in a dump. They limit the processor time: 20 MiB of line breaks took several seconds. */
export const MAX_DUMP_LINE_BREAKS = 500_000;
export const MAX_DUMP_SEMICOLONS = 1_000_000;

/** Maximum of a time in a query, in unix seconds. */
export const LATEST_INSTANT = 100_000_000_000;

/** Minimum days before a month is archived: the longest window that reads listings is a timeline of 90 days. */
export const MIN_KEEP_DAYS = 100;
/** Maximum days of a timeline that reads listings only, and of one that also reads archived days. */
export const MAX_LISTED_DAYS = 90;
export const MAX_TIMELINE_DAYS = 3650;

/** Maximum distance of `timestamp` into the future. */
export const MAX_FUTURE_SECONDS = 300;

/** Modified z-score above which a price is an outlier, and the minimum number of prices for the check. */
export const OUTLIER_THRESHOLD_Z = 3.5;
export const MIN_OUTLIER_PRICES = 5;

/** Maximum number of points on a page of a price history, and maximum number of listings in a timeline. */
export const MAX_HISTORY_POINTS = 5000;
export const MAX_TIMELINE_LISTINGS = 50_000;

/**
 * Statistics over all items: minimum number of listings for a median, minimum discount of a stored deal, and time before the end of a
 * listing from which its disappearance does not count as a sale (one period without a sighting).
 */
export const analyticsRules = { minSample: 5, minDiscount: 0.05, sellMarginSeconds: listingRules.staleSeconds };

/** Maximum length of a window of statistics, and of one of deals: listings live that long. */
export const MAX_ANALYTICS_DAYS = 30;
export const MAX_DEAL_DAYS = 7;
/** Number of listings after which a statistic reads no further day. */
export const MAX_ANALYSED_LISTINGS = 300_000;
/** Maximum number of items in a list of statistics, of deals, and of names in a request for summaries. */
export const MAX_ANALYTICS_ROWS = 100;
export const MAX_DEALS = 200;
export const MAX_SUMMARY_NAMES = 100;
