import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { ListingSort, SortField } from './listing-sort.domain.ts';

/** Listing filter. Unit prices in thousandths, bounds inclusive. */
export interface ListingFilter {
  name?: string | undefined;
  milliMin?: number | undefined;
  milliMax?: number | undefined;
  /** Seen later than this. */
  seenAfter?: UnixSeconds | undefined;
  /** Only those active at this time; null: expired ones too. */
  activeAt: UnixSeconds | null;
}

/** The last listing of a page, and the revision of the market that the first page of the walk was read at. */
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
  /** When the newest insert saw its listings: all that it changed have this time. */
  insertSeen: UnixSeconds;
  /** The latest time that any listing was seen at. */
  newestSeen: UnixSeconds;
  listings: number;
  /** Listings that may be active. */
  live: number;
}

export const EMPTY_MARKET: MarketState = { revision: 0, insertSeen: 0, newestSeen: 0, listings: 0, live: 0 };

/** Indexes of the listings, by what they are ordered by. */
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
 * One ordered walk along an index; a page is merged from several. `live`: only rows with this mark. `moved`: rows that an
 * insert after the first page of the walk has changed, in the place they had before; null: rows in the place they have.
 * `after`: rows with the value of the page's end and a larger id (`tie`), or with a value beyond it (`beyond`).
 */
export interface PageBranch {
  index: ListingIndex;
  live: boolean | null;
  moved: 'only' | 'without' | null;
  after: 'tie' | 'beyond' | null;
}

/** Finds that may be read and sorted for each row of a page, however the order asked for would be walked. */
const FEW_PER_ROW = 10;

const SORT_INDEX: Readonly<Record<SortField, { up: ListingIndex; down: ListingIndex }>> = {
  last_seen: { up: 'market_live_last_seen', down: 'market_live_last_seen' },
  price_each: { up: 'market_live_price_each', down: 'market_live_price_each' },
  created_at: { up: 'market_live_created_at', down: 'market_live_created_at' },
  price: { up: 'market_live_price', down: 'market_live_price' },
  stack: { up: 'market_live_stack', down: 'market_live_stack_down' },
  name: { up: 'market_live_name', down: 'market_live_name' },
};

/**
 * How a page is read; null when the walk is too old: it follows listings that change places through one insert, which is
 * what one stored earlier place allows. `matches`: how many listings the filter fits.
 */
export function planPage({ filter, sort, limit, start }: ListingPageRequest, state: MarketState, matches: number): PageBranch[] | null {
  const after = 'after' in start ? start.after : null;
  const hasMoved = after !== null && sort.field === 'last_seen' && state.revision !== after.revision;
  if (hasMoved && state.revision !== after.revision + 1) return null;

  const index = filterIndex(filter, sort, limit, state, matches) ?? SORT_INDEX[sort.field][sort.descending ? 'down' : 'up'];
  const marks = filter.name === undefined ? liveMarks(filter, state) : [null];
  const places = after === null ? [null] : (['tie', 'beyond'] as const);
  const moved = hasMoved ? 'without' : null;
  const still = marks.flatMap((live) => places.map((place): PageBranch => ({ index, live, moved, after: place })));
  if (!hasMoved) return still;
  const movedIndex = filter.name === undefined ? 'market_live_last_seen' : 'market_name_last_seen';
  const moves = marks.flatMap((live) => places.map((place): PageBranch => ({ index: movedIndex, live, moved: 'only', after: place })));
  return [...still, ...moves];
}

/**
 * The marks that rows of a filter can have. Marks follow the latest sighting, so what is not live cannot be active unless
 * the clock stands before that sighting.
 */
export function liveMarks({ activeAt }: ListingFilter, state: MarketState): boolean[] {
  return activeAt !== null && activeAt >= state.newestSeen ? [true] : [true, false];
}

/** Whether the number of matches is needed to plan: a filter stands beside the order of another column. */
export function needsMatches({ name, milliMin, milliMax, seenAfter }: ListingFilter, { field }: ListingSort): boolean {
  if (name !== undefined) return false;
  return ((milliMin ?? milliMax) !== undefined && field !== 'price_each') || (seenAfter !== undefined && field !== 'last_seen');
}

/**
 * The index that finds what a filter fits, where sorting the finds is less work than walking in the order asked for until
 * enough of them have come by.
 */
function filterIndex(filter: ListingFilter, sort: ListingSort, limit: number, state: MarketState, matches: number): ListingIndex | null {
  if (filter.name !== undefined) {
    const byAge = sort.field === 'created_at' && filter.activeAt === null && filter.seenAfter === undefined;
    return byAge ? 'market_name_created_at' : 'market_name_last_seen';
  }
  const walked = filter.activeAt === null ? state.listings : state.live;
  const isRare = matches <= FEW_PER_ROW * (limit + 1) || matches * matches <= (limit + 1) * walked;
  if (!needsMatches(filter, sort) || !isRare) return null;
  const hasPrice = (filter.milliMin ?? filter.milliMax) !== undefined;
  return hasPrice && sort.field !== 'price_each' ? 'market_live_price_each' : 'market_live_last_seen';
}
