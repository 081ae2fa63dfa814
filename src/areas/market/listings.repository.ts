import { and, asc, between, desc, eq, gt, gte, lte, or } from 'drizzle-orm';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { BoundedMap } from '../../platform/storage/bounded-map.ts';
import type { PublicReads } from '../../platform/storage/database.ts';
import { runInOneTransaction } from '../../platform/storage/database.ts';
import { activeSince, activeUntil, type Listing } from './listing.domain.ts';
import {
  EMPTY_MARKET,
  type ListingPageRequest,
  type MarketState,
  needsMatches,
  type PageBranch,
  type PageEnd,
  planPage,
} from './listing-page.domain.ts';
import { countStatement, type ListingRow, pageStatements, stateStatement } from './listings-sql.repository.ts';
import { listingRules } from './market.data.ts';
import { marketItems, marketListings } from './market.tables.ts';

export interface ListingPage {
  listings: Listing[];
  /** Number of listings that match the filter. */
  total: number;
  /** Position of the last listing; null on the last page. */
  end: PageEnd | null;
}

/** Listings of one item created in `[since, until]`, oldest first, after a cursor. */
export interface HistoryRequest {
  name: string;
  since: UnixSeconds;
  until: UnixSeconds;
  /** Only listings active at this time; null: all. */
  activeAt: UnixSeconds | null;
  after: { createdAt: UnixSeconds; id: string } | null;
  limit: number;
}

export interface ListingsRepository {
  /** Null if there were two or more inserts since the first page of the cursor. */
  readPage(request: ListingPageRequest, now: UnixSeconds): Promise<ListingPage | null>;
  /** Names of all items with a stored listing, by code point. */
  listItems(): Promise<string[]>;
  /** Active listings of one item. */
  listActive(name: string, now: UnixSeconds): Promise<Listing[]>;
  listHistory(request: HistoryRequest): Promise<Listing[]>;
  /** Listings of one item created in a window, newest first. */
  listCreatedBetween(name: string, since: UnixSeconds, until: UnixSeconds, limit: number): Promise<Listing[]>;
}

const MAX_CACHED_TOTALS = 200;
/** Attempts to read a page. An insert between plan and read invalidates the plan. */
const MAX_ATTEMPTS = 5;

const LISTING = {
  id: marketListings.id,
  name: marketListings.name,
  type: marketListings.type,
  stack: marketListings.stack,
  price: marketListings.price,
  milliEach: marketListings.milliEach,
  createdAt: marketListings.createdAt,
  lastSeen: marketListings.lastSeen,
};

