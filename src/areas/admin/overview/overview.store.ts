import { desc, eq, isNotNull, sql } from 'drizzle-orm';
import { selectRefusals } from '../../../platform/access/sessions/sign-in-refusals.ts';
import { users } from '../../../platform/access/tokens.tables.ts';
import { selectTrafficHours } from '../../../platform/access/usage/traffic.ts';
import type { Ports } from '../../../platform/area/area.ts';
import { jobRuns } from '../../../platform/durable/schedule/jobs.tables.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { settingChanges } from '../../../platform/settings/settings.tables.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { storageSizes } from '../admin.tables.ts';

/** Hours of traffic on the page. */
const TRAFFIC_HOURS = 48;
const MAX_CHANGES = 10;

/** Everything on the first page of a superuser that is in the database, in one batch. */
export async function readOverview(db: Database, selectInserts: Ports['selectInserts'], now: UnixSeconds) {
  const dayAgo = now - SECONDS_PER_DAY;
  const { counts, latestRejected } = selectInserts(db, dayAgo);
  const [jobs, inserts, rejected, traffic, refusals, refusalsOfTwoDays, changes, stores, size] = await db.batch([
    db.select().from(jobRuns),
    counts,
    latestRejected,
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
