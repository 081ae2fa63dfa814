import { and, asc, between, desc, eq, gt, gte, lte, or, type SQL, sql } from 'drizzle-orm';
import { bind } from '../../platform/kit/bind.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { type PublicReads, runInOneTransaction } from '../../platform/storage/database.ts';
import { BoundedMap } from '../../platform/storage/memory-caches.ts';
import type { MarketArchiveStore } from './archive.store.ts';
import {
  activeSince,
  activeUntil,
  EMPTY_MARKET,
  type Listing,
  type ListingFilter,
  type ListingIndex,
  type ListingPageRequest,
  liveMarks,
  type MarketState,
  needsMatches,
  type PageBranch,
  type PageEnd,
  planPage,
  type SortField,
} from './listings.domain.ts';
import { MAX_TIMELINE_LISTINGS } from './market.data.ts';
import { marketItems, marketListings, marketState } from './market.tables.ts';
import { type TimelinePoint, timelineOf } from './prices.domain.ts';

interface ListingPage {
  listings: Listing[];
  /** Number of listings that match the filter. */
  total: number;
  /** Position of the last listing; null on the last page. */
  end: PageEnd | null;
}

/** Prices of one item by bucket. `truncated`: the oldest listings were ignored. */
export interface Timeline {
  points: TimelinePoint[];
  truncated: boolean;
  /** Number of points from archived days. */
  archivedDays: number;
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

export type ListingsStore = ReturnType<typeof createListingsStore>;

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

/** The state of the market that the last page had; null before the first. */
interface KnownState {
  state: MarketState | null;
}

interface ListingsContext {
  db: PublicReads;
  archive: Pick<MarketArchiveStore, 'readDays'>;
  known: KnownState;
  totals: BoundedMap<string, Total>;
}

export function createListingsStore(db: PublicReads, archive: Pick<MarketArchiveStore, 'readDays'>) {
  const known: KnownState = { state: null };
  const totals = new BoundedMap<string, Total>(MAX_CACHED_TOTALS);
  const context: ListingsContext = { db, archive, known, totals };
  return bind(context, { readPage, listItems, listActive, listHistory, listCreatedBetween, readTimeline });
}

/**
 * Reads a page planned with the last known or, in a new isolate, the most likely state. Null if the plan differs from that of the state
 * that the page has; the next attempt uses this state.
 */
async function tryPage(
  { db, known, totals }: ListingsContext,
  request: ListingPageRequest,
  now: UnixSeconds,
): Promise<{ page: ListingPage | null } | null> {
  const state = known.state ?? likelyState(request);
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
  known.state = current;
  // A total from before the batch is that of its revision; everything else in the batch has the current state.
  const isCurrent = state.revision === current.revision || (total === null && isSamePlan(plan, planPage(request, current, 0)));
  if (!isCurrent) return null;
  total ??= cacheTotal(results.shift() ?? [], current);
  return { page: plan && toPage(results.flat() as unknown as ListingRow[], request, total, current) };
}

/** Listings of one item created in a window, newest first. */
function listCreatedBetween(
  { db }: ListingsContext,
  name: string,
  since: UnixSeconds,
  until: UnixSeconds,
  limit: number,
): Promise<Listing[]> {
  const { createdAt } = marketListings;
  return db
    .select(LISTING)
    .from(marketListings)
    .where(and(eq(marketListings.name, name), between(createdAt, since, until)))
    .orderBy(desc(createdAt))
    .limit(limit);
}

/** Null if there were two or more inserts since the first page of the cursor. */
async function readPage(deps: ListingsContext, request: ListingPageRequest, now: UnixSeconds): Promise<ListingPage | null> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const result = await tryPage(deps, request, now);
    if (result) return result.page;
  }
  throw new Error(`the market changed during ${MAX_ATTEMPTS} reads of a page`);
}

/** Names of all items with a stored listing, by code point. */
async function listItems({ db }: ListingsContext): Promise<string[]> {
  const rows = await db.select({ name: marketItems.name }).from(marketItems).orderBy(asc(marketItems.name));
  return rows.map(({ name }) => name);
}

