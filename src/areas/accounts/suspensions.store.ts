import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { sessions, users } from '../../platform/access/tokens.tables.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import type { ExtraStatement } from './accounts.store.ts';
import { accountSuspensions } from './accounts.tables.ts';

export type Suspension = typeof accountSuspensions.$inferSelect;

/** Maximum number of suspensions in a list. */
const MAX_LISTED = 50;

export type SuspensionsStore = ReturnType<typeof createSuspensionsStore>;

/** Suspensions of accounts. Each change is one transaction with the extra statements, whose condition is that the change applies. */
export function createSuspensionsStore(db: Database) {
  const isOpenOf = (userId: string) => and(eq(accountSuspensions.userId, userId), isNull(accountSuspensions.endedAt));

  return {
    /** Suspensions of an account, newest first. */
    list(userId: string): Promise<Suspension[]> {
      const newestFirst = [desc(accountSuspensions.startedAt), desc(accountSuspensions.id)];
      return db
        .select()
        .from(accountSuspensions)
        .where(eq(accountSuspensions.userId, userId))
        .orderBy(...newestFirst)
        .limit(MAX_LISTED);
    },

    /** Deactivates an active account that is not a superuser and ends its sessions. False for any other account. */
    async start(
      { id, userId, reason, startedAt, startedBy }: Omit<Suspension, 'endedAt' | 'endedBy' | 'endReason'>,
      extraStatements: (isStarted: SQL) => ExtraStatement[],
    ): Promise<boolean> {
      const isStarted = sql`exists (select 1 from ${accountSuspensions} where ${accountSuspensions.id} = ${id})`;
      const allowed = sql`select ${id}, id, ${reason}, ${startedAt}, ${startedBy}, null, null, null from ${users}
        where id = ${userId} and is_active = 1 and is_superuser = 0`;
      const insertion = db.insert(accountSuspensions).select(allowed).onConflictDoNothing().returning({ id: accountSuspensions.id });
      const change = { isActive: false, tokenVersion: sql`${users.tokenVersion} + 1`, knownDevices: [] };
      // The suspension is first: the statements after it depend on the row that this request inserted.
      const [inserted] = await db.batch([
        insertion,
        db
          .update(users)
          .set(change)
          .where(and(eq(users.id, userId), isStarted)),
        db.delete(sessions).where(and(eq(sessions.userId, userId), isStarted)),
        ...extraStatements(isStarted),
      ]);
      return inserted.length > 0;
    },

    /** Activates the account again. False when it is not suspended. */
    async end(
      userId: string,
      { endedAt, endedBy, endReason }: { endedAt: UnixSeconds; endedBy: string; endReason: string | null },
      extraStatements: (isEnding: SQL) => ExtraStatement[],
    ): Promise<boolean> {
      const isEnding = sql`exists (select 1 from ${accountSuspensions} where ${isOpenOf(userId)})`;
      // Last, because the other statements depend on the open suspension.
      const end = db
        .update(accountSuspensions)
        .set({ endedAt, endedBy, endReason })
        .where(isOpenOf(userId))
        .returning({ id: accountSuspensions.id });
      const activation = db
        .update(users)
        .set({ isActive: true })
        .where(and(eq(users.id, userId), isEnding));
      const results = await db.batch([activation, ...extraStatements(isEnding), end]);
      return (results.at(-1) as unknown[]).length > 0;
    },

    async deleteByAccount(userId: string): Promise<void> {
      await db.delete(accountSuspensions).where(eq(accountSuspensions.userId, userId));
    },
  };
}
