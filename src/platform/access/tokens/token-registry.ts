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
 * Changes of tokens. Each is stored first and then told to the token's gate, so that it holds for the very next request
 * everywhere.
 */
export interface TokenRegistry {
  /** Tokens of an account, newest first, revoked ones included. */
  byAccount(userId: string): Promise<ApiTokenRow[]>;
  /** Null when there is no such token. */
  find(id: string): Promise<OwnedToken | null>;
  /** Those of the hashes that are tokens, in no order. */
  byHashes(hashedTokens: readonly string[]): Promise<OwnedToken[]>;
  /** False, and nothing is stored, when the account has `maxLive` tokens that are neither revoked nor expired. */
  add(row: ApiTokenRow, quota: { maxLive: number; now: UnixSeconds }, ...riders: ExtraStatement[]): Promise<boolean>;
  /** Name and allowlist of a live token. */
  edit(token: ApiTokenRow, change: Partial<Pick<ApiTokenRow, 'name' | 'allowlist'>>): Promise<void>;
  /** A new secret for a live token. False when it was revoked or rotated meanwhile. */
  rotate(token: ApiTokenRow, change: Rotation, now: UnixSeconds, ...riders: ExtraStatement[]): Promise<boolean>;
  /** Whether this call revoked it; a token that is revoked already stays as it is. */
  revoke(token: Pick<ApiTokenRow, 'id' | 'hashedToken'>, reason: string, now: UnixSeconds, ...riders: ExtraStatement[]): Promise<boolean>;
  /** Revokes every live token of an account; how many. */
  revokeAll(userId: string, reason: string, now: UnixSeconds): Promise<number>;
  /** Live tokens that nobody used since then, or that were never used and made before: at most `limit`. */
  unusedSince(since: UnixSeconds, limit: number): Promise<ApiTokenRow[]>;
  /**
   * Live tokens whose owners are due a mail before the end: at most `limit`. `leadSeconds`: how long before it each mail is due, the
   * longest first.
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

/** Gates told at once. */
const CONCURRENCY = 6;
const NOTIFY_ATTEMPTS = 3;

export function createTokenRegistry(db: Database, gate: Pick<TokenGate, 'forget' | 'rotated' | 'erase'>): TokenRegistry {
  const owned = () =>
    db.select({ token: apiTokens, ownerEmail: users.email }).from(apiTokens).innerJoin(users, eq(users.id, apiTokens.userId));
  const flat = ({ token, ownerEmail }: { token: ApiTokenRow; ownerEmail: string }): OwnedToken => ({ ...token, ownerEmail });
  const isLive = eq(apiTokens.revoked, false);
  const byAccountId = (userId: string) => eq(apiTokens.userId, userId);
  const isUnexpired = (now: UnixSeconds) => or(isNull(apiTokens.expiresAt), gte(apiTokens.expiresAt, now));

  /** The change is stored: a gate that cannot be told finds out by itself within half a minute. */
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
      // Before the rows are gone, which name the objects: what fails here is made again with the whole deletion.
      await eraseAll(hashes);
      await db.delete(apiTokens).where(eq(apiTokens.userId, userId));
      // What was noted meanwhile. From here on an object finds no row and notes nothing.
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