/** Active listings of one item. */
async function listActive({ db }: ListingsContext, name: string, now: UnixSeconds): Promise<Listing[]> {
  return db
    .select(LISTING)
    .from(marketListings)
    .where(and(eq(marketListings.name, name), isActive(now)));
}

async function listHistory({ db }: ListingsContext, { name, since, until, activeAt, after, limit }: HistoryRequest): Promise<Listing[]> {
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
}

/** Prices of one item by bucket, over the listings created in the last days. Archived days count if a bucket is a day. */
async function readTimeline(deps: ListingsContext, name: string, days: number, bucketHours: number, now: UnixSeconds): Promise<Timeline> {
  const since = now - days * SECONDS_PER_DAY;
  const bucketSeconds = bucketHours * SECONDS_PER_HOUR;
  const [rows, archived] = await Promise.all([
    listCreatedBetween(deps, name, since, now, MAX_TIMELINE_LISTINGS + 1),
    bucketSeconds === SECONDS_PER_DAY ? deps.archive.readDays(name, since, now) : [],
  ]);
  // While a month is archived, some of its listings may be deleted already.
  const archivedBuckets = new Set(archived.map(({ bucket }) => bucket));
  const listed = timelineOf(rows.slice(0, MAX_TIMELINE_LISTINGS), bucketSeconds).filter(({ bucket }) => !archivedBuckets.has(bucket));
  return { points: [...archived, ...listed], truncated: rows.length > MAX_TIMELINE_LISTINGS, archivedDays: archived.length };
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
  const until = canExpire ? activeUntil({ createdAt, lastSeen }) : Number.POSITIVE_INFINITY;
  return { count: Number(total ?? 0), from: now, until };
}

/** Builds a page from `limit + 1` rows. */
function toPage(rows: readonly ListingRow[], { limit, start }: ListingPageRequest, total: number, state: MarketState): ListingPage {
  const listed = rows.slice(0, limit);
  const last = listed.at(-1);
  // All pages of a cursor use the revision of the first page: rows with a later revision have moved.
  const revision = 'after' in start ? start.after.revision : state.revision;
  const end = last && rows.length > limit ? { revision, value: last.sort_key, id: last.id } : null;
  return { listings: listed.map(({ sort_key: _, ...listing }) => listing), total, end };
}

function isActive(now: UnixSeconds) {
  const since = activeSince(now);
  return and(gte(marketListings.lastSeen, since.lastSeen), gte(marketListings.createdAt, since.createdAt));
}

const COLUMNS: Readonly<Record<SortField, SQL>> = {
  last_seen: sql.raw('last_seen'),
  price_each: sql.raw('milli_each'),
  created_at: sql.raw('created_at'),
  price: sql.raw('price'),
  stack: sql.raw('stack'),
  name: sql.raw('name'),
};
const PREVIOUS_SEEN = sql.raw('previous_seen');
const LISTING_COLUMNS = sql.raw('id, name, type, stack, price, milli_each AS milliEach, created_at AS createdAt, last_seen AS lastSeen');

/** A listing in the result of a raw statement, with the value that the page is sorted by. */
type ListingRow = Listing & { sort_key: string | number };

/** Forces an index: without statistics the query planner would guess. */
const indexedBy = (index: ListingIndex) => sql`${marketListings} INDEXED BY ${sql.raw(index)}`;

const whereAll = (conditions: readonly SQL[]) => (conditions.length > 0 ? sql` WHERE ${sql.join([...conditions], sql` AND `)}` : sql``);

/** SQL conditions of a filter. */
function filterConditions({ name, milliMin, milliMax, seenAfter, activeAt }: ListingFilter): SQL[] {
  const conditions: SQL[] = [];
  if (name !== undefined) conditions.push(sql`name = ${name}`);
  if (milliMin !== undefined) conditions.push(sql`milli_each >= ${milliMin}`);
  if (milliMax !== undefined) conditions.push(sql`milli_each <= ${milliMax}`);
  if (seenAfter !== undefined) conditions.push(sql`last_seen > ${seenAfter}`);
  if (activeAt !== null) {
    const since = activeSince(activeAt);
    conditions.push(sql`last_seen >= ${since.lastSeen}`, sql`created_at >= ${since.createdAt}`);
  }
  return conditions;
}

