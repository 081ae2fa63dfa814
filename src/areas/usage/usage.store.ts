import { and, desc, eq, gte, type SQL, sql } from 'drizzle-orm';
import pMap from 'p-map';
import { type ApiTokenRow, apiTokens, users } from '../../platform/access/tokens.tables.ts';
import { MAX_HOURS, MAX_ROUTES, type RequestFilter, type StoredRequest } from '../../platform/access/usage/token-history.ts';
import type { TokenHistories, UsageTotals } from '../../platform/access/usage/token-usage.ts';
import { deleteExpiredTraffic, selectTrafficDays, selectTrafficHours, type TrafficRow } from '../../platform/access/usage/traffic.ts';
import { usageDays } from '../../platform/access/usage/usage.tables.ts';
import { hourOf } from '../../platform/access/usage/usage-buffer.ts';
import {
  addUp,
  type DayUsage,
  dayOf,
  type RouteUsage,
  type UsageCounts,
  type UsageReport,
} from '../../platform/access/usage/usage-sums.ts';
import { bind } from '../../platform/kit/bind.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';

/** A request with its token and account. */
export type UsageEvent = StoredRequest & { tokenId: string; userId: string };
/** Selects the requests of a token (with `userId`: only if the account owns the token), or of an account. */
export type UsageSelector = { tokenId: string; userId?: string | undefined } | { userId: string };
/**
 * The last `days` days before `now`. The UTC day in which the window starts counts as a whole, in every read: sums of the database are by day, and all
 * pages show one number.
 */
interface UsageWindow {
  days: number;
  now: UnixSeconds;
}

export interface UserUsage extends UsageCounts {
  userId: string;
  email: string | null;
}

/** Usage of tokens. */
export type UsageStore = ReturnType<typeof createUsageStore>;

/** Retention of sums: longer than the maximum window of a query (365 days). */
const SUM_TTL_SECONDS = 400 * SECONDS_PER_DAY;
/** Maximum number of token objects that one request reads. */
const MAX_TOKENS_READ = 50;
const HOURS_PER_DAY = SECONDS_PER_DAY / SECONDS_PER_HOUR;
/** Objects read concurrently. */
const CONCURRENCY = 6;
/** Maximum number of rows that one statement deletes, to keep it short. */
const DELETE_BATCH = 5000;

/** The columns of a token that its object knows better. */
type TokenUse = Pick<ApiTokenRow, 'id' | 'revoked' | 'rotatedAt' | 'requestCount' | 'lastUsedAt'>;

const sums = (table: typeof usageDays) => ({
  requestCount: sql<number>`coalesce(sum(${table.requestCount}), 0)`,
  errorCount: sql<number>`coalesce(sum(${table.errorCount}), 0)`,
  rateLimited: sql<number>`coalesce(sum(${table.rateLimited}), 0)`,
  durationMs: sql<number>`coalesce(sum(${table.durationMs}), 0)`,
});

/** Start of each day of a window. */
function daysOf(window: UsageWindow): UnixSeconds[] {
  const first = firstDayOf(window);
  return Array.from({ length: window.days + 1 }, (_, index) => first + index * SECONDS_PER_DAY);
}

const startOf = ({ days, now }: UsageWindow) => now - days * SECONDS_PER_DAY;
const firstDayOf = (window: UsageWindow) => dayOf(startOf(window));

interface UsageStoreDeps {
  db: Database;
  histories: TokenHistories;
}

export function createUsageStore(db: Database, histories: TokenHistories) {
  const deps: UsageStoreDeps = { db, histories };
  return {
    withTotals: <Token extends TokenUse>(tokens: readonly Token[]) => withTotals(deps, tokens),
    ...bind(deps, {
      summarize,
      summarizeByToken,
      summarizeAllAccounts,
      countByAccounts,
      listTokenRequests,
      listEvents,
      listRateLimited,
      deleteByAccount,
      listTraffic,
      deleteExpired,
    }),
  };
}

/** The token, or the most recently used tokens of the account. */
const tokensOf = ({ db }: UsageStoreDeps, of: UsageSelector) =>
  db
    .select({ id: apiTokens.id, userId: apiTokens.userId })
    .from(apiTokens)
    .where(
      and(
        'tokenId' in of ? eq(apiTokens.id, of.tokenId) : undefined,
        of.userId === undefined ? undefined : eq(apiTokens.userId, of.userId),
      ),
    )
    .orderBy(apiTokens.revoked, desc(sql`coalesce(${apiTokens.lastUsedAt}, ${apiTokens.createdAt})`), apiTokens.id)
    .limit(MAX_TOKENS_READ);

