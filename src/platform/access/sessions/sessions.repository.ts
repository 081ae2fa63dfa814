import { and, eq, sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { Database } from '../../storage/database.ts';
import { sessions, users } from '../tokens.tables.ts';
import { secondFactors } from './second-factor.tables.ts';

/** State of a stored session and its account. */
export interface SessionState {
  expiresAt: UnixSeconds;
  tokenVersion: number;
  isActive: boolean;
  isVerified: boolean;
  isSuperuser: boolean;
  hasSecondFactor: boolean;
  email: string;
  displayName: string | null;
}

/** Sessions for access control. Not cached, because the end of a session applies at once. */
export interface SessionsRepository {
  /** Null when the session has ended or belongs to another account. */
  find(sessionId: string, userId: string): Promise<SessionState | null>;
}

export function createSessionsRepository(db: Database): SessionsRepository {
  return {
    async find(sessionId, userId) {
      const rows = await db
        .select({
          expiresAt: sessions.expiresAt,
          tokenVersion: users.tokenVersion,
          isActive: users.isActive,
          isVerified: users.isVerified,
          isSuperuser: users.isSuperuser,
          email: users.email,
          displayName: users.displayName,
          hasSecondFactor: sql<number>`${secondFactors.confirmedAt} is not null`.mapWith(Boolean),
        })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .leftJoin(secondFactors, eq(secondFactors.userId, sessions.userId))
        .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
        .limit(1);
      return rows[0] ?? null;
    },
  };
}
