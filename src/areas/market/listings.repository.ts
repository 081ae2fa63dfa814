import { and, asc, between, desc, eq, gt, gte, lte, or } from 'drizzle-orm';
import { BoundedMap } from '../../platform/storage/bounded-map.ts';
import type { PublicReads } from '../../platform/storage/database.ts';
import { runInOneTransaction } from '../../platform/storage/raw-batch.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { activeSince, activeUntil, type Listing } from './listing.domain.ts';
import { EMPTY_MARKET, type ListingPageRequest, type MarketState, needsMatches, type PageEnd, planPage } from './listing-page.domain.ts';
import { countStatement, type ListingRow, pageStatements, stateStatement } from './listings-sql.repository.ts';
import { listingRules } from './market.data.ts';
import { marketItems, marketListings } from './market.tables.ts';

export interface ListingPage {
  listings: Listing[];
  /** Listings the filter fits at the instant of the page. */
  total: number;
  /** Where the page ended, when more follow. */
  end: PageEnd | null;
}

/** Listings of one item that were made in a window, oldest first, after a listing. Both ends of the window count. */
export interface HistoryRequest {
  name: string;
  since: UnixSeconds;
  until: UnixSeconds;
  /** Only those active at this time; null: all. */
  activeAt: UnixSeconds | null;
  after: { createdAt: UnixSeconds; id: string } | null;
  limit: number;
}

/** Reads of the market. */
export interface ListingsRepository {
  /** Null when the page's start is older than the insert before the last. */
  page(request: ListingPageRequest, now: UnixSeconds): Promise<ListingPage | null>;
  /** Every name that was ever stored, by code point. */
  items(): Promise<string[]>;
  /** Active listings of one item. */
  active(name: string, now: UnixSeconds): Promise<Listing[]>;
  history(request: HistoryRequest): Promise<Listing[]>;
  /** Listings of one item that were made in a window, newest first. */
  madeBetween(name: string, since: UnixSeconds, until: UnixSeconds, limit: number): Promise<Listing[]>;
}

const MAX_CACHED_TOTALS = 200;
/** A page is planned anew when an insert came between the plan and its read. */
const MAX_PLANS = 5;

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
  let known: MarketState = EMPTY_MARKET;
  const totals = new BoundedMap<string, Total>(MAX_CACHED_TOTALS);

  /** A page by the state as it is known; null when that has changed, which is then known. */
  async function tryPage(request: ListingPageRequest, now: UnixSeconds): Promise<{ page: ListingPage | null } | null> {
    const state = known;
    const key = `${state.revision}:${state.newestSeen > now}:${JSON.stringify({ ...request.filter, activeAt: request.filter.activeAt !== null })}`;
    const kept = totals.get(key);
    let total = kept && now >= kept.from && now <= kept.until ? kept.count : null;
    const remember = (counted: readonly Row[]) => {
      const found = totalIn(counted, now);
      totals.set(key, found);
      return found.count;
    };
    if (total === null && needsMatches(request.filter, request.sort)) {
      total = remember(await db.all<Row>(countStatement(request.filter, state)));
    }
    const plan = planPage(request, state, total ?? 0);
    const [states = [], ...results] = await runInOneTransaction(db, [
      stateStatement,
      ...(total === null ? [countStatement(request.filter, state)] : []),
      ...(plan ? pageStatements(plan, request, state) : []),
    ]);
    known = stateIn(states);
    if (known.revision !== state.revision) return null;
    total ??= remember(results.shift() ?? []);
    return { page: plan && pageOf(results.flat() as unknown as ListingRow[], request, total, state) };
  }

  return {
    async page(request, now) {
      for (let plans = 0; plans < MAX_PLANS; plans += 1) {
        const result = await tryPage(request, now);
        if (result) return result.page;
      }
      throw new Error('the market changed with every read of a page');
    },

    async items() {
      const rows = await db.select({ name: marketItems.name }).from(marketItems).orderBy(asc(marketItems.name));
      return rows.map(({ name }) => name);
    },

    async active(name, now) {
      return db
        .select(LISTING)
        .from(marketListings)
        .where(and(eq(marketListings.name, name), isActive(now)));
    },

    async history({ name, since, until, activeAt, after, limit }) {
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

    async madeBetween(name, since, until, limit) {
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

function stateIn([row]: readonly Row[]): MarketState {
  if (!row) return EMPTY_MARKET;
  return {
    revision: Number(row.revision),
    insertSeen: Number(row.insert_seen),
    newestSeen: Number(row.newest_seen),
    listings: Number(row.listings),
    live: Number(row.live),
  };
}

/** A count, and the instants at which it holds as long as no insert changes the market. */
interface Total {
  count: number;
  from: UnixSeconds;
  until: UnixSeconds;
}

/** A count of active listings holds until the first of them expires; any other changes with an insert only. */
function totalIn([row = {}]: readonly Row[], now: UnixSeconds): Total {
  const { total, oldest_created: createdAt, oldest_seen: lastSeen } = row;
  const canExpire = typeof createdAt === 'number' && typeof lastSeen === 'number';
  const until = canExpire ? activeUntil({ createdAt, lastSeen }, listingRules) : Number.POSITIVE_INFINITY;
  return { count: Number(total ?? 0), from: now, until };
}

/** Cuts the page out of rows that were read one beyond its limit. */
function pageOf(rows: readonly ListingRow[], { limit, start }: ListingPageRequest, total: number, state: MarketState): ListingPage {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  // A walk keeps the revision of its first page: it is by that one that later pages know what has moved.
  const revision = 'after' in start ? start.after.revision : state.revision;
  const end = last && rows.length > limit ? { revision, value: last.sort_key, id: last.id } : null;
  return { listings: shown.map(toListing), total, end };
}

function toListing({ id, name, type, stack, price, milli_each, created_at, last_seen }: ListingRow): Listing {
  return { id, name, type, stack, price, milliEach: milli_each, createdAt: created_at, lastSeen: last_seen };
}

function isActive(now: UnixSeconds) {
  const since = activeSince(now, listingRules);
  return and(gte(marketListings.lastSeen, since.lastSeen), gte(marketListings.createdAt, since.createdAt));
}