export function createListingsRepository(db: PublicReads): ListingsRepository {
  let lastState: MarketState | null = null;
  const totals = new BoundedMap<string, Total>(MAX_CACHED_TOTALS);

  /**
   * Reads a page planned with the last known or, in a new isolate, the most likely state. Null if the plan differs from that of the state
   * that the page has; the next attempt uses this state.
   */
  async function tryPage(request: ListingPageRequest, now: UnixSeconds): Promise<{ page: ListingPage | null } | null> {
    const state = lastState ?? likelyState(request);
    const filterKey = JSON.stringify({ ...request.filter, activeAt: request.filter.activeAt !== null });
    const keyOf = ({ revision, newestSeen }: MarketState) => `${revision}:${newestSeen > now}:${filterKey}`;
    const cached = totals.get(keyOf(state));
    let total = cached && now >= cached.from && now <= cached.until ? cached.count : null;
    const cacheTotal = (rows: readonly Row[], counting: MarketState) => {
      const counted = toTotal(rows, now);
      totals.set(keyOf(counting), counted);
      return counted.count;
    };
    if (total === null && needsMatches(request.filter, request.sort)) {
      total = cacheTotal(await db.all<Row>(countStatement(request.filter, state)), state);
    }
    const plan = planPage(request, state, total ?? 0);
    const [states = [], ...results] = await runInOneTransaction(db, [
      stateStatement,
      ...(total === null ? [countStatement(request.filter, state)] : []),
      ...(plan ? pageStatements(plan, request, state) : []),
    ]);
    const current = toState(states);
    lastState = current;
    // A total from before the batch is that of its revision; everything else in the batch has the current state.
    const isCurrent = state.revision === current.revision || (total === null && isSamePlan(plan, planPage(request, current, 0)));
    if (!isCurrent) return null;
    total ??= cacheTotal(results.shift() ?? [], current);
    return { page: plan && toPage(results.flat() as unknown as ListingRow[], request, total, current) };
  }

  return {
    async readPage(request, now) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const result = await tryPage(request, now);
        if (result) return result.page;
      }
      throw new Error(`the market changed during ${MAX_ATTEMPTS} reads of a page`);
    },

    async listItems() {
      const rows = await db.select({ name: marketItems.name }).from(marketItems).orderBy(asc(marketItems.name));
      return rows.map(({ name }) => name);
    },

    async listActive(name, now) {
      return db
        .select(LISTING)
        .from(marketListings)
        .where(and(eq(marketListings.name, name), isActive(now)));
    },

    async listHistory({ name, since, until, activeAt, after, limit }) {
      const { createdAt, id } = marketListings;
      return db
        .select(LISTING)
        .from(marketListings)
        .where(
          and(
            eq(marketListings.name, name),
            gte(createdAt, after ? after.createdAt : since),
            lte(createdAt, until),
            after ? or(gt(createdAt, after.createdAt), gt(id, after.id)) : undefined,
            activeAt === null ? undefined : isActive(activeAt),
          ),
        )
        .orderBy(asc(createdAt), asc(id))
        .limit(limit);
    },

    async listCreatedBetween(name, since, until, limit) {
      const { createdAt } = marketListings;
      return db
        .select(LISTING)
        .from(marketListings)
        .where(and(eq(marketListings.name, name), between(createdAt, since, until)))
        .orderBy(desc(createdAt))
        .limit(limit);
    },
  };
}

type Row = Record<string, unknown>;

/** State that an isolate without a known one plans with: no insert since the first page, and none from the future. */
function likelyState({ start }: ListingPageRequest): MarketState {
  return 'after' in start ? { ...EMPTY_MARKET, revision: start.after.revision } : EMPTY_MARKET;
}

const isSamePlan = (one: readonly PageBranch[] | null, other: readonly PageBranch[] | null) =>
  JSON.stringify(one) === JSON.stringify(other);

function toState([row]: readonly Row[]): MarketState {
  if (!row) return EMPTY_MARKET;
  return {
    revision: Number(row.revision),
    insertSeen: Number(row.insert_seen),
    newestSeen: Number(row.newest_seen),
    listings: Number(row.listings),
    live: Number(row.live),
  };
}

/** A count, and the time range in which it is valid until the next insert. */
interface Total {
  count: number;
  from: UnixSeconds;
  until: UnixSeconds;
}

/** A count of active listings is valid until the first of them expires; other counts change only with an insert. */
function toTotal([row = {}]: readonly Row[], now: UnixSeconds): Total {
  const { total, oldest_created: createdAt, oldest_seen: lastSeen } = row;
  const canExpire = typeof createdAt === 'number' && typeof lastSeen === 'number';
  const until = canExpire ? activeUntil({ createdAt, lastSeen }, listingRules) : Number.POSITIVE_INFINITY;
  return { count: Number(total ?? 0), from: now, until };
}

/** Builds a page from `limit + 1` rows. */
function toPage(rows: readonly ListingRow[], { limit, start }: ListingPageRequest, total: number, state: MarketState): ListingPage {
  const listed = rows.slice(0, limit);
  const last = listed.at(-1);
  // All pages of a cursor use the revision of the first page: rows with a later revision have moved.
  const revision = 'after' in start ? start.after.revision : state.revision;
  const end = last && rows.length > limit ? { revision, value: last.sort_key, id: last.id } : null;
  return { listings: listed.map(toListing), total, end };
}

function toListing({ id, name, type, stack, price, milli_each, created_at, last_seen }: ListingRow): Listing {
  return { id, name, type, stack, price, milliEach: milli_each, createdAt: created_at, lastSeen: last_seen };
}

function isActive(now: UnixSeconds) {
  const since = activeSince(now, listingRules);
  return and(gte(marketListings.lastSeen, since.lastSeen), gte(marketListings.createdAt, since.createdAt));
}
