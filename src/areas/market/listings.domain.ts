import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { listingRules } from './market.data.ts';

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
interface ActiveSince {
  lastSeen: UnixSeconds;
  createdAt: UnixSeconds;
}

export function activeSince(now: UnixSeconds): ActiveSince {
  return { lastSeen: now - listingRules.staleSeconds, createdAt: now - listingRules.lifeSeconds };
}

/** Last instant at which a listing is active. With the oldest times of several listings: at which all of them are. */
export function activeUntil({ createdAt, lastSeen }: Pick<Listing, 'createdAt' | 'lastSeen'>): UnixSeconds {
  return Math.min(createdAt + listingRules.lifeSeconds, lastSeen + listingRules.staleSeconds);
}

export function expiresAt(listing: Pick<Listing, 'createdAt'>): UnixSeconds {
  return listing.createdAt + listingRules.lifeSeconds;
}

/** Whether the listing ended or was not seen for `staleSeconds`. */
export function isExpired({ createdAt, lastSeen }: Pick<Listing, 'createdAt' | 'lastSeen'>, now: UnixSeconds): boolean {
  const since = activeSince(now);
  return createdAt < since.createdAt || lastSeen < since.lastSeen;
}

/** Sort fields of listings. */
export const SORT_FIELDS = ['last_seen', 'price_each', 'created_at', 'price', 'stack', 'name'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

export interface ListingSort {
  field: SortField;
  descending: boolean;
}

export const DEFAULT_SORT: ListingSort = { field: 'last_seen', descending: true };

/** Parses `+field`, `-field` or `field`; a `+` in a URL arrives as a space. Any other value is the default. */
export function parseSort(text: string): ListingSort {
  const trimmed = text.trim();
  const sign = trimmed.startsWith('-') || trimmed.startsWith('+') ? trimmed[0] : '';
  const field = SORT_FIELDS.find((name) => name === trimmed.slice(sign?.length));
  return field === undefined ? DEFAULT_SORT : { field, descending: sign === '-' };
}

/** Filter of listings. Unit prices are in thousandths; bounds are inclusive. */
export interface ListingFilter {
  name?: string | undefined;
  milliMin?: number | undefined;
  milliMax?: number | undefined;
  /** Only listings seen after this time. */
  seenAfter?: UnixSeconds | undefined;
  /** Only listings active at this time; null: also expired ones. */
  activeAt: UnixSeconds | null;
}

/** Position of a cursor: sort value and id of the last listing of a page, and the market revision of the first page. */
export interface PageEnd {
  revision: number;
  value: string | number;
  id: string;
}

export interface ListingPageRequest {
  filter: ListingFilter;
  sort: ListingSort;
  limit: number;
  start: { offset: number } | { after: PageEnd };
}

/** State of the market after all inserts. */
export interface MarketState {
  revision: number;
  /** `last_seen` of the newest insert; all listings it changed have this value. */
  insertSeen: UnixSeconds;
  /** Maximum `last_seen` of all listings. */
  newestSeen: UnixSeconds;
  listings: number;
  /** Number of listings marked as live; these may be active. */
  live: number;
}

export const EMPTY_MARKET: MarketState = { revision: 0, insertSeen: 0, newestSeen: 0, listings: 0, live: 0 };

/** Indexes of the table of listings. */
export type ListingIndex =
  | 'market_live_last_seen'
  | 'market_live_price_each'
  | 'market_live_created_at'
  | 'market_live_price'
  | 'market_live_stack'
  | 'market_live_stack_down'
  | 'market_live_name'
  | 'market_name_last_seen'
  | 'market_name_created_at';

/**
 * One ordered scan of an index; a page merges several. `live`: only rows with this mark. `moved`: `only` reads rows that an
 * insert since the first page has changed, sorted by their previous `last_seen`; `without` skips these rows; null reads all
 * rows. `after`: rows with the value of the cursor and a larger id (`tie`), or rows with a value beyond it (`beyond`).
 */
export interface PageBranch {
  index: ListingIndex;
  live: boolean | null;
  moved: 'only' | 'without' | null;
  after: 'tie' | 'beyond' | null;
}

/** Up to this many matches per row of a page, sorting all matches is always cheap. */
const MATCHES_PER_ROW = 10;

const SORT_INDEX: Readonly<Record<SortField, { up: ListingIndex; down: ListingIndex }>> = {
  last_seen: { up: 'market_live_last_seen', down: 'market_live_last_seen' },
  price_each: { up: 'market_live_price_each', down: 'market_live_price_each' },
  created_at: { up: 'market_live_created_at', down: 'market_live_created_at' },
  price: { up: 'market_live_price', down: 'market_live_price' },
  stack: { up: 'market_live_stack', down: 'market_live_stack_down' },
  name: { up: 'market_live_name', down: 'market_live_name' },
};

/**
 * Plans the scans of a page. Null if the cursor is too old: rows store one previous `last_seen`, so paging survives only one
 * insert. `matches`: number of listings that match the filter.
 */
export function planPage({ filter, sort, limit, start }: ListingPageRequest, state: MarketState, matches: number): PageBranch[] | null {
  const after = 'after' in start ? start.after : null;
  const hasMoved = after !== null && sort.field === 'last_seen' && state.revision !== after.revision;
  if (hasMoved && state.revision !== after.revision + 1) return null;

  const index = chooseFilterIndex(filter, sort, limit, state, matches) ?? SORT_INDEX[sort.field][sort.descending ? 'down' : 'up'];
  const marks = filter.name === undefined ? liveMarks(filter, state) : [null];
  const positions = after === null ? [null] : (['tie', 'beyond'] as const);
  const moved = hasMoved ? 'without' : null;
  const unmoved = marks.flatMap((live) => positions.map((position): PageBranch => ({ index, live, moved, after: position })));
  if (!hasMoved) return unmoved;
  const movedIndex = filter.name === undefined ? 'market_live_last_seen' : 'market_name_last_seen';
  const movedBranches = marks.flatMap((live) =>
    positions.map((position): PageBranch => ({ index: movedIndex, live, moved: 'only', after: position })),
  );
  return [...unmoved, ...movedBranches];
}

/**
 * `live` marks that matching rows can have. An insert updates the marks to its time, so rows that are not live are inactive
 * from the newest `last_seen` on.
 */
export function liveMarks({ activeAt }: ListingFilter, state: MarketState): boolean[] {
  return activeAt !== null && activeAt >= state.newestSeen ? [true] : [true, false];
}

/** Whether planning needs the number of matches: the filter and the sort use different columns. */
export function needsMatches({ name, milliMin, milliMax, seenAfter }: ListingFilter, { field }: ListingSort): boolean {
  if (name !== undefined) return false;
  return ((milliMin ?? milliMax) !== undefined && field !== 'price_each') || (seenAfter !== undefined && field !== 'last_seen');
}

/**
 * Index that finds the matches of a filter; null if scanning in sort order until the page is full is less work than sorting all
 * matches.
 */
function chooseFilterIndex(
  filter: ListingFilter,
  sort: ListingSort,
  limit: number,
  state: MarketState,
  matches: number,
): ListingIndex | null {
  if (filter.name !== undefined) {
    const byAge = sort.field === 'created_at' && filter.activeAt === null && filter.seenAfter === undefined;
    return byAge ? 'market_name_created_at' : 'market_name_last_seen';
  }
  const scanned = filter.activeAt === null ? state.listings : state.live;
  const isRare = matches <= MATCHES_PER_ROW * (limit + 1) || matches * matches <= (limit + 1) * scanned;
  if (!needsMatches(filter, sort) || !isRare) return null;
  const hasPrice = (filter.milliMin ?? filter.milliMax) !== undefined;
  return hasPrice && sort.field !== 'price_each' ? 'market_live_price_each' : 'market_live_last_seen';
}
