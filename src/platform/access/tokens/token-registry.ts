import { and, desc, eq, gte, isNull, lt, or, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import pMap from 'p-map';
import { logError } from '../../logging.ts';
import type { Database } from '../../storage/database.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import { type ApiTokenRow, apiTokens, users } from '../tokens.tables.ts';
import type { TokenGate } from './token-gate.ts';

/** A token with the address of its owner, for mails about it. */
export type OwnedToken = ApiTokenRow & { ownerEmail: string };

/** A statement stored together with a change: a mail about it. */
type ExtraStatement = BatchItem<'sqlite'>;

/**
 * Changes of tokens. Each change is stored first and then announced to the token's gate, so it applies to the next request
 * everywhere.
 */
export interface TokenRegistry {
  /** Tokens of an account, newest first, revoked ones included. */
  byAccount(userId: string): Promise<ApiTokenRow[]>;
  /** Null when there is no such token. */
  find(id: string): Promise<OwnedToken | null>;
  /** The tokens among the hashes, in no order. */
  byHashes(hashedTokens: readonly string[]): Promise<OwnedToken[]>;
  /** False, with nothing stored, when the account has `maxLive` tokens that are neither revoked nor expired. */
  add(row: ApiTokenRow, quota: { maxLive: number; now: UnixSeconds }, ...riders: ExtraStatement[]): Promise<boolean>;
  /** Name and allowlist of a live token. */
  edit(token: ApiTokenRow, change: Partial<Pick<ApiTokenRow, 'name' | 'allowlist'>>): Promise<void>;
  /** A new secret for a live token. False when it was revoked or rotated meanwhile. */
  rotate(token: ApiTokenRow, change: Rotation, now: UnixSeconds, ...riders: ExtraStatement[]): Promise<boolean>;
  /** True when this call revoked the token; a revoked token stays unchanged. */
  revoke(token: Pick<ApiTokenRow, 'id' | 'hashedToken'>, reason: string, now: UnixSeconds, ...riders: ExtraStatement[]): Promise<boolean>;
  /** Revokes every live token of an account; how many. */
  revokeAll(userId: string, reason: string, now: UnixSeconds): Promise<number>;
  /** Live tokens without use since then, or created before and never used: at most `limit`. */
  unusedSince(since: UnixSeconds, limit: number): Promise<ApiTokenRow[]>;
  /**
   * Live tokens whose owners are due an expiry mail: at most `limit`. `leadSeconds`: lead time of each mail, the longest first.
   */
  expiring(now: UnixSeconds, leadSeconds: readonly number[], limit: number): Promise<OwnedToken[]>;
  /** Notes that the owner was sent so many of these mails; `riders` are stored with it. */
  warned(id: string, notices: number, ...riders: ExtraStatement[]): Promise<void>;
  /** To be called after the rights of an account changed. */
  ownerChanged(userId: string): Promise<void>;
  /** Deletes the tokens of an account with their history. */
  deleteByAccount(userId: string): Promise<void>;
}

export type Rotation = Pick<ApiTokenRow, 'hashedToken' | 'prefix'>;

/** Gates notified concurrently. */
const CONCURRENCY = 6;
const NOTIFY_ATTEMPTS = 3;

export function createTokenRegistry(db: Database, gate: Pick<TokenGate, 'forget' | 'rotated' | 'erase'>): TokenRegistry {
  const owned = () =>
    db.select({ token: apiTokens, ownerEmail: users.email }).from(apiTokens).innerJoin(users, eq(users.id, apiTokens.userId));
  const flat = ({ token, ownerEmail }: { token: ApiTokenRow; ownerEmail: string }): OwnedToken => ({ ...token, ownerEmail });
  const isLive = eq(apiTokens.revoked, false);
  const byAccountId = (userId: string) => eq(apiTokens.userId, userId);
  const isUnexpired = (now: UnixSeconds) => or(isNull(apiTokens.expiresAt), gte(apiTokens.expiresAt, now));

  /** The change is stored: a gate that cannot be notified reads it within half a minute. */
  async function tell(work: () => Promise<void>): Promise<void> {
    for (let made = 1; made <= NOTIFY_ATTEMPTS; made += 1) {
      try {
        return await work();
      } catch (error) {
        logError('gate could not be notified of a change', error, { attempt: made });
      }
    }
  }

  async function forgetAll(hashes: readonly string[]): Promise<void> {
    await pMap(hashes, (hash) => tell(() => gate.forget(hash)), { concurrency: CONCURRENCY });
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

    async add(row, { maxLive, now }, ...riders) {
      const live = sql`select count(*) from ${apiTokens} where ${byAccountId(row.userId)} and ${isLive} and ${isUnexpired(now)}`;
      // The missing hash breaks a constraint and so undoes the whole batch: mints made at once cannot exceed the quota together.
      const hashWithinQuota = sql<string>`case when (${live}) < ${maxLive} then ${row.hashedToken} end`;
      try {
        await db.batch([db.insert(apiTokens).values({ ...row, hashedToken: hashWithinQuota }), ...riders]);
      } catch (error) {
        if (isMissingHash(error)) return false;
        throw error;
      }
      // Somebody may have tried the secret before it existed, however unlikely that is.
      await tell(() => gate.forget(row.hashedToken));
      return true;
    },

    async edit({ id, hashedToken }, change) {
      if (Object.keys(change).length === 0) return;
      await db.update(apiTokens).set(change).where(eq(apiTokens.id, id));
      await tell(() => gate.forget(hashedToken));
    },

    async rotate({ id, hashedToken }, change, now, ...riders) {
      const same = and(eq(apiTokens.id, id), eq(apiTokens.hashedToken, hashedToken), isLive);
      const fresh = { ...change, rotatedAt: now, lastUsedAt: null, expiryWarned: false, expiryNotices: 0 };
      const [changed] = await db.batch([db.update(apiTokens).set(fresh).where(same).returning({ id: apiTokens.id }), ...riders]);
      if (changed.length === 0) return false;
      await tell(() => gate.rotated(hashedToken, change.hashedToken, now));
      return true;
    },

    async revoke({ id, hashedToken }, reason, now, ...riders) {
      const update = db
        .update(apiTokens)
        .set({ revoked: true, revokedAt: now, revokeReason: reason })
        .where(and(eq(apiTokens.id, id), isLive))
        .returning({ id: apiTokens.id });
      const [changed] = await db.batch([update, ...riders]);
      await tell(() => gate.forget(hashedToken));
      return changed.length > 0;
    },

    async revokeAll(userId, reason, now) {
      const rows = await db
        .update(apiTokens)
        .set({ revoked: true, revokedAt: now, revokeReason: reason })
        .where(and(eq(apiTokens.userId, userId), isLive))
        .returning({ hash: apiTokens.hashedToken });
      await forgetAll(rows.map(({ hash }) => hash));
      return rows.length;
    },

    unusedSince(since, limit) {
      const lastUse = sql`coalesce(${apiTokens.lastUsedAt}, ${apiTokens.rotatedAt}, ${apiTokens.createdAt})`;
      return db
        .select()
        .from(apiTokens)
        .where(and(isLive, lt(lastUse, since)))
        .limit(limit);
    },

    async expiring(now, leadSeconds, limit) {
      const due = leadSeconds.map(
        (lead, index) => sql`(${apiTokens.expiresAt} <= ${now + lead} and ${apiTokens.expiryNotices} <= ${index})`,
      );
      const rows = await owned()
        .where(and(isLive, sql`${apiTokens.expiresAt} > ${now}`, or(...due)))
        .limit(limit);
      return rows.map(flat);
    },

    async warned(id, notices, ...riders) {
      await db.batch([db.update(apiTokens).set({ expiryWarned: true, expiryNotices: notices }).where(eq(apiTokens.id, id)), ...riders]);
    },

    ownerChanged: async (userId) => forgetAll(await hashesOf(userId)),

    async deleteByAccount(userId) {
      const hashes = await hashesOf(userId);
      // Runs before the rows are deleted, which name the objects: a failure is retried with the whole deletion.
      await eraseAll(hashes);
      await db.delete(apiTokens).where(eq(apiTokens.userId, userId));
      // Erases records added meanwhile. Later records find no row and are dropped.
      await tell(() => eraseAll(hashes));
    },
  };
}

function isMissingHash(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes('NOT NULL constraint failed: api_tokens.hashed_token')) return true;
  }
  return false;
}