function branchStatement(branch: PageBranch, request: ListingPageRequest, end: PageEnd | null, { insertSeen }: MarketState): SQL {
  const { field, descending } = request.sort;
  const column = branch.moved === 'only' ? PREVIOUS_SEEN : COLUMNS[field];
  const conditions: SQL[] = [];
  if (branch.live !== null) conditions.push(sql`live = ${Number(branch.live)}`);
  if (end !== null) {
    if (branch.moved === 'only') conditions.push(sql`last_seen = ${insertSeen} AND revision = ${end.revision + 1}`);
    if (branch.moved === 'without') conditions.push(sql`revision <= ${end.revision}`);
    if (branch.after === 'tie') conditions.push(sql`${column} = ${end.value} AND id > ${end.id}`);
    if (branch.after === 'beyond') conditions.push(sql`${column} ${sql.raw(descending ? '<' : '>')} ${end.value}`);
  }
  conditions.push(...filterConditions(request.filter));
  return sql`SELECT ${LISTING_COLUMNS}, ${column} AS sort_key FROM ${indexedBy(branch.index)}${whereAll(conditions)}`;
}

/**
 * Statements of a page, to be concatenated in order: rows with the same value as the cursor, then rows beyond it. Each merges
 * its branches by value, then by id, and reads one row more than the limit. There are two statements because D1 limits the
 * number of selects in a compound statement.
 */
function pageStatements(branches: readonly PageBranch[], request: ListingPageRequest, state: MarketState): SQL[] {
  const end = 'after' in request.start ? request.start.after : null;
  const offset = 'offset' in request.start ? request.start.offset : 0;
  const direction = sql.raw(request.sort.descending ? 'DESC' : 'ASC');
  const positions = end === null ? [null] : (['tie', 'beyond'] as const);
  return positions.map((position) => {
    const parts = branches.filter(({ after }) => after === position).map((branch) => branchStatement(branch, request, end, state));
    return sql`${sql.join(parts, sql` UNION ALL `)} ORDER BY sort_key ${direction}, id LIMIT ${request.limit + 1} OFFSET ${offset}`;
  });
}

/**
 * Counts the listings that match a filter, with the counters if possible, otherwise with the narrowest index. A count of active
 * listings also selects their oldest times, which determine how long the count is valid.
 */
function countStatement(filter: ListingFilter, state: MarketState): SQL {
  const { name, milliMin, milliMax, seenAfter, activeAt } = filter;
  const hasPrice = (milliMin ?? milliMax) !== undefined;
  const isPlain = !hasPrice && seenAfter === undefined && activeAt === null;
  if (isPlain && name === undefined) return sql`SELECT coalesce(max(listings), 0) AS total FROM ${marketState}`;
  if (isPlain) return sql`SELECT coalesce(max(listings), 0) AS total FROM ${marketItems} WHERE name = ${name}`;
  const index: ListingIndex = name !== undefined ? 'market_name_last_seen' : hasPrice ? 'market_live_price_each' : 'market_live_last_seen';
  const marks = liveMarks(filter, state).map((live) => sql`${Number(live)}`);
  const marked = name === undefined ? [sql`live IN (${sql.join(marks, sql`, `)})`] : [];
  const oldest = activeAt === null ? sql`` : sql`, min(created_at) AS oldest_created, min(last_seen) AS oldest_seen`;
  return sql`SELECT count(*) AS total${oldest} FROM ${indexedBy(index)}${whereAll([...marked, ...filterConditions(filter)])}`;
}

const stateStatement = sql`SELECT revision, insert_seen, newest_seen, listings, live FROM ${marketState}`;
