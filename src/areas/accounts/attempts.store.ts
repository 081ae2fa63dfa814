import { createHmac } from 'node:crypto';
import { eq, lt, sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import { ATTEMPTS_RETENTION_SECONDS } from './accounts.data.ts';
import { failedAttempts } from './accounts.tables.ts';

/** Failures that lock a key for `lockSeconds`, counted within `windowSeconds` of the first one. */
interface AttemptLimit {
  failures: number;
  windowSeconds: number;
  lockSeconds: number;
}

/** Counts failed attempts by key. Each method is one statement, so concurrent attempts all count. */
export type Attempts = ReturnType<typeof createAttempts>;

/** `secret` keys the stored hashes, so that a leaked database does not reveal email and network addresses. */
export function createAttempts(db: Database, secret: string | undefined) {
  const hashOf = (key: string) =>
    createHmac('sha256', secret ?? '')
      .update(`attempts\n${key}`)
      .digest('hex');

  return {
    /**
     * Counts an attempt as failed before it is checked. Returns the remaining seconds of the lock; 0: the attempt is allowed. Call `clear`
     * or `takeBack` when the attempt succeeds.
     */
    async count(key: string, { failures: max, windowSeconds, lockSeconds }: AttemptLimit, now: UnixSeconds): Promise<number> {
      const { failures, since, lockedUntil } = failedAttempts;
      const isLocked = sql`${lockedUntil} > ${now}`;
      const isExpired = sql`(${since} + ${windowSeconds} <= ${now} or (${lockedUntil} > 0 and ${lockedUntil} <= ${now}))`;
      const newCount = sql`case when ${isExpired} then 1 else ${failures} + 1 end`;
      const rows = await db
        .insert(failedAttempts)
        .values({ keyHash: hashOf(key), failures: 1, since: now, lockedUntil: 0 })
        .onConflictDoUpdate({
          target: failedAttempts.keyHash,
          set: {
            // A locked key keeps its times; a count above the maximum marks the lock.
            failures: sql`case when ${isLocked} then ${max + 1} else ${newCount} end`,
            since: sql`case when ${isLocked} or not ${isExpired} then ${since} else ${now} end`,
            lockedUntil: sql`case when ${isLocked} then ${lockedUntil} when ${newCount} >= ${max} then ${now + lockSeconds} else 0 end`,
          },
        })
        .returning({ failures, lockedUntil });
      const row = rows[0];
      return row && row.failures > max ? Math.max(1, row.lockedUntil - now) : 0;
    },

    /** Forgets all failures of the key. */
    async clear(key: string): Promise<void> {
      await db.delete(failedAttempts).where(eq(failedAttempts.keyHash, hashOf(key)));
    },

    /** Takes back one attempt that `count` allowed, and keeps the other failures. */
    async takeBack(key: string, { failures: max }: AttemptLimit): Promise<void> {
      const { failures } = failedAttempts;
      const isAllowed = sql`${failedAttempts.keyHash} = ${hashOf(key)} and ${failures} between 1 and ${max}`;
      await db
        .update(failedAttempts)
        .set({ failures: sql`${failures} - 1`, lockedUntil: 0 })
        .where(isAllowed);
    },

    async deleteExpired(now: UnixSeconds): Promise<void> {
      await db.delete(failedAttempts).where(lt(failedAttempts.since, now - ATTEMPTS_RETENTION_SECONDS));
    },
  };
}
