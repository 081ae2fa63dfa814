import { type SQL, sql } from 'drizzle-orm';
import { activeSince } from './listing.domain.ts';
import type { ListingFilter, ListingIndex, ListingPageRequest, MarketState, PageBranch, PageEnd } from './listing-page.domain.ts';
import { liveMarks } from './listing-page.domain.ts';
import type { SortField } from './listing-sort.domain.ts';
import { listingRules } from './market.data.ts';
import { marketItems, marketListings, marketState } from './market.tables.ts';

const COLUMNS: Readonly<Record<SortField, SQL>> = {
  last_seen: sql.raw('last_seen'),
  price_each: sql.raw('milli_each'),
  created_at: sql.raw('created_at'),
  price: sql.raw('price'),
  stack: sql.raw('stack'),
  name: sql.raw('name'),
};
const PREVIOUS_SEEN = sql.raw('previous_seen');
const LISTING_COLUMNS = sql.raw('id, name, type, stack, price, milli_each, created_at, last_seen');

/** A listing in the result of a raw statement. */
export interface ListingRow {
  id: string;
  name: string;
  type: string | null;
  stack: number;
  price: number;
  milli_each: number;
  created_at: number;
  last_seen: number;
  sort_key: string | number;
}

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
    const since = activeSince(activeAt, listingRules);
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
export function pageStatements(branches: readonly PageBranch[], request: ListingPageRequest, state: MarketState): SQL[] {
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
export function countStatement(filter: ListingFilter, state: MarketState): SQL {
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

export const stateStatement = sql`SELECT revision, insert_seen, newest_seen, listings, live FROM ${marketState}`;
