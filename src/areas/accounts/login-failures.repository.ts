import { createHash } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../../platform/storage/database.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { LOCKOUT } from './accounts.data.ts';
import { loginFailures } from './accounts.tables.ts';

/** Locks an address after some failures in a row, in one statement each: tries made at the same time count together. */
export interface LoginFailures {
  /**
   * Counts a try as failed before it is made. Seconds for which the address is locked; 0 when the try may be made. To be
   * followed by `clear` when it succeeds.
   */
  begin(email: string, now: UnixSeconds): Promise<number>;
  clear(email: string): Promise<void>;
  prune(now: UnixSeconds): Promise<void>;
}

export function createLoginFailures(db: Database): LoginFailures {
  const hashOf = (email: string) => createHash('sha256').update(email).digest('hex');

  return {
    async begin(email, now) {
      const { failures: max, windowSeconds, lockSeconds } = LOCKOUT;
      const { failures, since, lockedUntil } = loginFailures;
      const isLocked = sql`${lockedUntil} > ${now}`;
      const isOld = sql`(${since} + ${windowSeconds} <= ${now} or (${lockedUntil} > 0 and ${lockedUntil} <= ${now}))`;
      const counted = sql`case when ${isOld} then 1 else ${failures} + 1 end`;
      const rows = await db
        .insert(loginFailures)
        .values({ emailHash: hashOf(email), failures: 1, since: now, lockedUntil: 0 })
        .onConflictDoUpdate({
          target: loginFailures.emailHash,
          set: {
            // A locked address keeps what it has, but for the count, which then tells that it is locked.
            failures: sql`case when ${isLocked} then ${max + 1} else ${counted} end`,
            since: sql`case when ${isLocked} or not ${isOld} then ${since} else ${now} end`,
            lockedUntil: sql`case when ${isLocked} then ${lockedUntil} when ${counted} >= ${max} then ${now + lockSeconds} else 0 end`,
          },
        })
        .returning({ failures, lockedUntil });
      const row = rows[0];
      return row && row.failures > max ? Math.max(1, row.lockedUntil - now) : 0;
    },

    async clear(email) {
      await db.delete(loginFailures).where(eq(loginFailures.emailHash, hashOf(email)));
    },

    async prune(now) {
      const { windowSeconds, lockSeconds } = LOCKOUT;
      await db
        .delete(loginFailures)
        .where(and(lt(loginFailures.since, now - windowSeconds - lockSeconds), lt(loginFailures.lockedUntil, now)));
    },
  };
}
