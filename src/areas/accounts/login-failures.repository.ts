import { createHash } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../../platform/storage/database.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { LOCKOUT } from './accounts.data.ts';
import { loginFailures } from './accounts.tables.ts';

/** Locks an email address after repeated failures. Each method is one statement, so concurrent attempts all count. */
export interface LoginFailures {
  /**
   * Counts an attempt as failed before the password is checked. Returns the remaining seconds of the lock; 0: the attempt is allowed. Call
   * `clear` when the attempt succeeds.
   */
  countAttempt(email: string, now: UnixSeconds): Promise<number>;
  clear(email: string): Promise<void>;
  deleteExpired(now: UnixSeconds): Promise<void>;
}

export function createLoginFailures(db: Database): LoginFailures {
  const hashOf = (email: string) => createHash('sha256').update(email).digest('hex');

  return {
    async countAttempt(email, now) {
      const { failures: max, windowSeconds, lockSeconds } = LOCKOUT;
      const { failures, since, lockedUntil } = loginFailures;
      const isLocked = sql`${lockedUntil} > ${now}`;
      const isExpired = sql`(${since} + ${windowSeconds} <= ${now} or (${lockedUntil} > 0 and ${lockedUntil} <= ${now}))`;
      const newCount = sql`case when ${isExpired} then 1 else ${failures} + 1 end`;
      const rows = await db
        .insert(loginFailures)
        .values({ emailHash: hashOf(email), failures: 1, since: now, lockedUntil: 0 })
        .onConflictDoUpdate({
          target: loginFailures.emailHash,
          set: {
            // A locked address keeps its times; a count above the maximum marks the lock.
            failures: sql`case when ${isLocked} then ${max + 1} else ${newCount} end`,
            since: sql`case when ${isLocked} or not ${isExpired} then ${since} else ${now} end`,
            lockedUntil: sql`case when ${isLocked} then ${lockedUntil} when ${newCount} >= ${max} then ${now + lockSeconds} else 0 end`,
          },
        })
        .returning({ failures, lockedUntil });
      const row = rows[0];
      return row && row.failures > max ? Math.max(1, row.lockedUntil - now) : 0;
    },

    async clear(email) {
      await db.delete(loginFailures).where(eq(loginFailures.emailHash, hashOf(email)));
    },

    async deleteExpired(now) {
      const { windowSeconds, lockSeconds } = LOCKOUT;
      await db
        .delete(loginFailures)
        .where(and(lt(loginFailures.since, now - windowSeconds - lockSeconds), lt(loginFailures.lockedUntil, now)));
    },
  };
}
