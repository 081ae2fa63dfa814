import { and, desc, eq, gt, gte, isNotNull, sql } from 'drizzle-orm';
import { selectRefusals } from '../../platform/access/sessions/sign-in-refusals.ts';
import { users } from '../../platform/access/tokens.tables.ts';
import { selectTrafficHours } from '../../platform/access/usage/traffic.ts';
import { jobRuns } from '../../platform/durable/schedule/jobs.tables.ts';
import { ingestLog } from '../../platform/http/ingest/ingest.tables.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { settingChanges } from '../../platform/settings/settings.tables.ts';
import type { Database } from '../../platform/storage/database.ts';
import { storageSizes } from './admin.tables.ts';

/** Hours of traffic on the page. */
export const TRAFFIC_HOURS = 48;
const MAX_REJECTED = 5;
const MAX_CHANGES = 10;

/** Everything on the first page of a superuser that is in the database, in one batch. */
export async function readOverview(db: Database, now: UnixSeconds) {
  const dayAgo = now - SECONDS_PER_DAY;
  const isRejected = and(eq(ingestLog.success, false), eq(ingestLog.isPending, false));
  const count = (condition: ReturnType<typeof and>) => sql<number>`count(case when ${condition} then 1 end)`;
  const [jobs, inserts, rejected, traffic, refusals, refusalsOfTwoDays, changes, stores, size] = await db.batch([
    db.select().from(jobRuns),
    db
      .select({
        accepted: count(eq(ingestLog.success, true)),
        rejected: count(isRejected),
        pending: count(eq(ingestLog.isPending, true)),
        withProblems: count(and(eq(ingestLog.success, true), gt(ingestLog.rejected, 0))),
      })
      .from(ingestLog)
      .where(gte(ingestLog.createdAt, dayAgo)),
    db
      .select({ entry: ingestLog, userEmail: users.email })
      .from(ingestLog)
      .leftJoin(users, eq(users.id, ingestLog.userId))
      .where(and(isRejected, gte(ingestLog.createdAt, dayAgo)))
      .orderBy(desc(ingestLog.id))
      .limit(MAX_REJECTED),
    selectTrafficHours(db, now - (TRAFFIC_HOURS - 1) * SECONDS_PER_HOUR),
    selectRefusals(db, dayAgo),
    selectRefusals(db, dayAgo - SECONDS_PER_DAY),
    db
      .select({ change: settingChanges, userEmail: users.email })
      .from(settingChanges)
      .leftJoin(users, eq(users.id, settingChanges.changedByUserId))
      .orderBy(desc(settingChanges.id))
      .limit(MAX_CHANGES),
    db.select().from(storageSizes).where(isNotNull(storageSizes.measuredAt)).orderBy(storageSizes.store),
    // A statement whose metadata include the size of the database.
    db.run(sql`select 1`),
  ]);
  return {
    jobs,
    inserts: inserts[0] ?? { accepted: 0, rejected: 0, pending: 0, withProblems: 0 },
    rejected,
    traffic,
    refusals,
    refusalsOfTwoDays,
    changes,
    stores,
    databaseBytes: size.meta.size_after ?? null,
  };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;
