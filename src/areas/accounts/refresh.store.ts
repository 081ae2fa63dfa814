import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { sessions, users } from '../../platform/access/tokens.tables.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import { type ExtraStatement, textOf } from './accounts.store.ts';

export type Session = typeof sessions.$inferSelect;
type NewSession = typeof sessions.$inferInsert & { tokenVersion: number };

/** Sessions and their refresh tokens. Ending a session deletes its row. */
export interface RefreshStore {
  /** Stores a session and records the sign-in. False, with nothing stored, when the token version of the account has changed meanwhile. */
  start(session: NewSession, knownDevices: string[], ...extraStatements: ExtraStatement[]): Promise<boolean>;
  bySelector(selectorHash: string): Promise<Session | null>;
  /** Replaces the current token; false when a concurrent request already did. */
  rotate(session: Session, nextHash: string, now: UnixSeconds, expiresAt: UnixSeconds): Promise<boolean>;
  /** Active sessions, most recently used first. */
  list(userId: string, now: UnixSeconds): Promise<Session[]>;
  /** False when the account does not have this session. */
  end(id: string, userId: string): Promise<boolean>;
  deleteExpired(now: UnixSeconds): Promise<void>;
}

/** Maximum number of sessions in a list. */
const MAX_LISTED = 100;

export function createRefreshStore(db: Database): RefreshStore {
  return {
    async start(session, knownDevices, ...extraStatements) {
      const signInChange = { lastLoginAt: session.createdAt, knownDevices };
      const isCurrent = sql`${users.id} = ${session.userId} and ${users.tokenVersion} = ${session.tokenVersion} and ${users.isActive}`;
      // Null for another version: the column is NOT NULL, so the transaction fails as a whole.
      const tokenVersion = sql`(select ${users.tokenVersion} from ${users} where ${isCurrent})`;
      try {
        await db.batch([
          db.insert(sessions).values({ ...session, tokenVersion }),
          db.update(users).set(signInChange).where(eq(users.id, session.userId)),
          ...extraStatements,
        ]);
        return true;
      } catch (error) {
        if (/NOT NULL constraint failed: sessions\.token_version/.test(textOf(error))) return false;
        throw error;
      }
    },

    async bySelector(selectorHash) {
      const rows = await db.select().from(sessions).where(eq(sessions.selectorHash, selectorHash)).limit(1);
      return rows[0] ?? null;
    },

    async rotate({ id, refreshHash }, nextHash, now, expiresAt) {
      const rows = await db
        .update(sessions)
        .set({ refreshHash: nextHash, previousHash: refreshHash, refreshedAt: now, lastUsedAt: now, expiresAt })
        .where(and(eq(sessions.id, id), eq(sessions.refreshHash, refreshHash)))
        .returning({ id: sessions.id });
      return rows.length > 0;
    },

    async list(userId, now) {
      const rows = await db
        .select()
        .from(sessions)
        .where(eq(sessions.userId, userId))
        .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
        .limit(MAX_LISTED);
      return rows.filter((session) => session.expiresAt > now);
    },

    async end(id, userId) {
      const rows = await db
        .delete(sessions)
        .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
        .returning({ id: sessions.id });
      return rows.length > 0;
    },

    async deleteExpired(now) {
      await db.delete(sessions).where(lt(sessions.expiresAt, now));
    },
  };
}
