import { and, desc, eq, gte, isNull, lt, or, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import pMap from 'p-map';
import { logError } from '../../logging.ts';
import type { Database } from '../../storage/database.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import { type ApiTokenRow, apiTokens, users } from '../tokens.tables.ts';
import type { TokenGate } from './token-gate.ts';

/** A token with the email address of its owner. */
export type OwnedToken = ApiTokenRow & { ownerEmail: string };

/** A statement in the transaction of a change, such as one that queues a mail about it. */
type ExtraStatement = BatchItem<'sqlite'>;

/**
 * Stored tokens. Each change is stored first; then the gate of the token is notified, so the change applies from the next request
 * on.
 */
export interface TokenRegistry {
  /** Tokens of an account, newest first, including revoked ones. */
  byAccount(userId: string): Promise<ApiTokenRow[]>;
  /** Null when the token does not exist. */
  find(id: string): Promise<OwnedToken | null>;
  /** The tokens with these hashes, unordered. */
  byHashes(hashedTokens: readonly string[]): Promise<OwnedToken[]>;
  /** False, with nothing stored, when the account has `maxLive` tokens that are neither revoked nor expired. */
  add(row: ApiTokenRow, quota: { maxLive: number; now: UnixSeconds }, ...extraStatements: ExtraStatement[]): Promise<boolean>;
  /** Changes name and allowlist of a token. */
  edit(token: ApiTokenRow, change: Partial<Pick<ApiTokenRow, 'name' | 'allowlist'>>): Promise<void>;
  /** Replaces the secret of a live token. False when the token was revoked or rotated meanwhile. */
  rotate(token: ApiTokenRow, change: Rotation, now: UnixSeconds, ...extraStatements: ExtraStatement[]): Promise<boolean>;
  /** True when this call revoked the token; a revoked token stays unchanged. */
  revoke(
    token: Pick<ApiTokenRow, 'id' | 'hashedToken'>,
    reason: string,
    now: UnixSeconds,
    ...extraStatements: ExtraStatement[]
  ): Promise<boolean>;
  /** Revokes every live token of an account and returns their number. */
  revokeAll(userId: string, reason: string, now: UnixSeconds): Promise<number>;
  /** At most `limit` live tokens whose last use, or creation if never used, was before `since`. */
  listUnusedSince(since: UnixSeconds, limit: number): Promise<ApiTokenRow[]>;
  /**
   * At most `limit` live tokens whose owner must get an expiry mail. `leadSeconds`: lead time of each mail, longest first.
   */
  listExpiring(now: UnixSeconds, leadSeconds: readonly number[], limit: number): Promise<OwnedToken[]>;
  /** Stores the number of expiry mails sent to the owner. */
  recordExpiryNotices(id: string, notices: number, ...extraStatements: ExtraStatement[]): Promise<void>;
  /** Call after the rights of an account changed: its gates read the account again. */
  invalidateByAccount(userId: string): Promise<void>;
  /** Deletes the tokens of an account with their history. */
  deleteByAccount(userId: string): Promise<void>;
}

export type Rotation = Pick<ApiTokenRow, 'hashedToken' | 'prefix'>;

/** Gates notified concurrently. */
const CONCURRENCY = 6;
const NOTIFY_ATTEMPTS = 3;

export function createTokenRegistry(db: Database, gate: Pick<TokenGate, 'invalidate' | 'rotated' | 'erase'>): TokenRegistry {
  const owned = () =>
    db.select({ token: apiTokens, ownerEmail: users.email }).from(apiTokens).innerJoin(users, eq(users.id, apiTokens.userId));
  const flat = ({ token, ownerEmail }: { token: ApiTokenRow; ownerEmail: string }): OwnedToken => ({ ...token, ownerEmail });
  const isLive = eq(apiTokens.revoked, false);
  const byAccountId = (userId: string) => eq(apiTokens.userId, userId);
  const isUnexpired = (now: UnixSeconds) => or(isNull(apiTokens.expiresAt), gte(apiTokens.expiresAt, now));

  /** Best effort: a gate that is not notified reads the change within 30 seconds (`RECORD_TTL_MS` in its object). */
  async function notifyGate(work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; attempt <= NOTIFY_ATTEMPTS; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        logError('gate could not be notified of a change', error, { attempt });
      }
    }
  }

  async function invalidateAll(hashes: readonly string[]): Promise<void> {
    await pMap(hashes, (hash) => notifyGate(() => gate.invalidate(hash)), { concurrency: CONCURRENCY });
  }

  async function eraseAll(hashes: readonly string[]): Promise<void> {
    await pMap(hashes, (hash) => gate.erase(hash), { concurrency: CONCURRENCY });
  }

  async function hashesOf(userId: string): Promise<string[]> {
    const rows = await db.select({ hash: apiTokens.hashedToken }).from(apiTokens).where(eq(apiTokens.userId, userId));
    return rows.map(({ hash }) => hash);
  }

  return {
    byAccount: (userId) =>
      db.select().from(apiTokens).where(eq(apiTokens.userId, userId)).orderBy(desc(apiTokens.createdAt), desc(apiTokens.id)),

    async find(id) {
      const [row] = await owned().where(eq(apiTokens.id, id)).limit(1);
      return row ? flat(row) : null;
    },

    async byHashes(hashedTokens) {
      if (hashedTokens.length === 0) return [];
      const rows = await owned().where(sql`${apiTokens.hashedToken} in (select value from json_each(${JSON.stringify(hashedTokens)}))`);
      return rows.map(flat);
    },

    async add(row, { maxLive, now }, ...extraStatements) {
      const live = sql`select count(*) from ${apiTokens} where ${byAccountId(row.userId)} and ${isLive} and ${isUnexpired(now)}`;
      // A null hash violates a constraint, which rolls back the batch: concurrent inserts cannot exceed the quota together.
      const hashWithinQuota = sql<string>`case when (${live}) < ${maxLive} then ${row.hashedToken} end`;
      try {
        await db.batch([db.insert(apiTokens).values({ ...row, hashedToken: hashWithinQuota }), ...extraStatements]);
      } catch (error) {
        if (isMissingHash(error)) return false;
        throw error;
      }
      // Drops a cached "unknown token" of this hash.
      await notifyGate(() => gate.invalidate(row.hashedToken));
      return true;
    },

    async edit({ id, hashedToken }, change) {
      if (Object.keys(change).length === 0) return;
      await db.update(apiTokens).set(change).where(eq(apiTokens.id, id));
      await notifyGate(() => gate.invalidate(hashedToken));
    },

    async rotate({ id, hashedToken }, change, now, ...extraStatements) {
      const isUnchanged = and(eq(apiTokens.id, id), eq(apiTokens.hashedToken, hashedToken), isLive);
      const columns = { ...change, rotatedAt: now, lastUsedAt: null, expiryWarned: false, expiryNotices: 0 };
      const [changed] = await db.batch([
        db.update(apiTokens).set(columns).where(isUnchanged).returning({ id: apiTokens.id }),
        ...extraStatements,
      ]);
      if (changed.length === 0) return false;
      await notifyGate(() => gate.rotated(hashedToken, change.hashedToken, now));
      return true;
    },

    async revoke({ id, hashedToken }, reason, now, ...extraStatements) {
      const update = db
        .update(apiTokens)
        .set({ revoked: true, revokedAt: now, revokeReason: reason })
        .where(and(eq(apiTokens.id, id), isLive))
        .returning({ id: apiTokens.id });
      const [changed] = await db.batch([update, ...extraStatements]);
      await notifyGate(() => gate.invalidate(hashedToken));
      return changed.length > 0;
    },

    async revokeAll(userId, reason, now) {
      const rows = await db
        .update(apiTokens)
        .set({ revoked: true, revokedAt: now, revokeReason: reason })
        .where(and(eq(apiTokens.userId, userId), isLive))
        .returning({ hash: apiTokens.hashedToken });
      await invalidateAll(rows.map(({ hash }) => hash));
      return rows.length;
    },

    listUnusedSince(since, limit) {
      const lastUse = sql`coalesce(${apiTokens.lastUsedAt}, ${apiTokens.rotatedAt}, ${apiTokens.createdAt})`;
      return db
        .select()
        .from(apiTokens)
        .where(and(isLive, lt(lastUse, since)))
        .limit(limit);
    },

    async listExpiring(now, leadSeconds, limit) {
      const due = leadSeconds.map(
        (lead, index) => sql`(${apiTokens.expiresAt} <= ${now + lead} and ${apiTokens.expiryNotices} <= ${index})`,
      );
      const rows = await owned()
        .where(and(isLive, sql`${apiTokens.expiresAt} > ${now}`, or(...due)))
        .limit(limit);
      return rows.map(flat);
    },

    async recordExpiryNotices(id, notices, ...extraStatements) {
      await db.batch([
        db.update(apiTokens).set({ expiryWarned: true, expiryNotices: notices }).where(eq(apiTokens.id, id)),
        ...extraStatements,
      ]);
    },

    invalidateByAccount: async (userId) => invalidateAll(await hashesOf(userId)),

    async deleteByAccount(userId) {
      const hashes = await hashesOf(userId);
      // Before the rows, which have the hashes: a retry of the account deletion must find them after a failure.
      await eraseAll(hashes);
      await db.delete(apiTokens).where(eq(apiTokens.userId, userId));
      // Deletes records added meanwhile. Later records find no token row and are dropped.
      await notifyGate(() => eraseAll(hashes));
    },
  };
}

function isMissingHash(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes('NOT NULL constraint failed: api_tokens.hashed_token')) return true;
  }
  return false;
}