/** A use of the secret before the last rotation does not count as use. */
async function totalsOf({ histories }: UsageStoreDeps, { id, rotatedAt, ...stored }: TokenUse): Promise<UsageTotals> {
  const { requestCount, lastUsedAt } = await histories.usageTotals(id);
  const isCurrent = lastUsedAt !== null && lastUsedAt >= Math.max(rotatedAt ?? 0, stored.lastUsedAt ?? 0);
  return { requestCount: Math.max(stored.requestCount, requestCount), lastUsedAt: isCurrent ? lastUsedAt : stored.lastUsedAt };
}

/** Repeats a batch deletion until no row is left. */
async function deleteAll({ db }: UsageStoreDeps, statement: SQL): Promise<void> {
  for (;;) {
    const { meta } = await db.run(statement);
    if (meta.changes < DELETE_BATCH) return;
  }
}

const topUsers = ({ db }: UsageStoreDeps, since: UnixSeconds, order: SQL, top: number, having?: SQL) =>
  db
    .select({ userId: usageDays.userId, email: users.email, ...sums(usageDays) })
    .from(usageDays)
    .leftJoin(users, eq(users.id, usageDays.userId))
    .where(gte(usageDays.day, since))
    // The unary plus keeps SQLite from reading all rows in the order of accounts.
    .groupBy(sql`+${usageDays.userId}`)
    .having(having ?? sql`true`)
    .orderBy(desc(order), usageDays.userId)
    .limit(top);

/** Total of all accounts since the start of a day, and the first `top` accounts. */
async function totalAndTop(
  deps: UsageStoreDeps,
  since: UnixSeconds,
  order: SQL,
  top: number,
  having?: SQL,
): Promise<{ total: UsageCounts; users: UserUsage[] }> {
  const [total, accounts] = await deps.db.batch([
    deps.db.select(sums(usageDays)).from(usageDays).where(gte(usageDays.day, since)),
    topUsers(deps, since, order, top, having),
  ]);
  return { total: total[0] ?? { requestCount: 0, errorCount: 0, rateLimited: 0, durationMs: 0 }, users: accounts };
}

/**
 * Sums by day, by hour over the last two days, and by route, and the last use, from the objects of the tokens. For an account: the usable and most
 * recently used tokens, at most `MAX_TOKENS_READ`.
 */
async function summarize(deps: UsageStoreDeps, of: UsageSelector, window: UsageWindow): Promise<UsageReport> {
  const since = firstDayOf(window);
  const hoursSince = hourOf(window.now) - (MAX_HOURS - 1) * SECONDS_PER_HOUR;
  const parts = await pMap(await tokensOf(deps, of), ({ id }) => deps.histories.summarizeUsage(id, since, hoursSince), {
    concurrency: CONCURRENCY,
  });
  const days = addUp(
    parts.flatMap((part) => part.days),
    ({ day }) => day,
  );
  const hours = addUp(
    parts.flatMap((part) => part.hours),
    ({ hour }) => hour,
  ).sort((one, other) => one.hour - other.hour);
  const routes = addUp(
    parts.flatMap((part) => part.routes),
    ({ method, route }) => `${method} ${route}`,
  );
  const byUse = (one: RouteUsage, other: RouteUsage) =>
    other.requestCount - one.requestCount || (`${one.route} ${one.method}` < `${other.route} ${other.method}` ? -1 : 1);
  const lastUsedAt = Math.max(0, ...parts.map((part) => part.lastUsedAt ?? 0)) || null;
  return { days: days.sort((one, other) => one.day - other.day), hours, routes: routes.sort(byUse).slice(0, MAX_ROUTES), lastUsedAt };
}

/** Sums by day of each of the same tokens of an account. */
async function summarizeByToken(
  deps: UsageStoreDeps,
  userId: string,
  window: UsageWindow,
): Promise<{ tokenId: string; days: DayUsage[] }[]> {
  const since = firstDayOf(window);
  return pMap(
    await tokensOf(deps, { userId }),
    async ({ id }) => ({ tokenId: id, days: (await deps.histories.summarizeUsage(id, since, hourOf(window.now))).days }),
    { concurrency: CONCURRENCY },
  );
}

/**
 * The tokens of an account with their number of requests and last use from their objects. Reads at most `MAX_TOKENS_READ` objects,
 * those of usable tokens first; the others have the columns of the database.
 */
