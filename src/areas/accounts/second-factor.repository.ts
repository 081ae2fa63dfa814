import { and, count, desc, eq, isNotNull, lt, sql } from 'drizzle-orm';
import { recoveryCodes, secondFactorEvents, secondFactors } from '../../platform/access/sessions/second-factor.tables.ts';
import { users } from '../../platform/access/tokens.tables.ts';
import type { Database } from '../../platform/storage/database.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { endOldSessions } from './accounts.repository.ts';

export type StoredFactor = typeof secondFactors.$inferSelect;
export type SecondFactorEvent = typeof secondFactorEvents.$inferSelect;
export type SecondFactorEventKind = SecondFactorEvent['kind'];

/** Maximum number of events in a list. */
const MAX_LISTED_EVENTS = 50;

/** Second factors, recovery codes and their events. */
export interface SecondFactorRepository {
  find(userId: string): Promise<StoredFactor | null>;
  countRecoveryCodes(userId: string): Promise<number>;
  /** Latest events first. */
  listEvents(userId: string): Promise<SecondFactorEvent[]>;
  /** Stores the secret of a set-up. False when the account has a second factor. */
  begin(userId: string, sealedSecret: string, now: UnixSeconds): Promise<boolean>;
  /**
   * Confirms a set-up, stores the recovery codes, and ends every session. `step`: that of the accepted code. False when the set-up was
   * replaced or finished concurrently.
   */
  confirm(factor: StoredFactor, step: number, codeHashes: readonly string[], now: UnixSeconds): Promise<boolean>;
  /** Accepts the code of a step once. False when a code of this or a later step was accepted. */
  useStep(userId: string, step: number): Promise<boolean>;
  /** Accepts a recovery code once. */
  useRecoveryCode(userId: string, codeHash: string, now: UnixSeconds): Promise<boolean>;
  replaceRecoveryCodes(userId: string, codeHashes: readonly string[], now: UnixSeconds): Promise<void>;
  remove(userId: string, now: UnixSeconds): Promise<void>;
  /** Deletes all data of a deleted account. */
  deleteByAccount(userId: string): Promise<void>;
  deleteExpiredEvents(before: UnixSeconds): Promise<void>;
}

export function createSecondFactorRepository(db: Database, newId: () => string): SecondFactorRepository {
  const deleteCodes = (userId: string) => db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const deleteFactor = (userId: string) => db.delete(secondFactors).where(eq(secondFactors.userId, userId));
  const addEvent = (userId: string, kind: SecondFactorEventKind, at: UnixSeconds) =>
    db.insert(secondFactorEvents).values({ id: newId(), userId, kind, at });
  const codeRows = (userId: string, codeHashes: readonly string[]) => codeHashes.map((codeHash) => ({ codeHash, userId }));

  return {
    async find(userId) {
      const rows = await db.select().from(secondFactors).where(eq(secondFactors.userId, userId)).limit(1);
      return rows[0] ?? null;
    },

    async countRecoveryCodes(userId) {
      const [row] = await db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId));
      return row?.left ?? 0;
    },

    listEvents: (userId) =>
      db
        .select()
        .from(secondFactorEvents)
        .where(eq(secondFactorEvents.userId, userId))
        .orderBy(desc(secondFactorEvents.at), desc(secondFactorEvents.id))
        .limit(MAX_LISTED_EVENTS),

    async begin(userId, sealedSecret, now) {
      const rows = await db
        .insert(secondFactors)
        .values({ userId, sealedSecret, createdAt: now })
        .onConflictDoUpdate({
          target: secondFactors.userId,
          set: { sealedSecret, createdAt: now },
          setWhere: sql`${secondFactors.confirmedAt} is null`,
        })
        .returning({ userId: secondFactors.userId });
      return rows.length > 0;
    },

    async confirm({ userId, sealedSecret }, step, codeHashes, now) {
      const isOpen = sql`${secondFactors.userId} = ${userId} and ${secondFactors.sealedSecret} = ${sealedSecret} and ${secondFactors.confirmedAt} is null`;
      const stillOpen = sql`exists (select 1 from ${secondFactors} where ${isOpen})`;
      const codes = sql`select value, ${userId} from json_each(${JSON.stringify(codeHashes)}) where ${stillOpen}`;
      const [, , , , confirmed] = await db.batch([
        db
          .update(users)
          .set({ tokenVersion: sql`${users.tokenVersion} + 1` })
          .where(and(eq(users.id, userId), stillOpen)),
        endOldSessions(db, userId),
        db.insert(recoveryCodes).select(codes),
        db.insert(secondFactorEvents).select(sql`select ${newId()}, ${userId}, 'enabled', null, ${now} where ${stillOpen}`),
        db.update(secondFactors).set({ confirmedAt: now, lastStep: step }).where(isOpen).returning({ userId: secondFactors.userId }),
      ]);
      return confirmed.length > 0;
    },

    async useStep(userId, step) {
      const isLater = and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt), lt(secondFactors.lastStep, step));
      const rows = await db.update(secondFactors).set({ lastStep: step }).where(isLater).returning({ userId: secondFactors.userId });
      return rows.length > 0;
    },

    async useRecoveryCode(userId, codeHash, now) {
      const isCode = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash));
      const hasCode = sql`exists (select 1 from ${recoveryCodes} where ${isCode})`;
      const [, used] = await db.batch([
        db.insert(secondFactorEvents).select(sql`select ${newId()}, ${userId}, 'recovery_code_used', null, ${now} where ${hasCode}`),
        db.delete(recoveryCodes).where(isCode).returning({ userId: recoveryCodes.userId }),
      ]);
      return used.length > 0;
    },

    async replaceRecoveryCodes(userId, codeHashes, now) {
      await db.batch([
        deleteCodes(userId),
        db.insert(recoveryCodes).values(codeRows(userId, codeHashes)),
        addEvent(userId, 'recovery_codes_replaced', now),
      ]);
    },

    async remove(userId, now) {
      await db.batch([deleteFactor(userId), deleteCodes(userId), addEvent(userId, 'disabled', now)]);
    },

    async deleteByAccount(userId) {
      await db.batch([
        deleteFactor(userId),
        deleteCodes(userId),
        db.delete(secondFactorEvents).where(eq(secondFactorEvents.userId, userId)),
      ]);
    },

    async deleteExpiredEvents(before) {
      await db.delete(secondFactorEvents).where(lt(secondFactorEvents.at, before));
    },
  };
}
