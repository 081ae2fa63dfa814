import { and, asc, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { users } from '../../platform/access/tokens.tables.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import { MAX_OPEN_REPORTS, type ReportReason } from './reports.data.ts';
import { contentReports } from './reports.tables.ts';

export type Report = typeof contentReports.$inferSelect;
export type Decision = NonNullable<Report['decision']>;
/** A report with the address of the account that sent it. */
export type ListedReport = Report & { email: string | null };

export interface NewReport {
  id: string;
  page: string;
  reason: ReportReason;
  message: string;
  userId: string | null;
  createdAt: UnixSeconds;
}

export type ReportsStore = ReturnType<typeof createReportsStore>;

export function createReportsStore(db: Database) {
  const isOpen = isNull(contentReports.decidedAt);

  return {
    /** False when `MAX_OPEN_REPORTS` are open. */
    async add({ id, page, reason, message, userId, createdAt }: NewReport): Promise<boolean> {
      const rows = await db
        .insert(contentReports)
        .select(
          sql`select ${id}, ${page}, ${reason}, ${message}, ${userId}, ${createdAt}, null, null, null, null
            where (select count(*) from (select 1 from ${contentReports} where ${isOpen} limit ${MAX_OPEN_REPORTS})) < ${MAX_OPEN_REPORTS}`,
        )
        .returning({ id: contentReports.id });
      return rows.length > 0;
    },

    /** Open reports, oldest first, or decided ones, newest decision first. */
    async list(state: 'open' | 'decided', { limit, offset }: { limit: number; offset: number }): Promise<ListedReport[]> {
      const order =
        state === 'open'
          ? [asc(contentReports.createdAt), asc(contentReports.id)]
          : [desc(contentReports.decidedAt), desc(contentReports.id)];
      const rows = await db
        .select({ report: contentReports, email: users.email })
        .from(contentReports)
        .leftJoin(users, eq(users.id, contentReports.userId))
        .where(state === 'open' ? isOpen : isNotNull(contentReports.decidedAt))
        .orderBy(...order)
        .limit(limit)
        .offset(offset);
      return rows.map(({ report, email }) => ({ ...report, email }));
    },

    async countOpen(): Promise<number> {
      return db.$count(contentReports, isOpen);
    },

    async find(id: string): Promise<Report | null> {
      return (await db.select().from(contentReports).where(eq(contentReports.id, id)))[0] ?? null;
    },

    /** The decided report; null when it is unknown or was decided before. */
    async decide(
      id: string,
      { decision, note, actor, now }: { decision: Decision; note: string | null; actor: string; now: UnixSeconds },
    ): Promise<Report | null> {
      const rows = await db
        .update(contentReports)
        .set({ decision, decisionNote: note, decidedBy: actor, decidedAt: now })
        .where(and(eq(contentReports.id, id), isOpen))
        .returning();
      return rows[0] ?? null;
    },

    /** Reports stay without the account that sent them: they are about others. */
    async deleteByAccount(userId: string): Promise<void> {
      await db.update(contentReports).set({ userId: null }).where(eq(contentReports.userId, userId));
    },

    async deleteDecided(before: UnixSeconds): Promise<void> {
      await db.delete(contentReports).where(lt(contentReports.decidedAt, before));
    },
  };
}
