import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { users } from '../access/tokens.tables.ts';
import type { Database } from '../storage/database.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../time/clock.ts';
import { usageDays, usageEvents, usageHours } from './usage.tables.ts';
import { dayOf, hourOf, type UsageCounts } from './usage-sums.ts';

export type UsageEvent = typeof usageEvents.$inferSelect;
/** Whose requests are meant. */
export type UsageOf = { tokenId: string } | { userId: string };
/** The last so many days up to an instant. */
export interface UsageWindow {
  days: number;
  now: UnixSeconds;
}

export interface DayUsage extends UsageCounts {
  day: UnixSeconds;
}
export interface RouteUsage extends UsageCounts {
  method: string;
  route: string;
}
export interface UserUsage extends UsageCounts {
  userId: string;
  email: string | null;
}

/** What tokens were used for. */
export interface UsageRepository {
  /** By day, earliest first, and by route, most used first. */
  summary(of: UsageOf, window: UsageWindow): Promise<{ days: DayUsage[]; routes: RouteUsage[] }>;
  /** Everybody's requests, and the accounts with most of them. */
  everybody(window: UsageWindow, top: number): Promise<{ total: UsageCounts; users: UserUsage[] }>;
  /** Requests of some accounts by account. */
  ofUsers(userIds: readonly string[], window: UsageWindow): Promise<Map<string, UsageCounts>>;
  /** Single requests, newest first, from below an id. */
  events(
    filter: { userId?: string | undefined; statusCode?: number | undefined; belowId: number | null },
    limit: number,
  ): Promise<UsageEvent[]>;
  /** Accounts whose requests were refused as too many since then, most first. */
  rateLimited(since: UnixSeconds, top: number): Promise<{ total: number; users: UserUsage[] }>;
  /** Deletes everything about an account. */
  removeOwner(userId: string): Promise<void>;
  /** Forgets what is too old. */
  prune(now: UnixSeconds): Promise<void>;
}

const EVENT_LIFE_SECONDS = 30 * SECONDS_PER_DAY;
/** Longer than the longest window that can be asked for. */
const SUM_LIFE_SECONDS = 400 * SECONDS_PER_DAY;
const MAX_ROUTES = 200;
/** Rows deleted by one statement: it must not take long. */
const DELETE_BATCH = 5000;
const FIRST_ERROR = 400;

const sums = (table: typeof usageHours | typeof usageDays) => ({
  requestCount: sql<number>`coalesce(sum(${table.requestCount}), 0)`,
  errorCount: sql<number>`coalesce(sum(${table.errorCount}), 0)`,
  rateLimited: sql<number>`coalesce(sum(${table.rateLimited}), 0)`,
  durationMs: sql<number>`coalesce(sum(${table.durationMs}), 0)`,
});

const startOf = ({ days, now }: UsageWindow) => now - days * SECONDS_PER_DAY;

export function createUsageRepository(db: Database): UsageRepository {
  /** Deletes in bites until nothing is left. */
  async function deleteAll(statement: SQL): Promise<void> {
    for (;;) {
      const { meta } = await db.run(statement);
      if (meta.changes < DELETE_BATCH) return;
    }
  }

  /** Oldest rows first, which have the lowest row ids: no index is needed to find them. */
  const deleteOld = (table: string, column: string, before: UnixSeconds) =>
    deleteAll(
      sql`delete from ${sql.raw(table)} where rowid in (select rowid from ${sql.raw(table)} order by rowid limit ${DELETE_BATCH}) and ${sql.raw(column)} < ${before}`,
    );

  const topUsers = (since: UnixSeconds, order: SQL, top: number, having?: SQL) =>
    db
      .select({ userId: usageDays.userId, email: users.email, ...sums(usageDays) })
      .from(usageDays)
      .leftJoin(users, eq(users.id, usageDays.userId))
      .where(gte(usageDays.day, since))
      // The plus keeps the rows from being read in the order of accounts, which would be all of them.
      .groupBy(sql`+${usageDays.userId}`)
      .having(having ?? sql`true`)
      .orderBy(desc(order), usageDays.userId)
      .limit(top);

  return {
    async summary(of, window) {
      const owner = 'tokenId' in of ? eq(usageHours.tokenId, of.tokenId) : eq(usageHours.userId, of.userId);
      const inWindow = and(owner, gte(usageHours.hour, hourOf(startOf(window))));
      // Not a parameter: those are no integers, and the division would not round.
      const perDay = sql.raw(String(SECONDS_PER_DAY));
      const day = sql<number>`${usageHours.hour} / ${perDay} * ${perDay}`;
      const [days, routes] = await db.batch([
        db
          .select({ day, ...sums(usageHours) })
          .from(usageHours)
          .where(inWindow)
          .groupBy(day)
          .orderBy(day),
        db
          .select({ method: usageHours.method, route: usageHours.route, ...sums(usageHours) })
          .from(usageHours)
          .where(inWindow)
          .groupBy(usageHours.route, usageHours.method)
          .orderBy(desc(sql`sum(${usageHours.requestCount})`), usageHours.route, usageHours.method)
          .limit(MAX_ROUTES),
      ]);
      return { days, routes };
    },

    async everybody(window, top) {
      const since = dayOf(startOf(window));
      const [total, found] = await db.batch([
        db.select(sums(usageDays)).from(usageDays).where(gte(usageDays.day, since)),
        topUsers(since, sql`sum(${usageDays.requestCount})`, top),
      ]);
      return { total: total[0] ?? { requestCount: 0, errorCount: 0, rateLimited: 0, durationMs: 0 }, users: found };
    },

    async ofUsers(userIds, window) {
      const rows = await db
        .select({ userId: usageDays.userId, ...sums(usageDays) })
        .from(usageDays)
        .where(
          and(
            sql`${usageDays.userId} in (select value from json_each(${JSON.stringify(userIds)}))`,
            gte(usageDays.day, dayOf(startOf(window))),
          ),
        )
        .groupBy(usageDays.userId);
      return new Map(rows.map(({ userId, ...counts }) => [userId, counts]));
    },

    events({ userId, statusCode, belowId }, limit) {
      const conditions = [
        userId === undefined ? undefined : eq(usageEvents.userId, userId),
        statusCode === undefined ? undefined : eq(usageEvents.statusCode, statusCode),
        // Stated as the index of errors states it, so that it can be used.
        statusCode !== undefined && statusCode >= FIRST_ERROR ? sql`${usageEvents.statusCode} >= 400` : undefined,
        belowId === null ? undefined : lt(usageEvents.id, belowId),
      ];
      return db
        .select()
        .from(usageEvents)
        .where(and(...conditions))
        .orderBy(desc(usageEvents.id))
        .limit(limit);
    },

    async rateLimited(since, top) {
      const refused = sql`sum(${usageDays.rateLimited})`;
      const found = await topUsers(dayOf(since), refused, top, sql`${refused} > 0`);
      return { total: found.reduce((sum, { rateLimited }) => sum + rateLimited, 0), users: found };
    },

    async removeOwner(userId) {
      for (const table of ['usage_events', 'usage_hours', 'usage_days'].map((name) => sql.raw(name))) {
        await deleteAll(
          sql`delete from ${table} where rowid in (select rowid from ${table} where user_id = ${userId} limit ${DELETE_BATCH})`,
        );
      }
    },

    async prune(now) {
      await deleteOld('usage_events', 'created_at', now - EVENT_LIFE_SECONDS);
      await deleteOld('usage_hours', 'hour', now - SUM_LIFE_SECONDS);
      await deleteOld('usage_days', 'day', now - SUM_LIFE_SECONDS);
    },
  };
}