async function withTotals<Token extends TokenUse>(deps: UsageStoreDeps, tokens: readonly Token[]): Promise<Token[]> {
  const usableFirst = tokens.map((_, index) => index).sort((one, other) => Number(tokens[one]?.revoked) - Number(tokens[other]?.revoked));
  const isRead = new Set(usableFirst.slice(0, MAX_TOKENS_READ));
  return pMap(tokens, async (token, index) => (isRead.has(index) ? { ...token, ...(await totalsOf(deps, token)) } : token), {
    concurrency: CONCURRENCY,
  });
}

/** Total of all accounts, and the `top` accounts with the most requests; lags by up to `USAGE_LAG_SECONDS`. */
async function summarizeAllAccounts(
  deps: UsageStoreDeps,
  window: UsageWindow,
  top: number,
): Promise<{ total: UsageCounts; users: UserUsage[] }> {
  return totalAndTop(deps, firstDayOf(window), sql`sum(${usageDays.requestCount})`, top);
}

/** Counts by account id; lags by up to `USAGE_LAG_SECONDS`. */
async function countByAccounts({ db }: UsageStoreDeps, userIds: readonly string[], window: UsageWindow): Promise<Map<string, UsageCounts>> {
  const rows = await db
    .select({ userId: usageDays.userId, ...sums(usageDays) })
    .from(usageDays)
    .where(
      and(
        sql`${usageDays.userId} in (select value from json_each(${JSON.stringify(userIds)}))`,
        // A list of days uses the primary key for each account: a range of days would read all accounts.
        sql`${usageDays.day} in (select value from json_each(${JSON.stringify(daysOf(window))}))`,
      ),
    )
    .groupBy(usageDays.userId);
  return new Map(rows.map(({ userId, ...counts }) => [userId, counts]));
}

/** Requests of a token, newest first, from its object alone: no read of the database. */
async function listTokenRequests(
  { histories }: UsageStoreDeps,
  tokenId: string,
  filter: RequestFilter,
  limit: number,
): Promise<Omit<UsageEvent, 'userId'>[]> {
  return (await histories.listRequests(tokenId, filter, limit)).map((request) => ({ ...request, tokenId }));
}

/** Requests, newest first, from the objects of the same tokens as `summarize`. */
async function listEvents(deps: UsageStoreDeps, of: UsageSelector, filter: RequestFilter, limit: number): Promise<UsageEvent[]> {
  const parts = await pMap(
    await tokensOf(deps, of),
    async ({ id: tokenId, userId }) =>
      (await deps.histories.listRequests(tokenId, filter, limit)).map((request) => ({ ...request, tokenId, userId })),
    { concurrency: CONCURRENCY },
  );
  return parts
    .flat()
    .sort((one, other) => other.id - one.id)
    .slice(0, limit);
}

/** 429 responses of all accounts since the start of a day (lags by up to `USAGE_LAG_SECONDS`), and the `top` accounts with the most. Returns that start. */
async function listRateLimited(
  deps: UsageStoreDeps,
  since: UnixSeconds,
  top: number,
): Promise<{ since: UnixSeconds; total: number; users: UserUsage[] }> {
  const refused = sql`sum(${usageDays.rateLimited})`;
  const firstDay = dayOf(since);
  const { total, users: accounts } = await totalAndTop(deps, firstDay, refused, top, sql`${refused} > 0`);
  return { since: firstDay, total: total.rateLimited, users: accounts };
}

/** Deletes all sums of an account. */
async function deleteByAccount({ db }: UsageStoreDeps, userId: string): Promise<void> {
  // The primary key starts with the day: iterates over the stored days, at most about 400.
  await db.run(sql`with recursive days(day) as (select min(day) from usage_days union all
      select (select min(day) from usage_days where day > days.day) from days where days.day is not null)
    delete from usage_days where user_id = ${userId} and day in (select day from days)`);
}

/** Requests of the whole service since a time: by hour, or by day for more than two days. */
async function listTraffic({ db }: UsageStoreDeps, window: UsageWindow): Promise<{ rows: TrafficRow[]; periodSeconds: number }> {
  const isByHour = window.days * HOURS_PER_DAY <= MAX_HOURS;
  const since = startOf(window);
  return isByHour
    ? { rows: await selectTrafficHours(db, since), periodSeconds: SECONDS_PER_HOUR }
    : { rows: await selectTrafficDays(db, firstDayOf(window)), periodSeconds: SECONDS_PER_DAY };
}

/** Deletes expired sums. */
async function deleteExpired(deps: UsageStoreDeps, now: UnixSeconds): Promise<void> {
  await deleteExpiredTraffic(deps.db, now);
  await deleteAll(
    deps,
    sql`delete from usage_days where (day, user_id) in (
    select day, user_id from usage_days where day < ${now - SUM_TTL_SECONDS} order by day, user_id limit ${DELETE_BATCH})`,
  );
}
