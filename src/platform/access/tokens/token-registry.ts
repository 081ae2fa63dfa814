import { and, desc, eq, gt, gte, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { bind } from '../../kit/bind.ts';
import { systemClock, type UnixSeconds } from '../../kit/time/clock.ts';
import type { Database } from '../../storage/database.ts';
import { type ApiTokenRow, apiTokens, users } from '../tokens.tables.ts';
import { createTokenChanges, type ExtraStatement, isWithoutMatch, pendingChange, type TokenChanges } from './token-changes.ts';
import type { TokenGate } from './token-gate.ts';

/** A token with the email address of its owner. */
export type OwnedToken = ApiTokenRow & { ownerEmail: string };

/**
 * Result of a change. `isStored` false: the token did not have the required state, and nothing was stored, not even the extra
 * statements. `isConfirmed` false: the gate of the token could not be reached; the service repeats the message.
 */
export interface TokenChange {
  isStored: boolean;
  isConfirmed: boolean;
}

/** A change of an account: `statements` belong to its transaction, then `confirm` notifies the gates. */
export interface OwnerChange {
  statements: ExtraStatement[];
  /** False when a gate has not confirmed. */
  confirm(): Promise<boolean>;
}

/**
 * Stored tokens. Each change is stored with an outbox entry; then the gate of the token receives the row, so a confirmed change applies from
 * the next request on.
 */
export interface TokenRegistry {
  /** Tokens of an account, newest first, including revoked ones. */
  byAccount(userId: string): Promise<ApiTokenRow[]>;
  /** Null when the token does not exist. */
  find(id: string): Promise<OwnedToken | null>;
  /** The tokens with these ids, unordered. */
  byIds(ids: readonly string[]): Promise<OwnedToken[]>;
  /** False, with nothing stored, when the account has `maxLive` tokens that are neither revoked nor expired. */
  add(row: ApiTokenRow, quota: { maxLive: number; now: UnixSeconds }, ...extraStatements: ExtraStatement[]): Promise<boolean>;
  /** Changes name and allowlist of a live token. */
  edit(token: Pick<ApiTokenRow, 'id'>, change: Partial<Pick<ApiTokenRow, 'name' | 'allowlist'>>, now: UnixSeconds): Promise<TokenChange>;
  /** Replaces the secret of a live token, unless it was rotated meanwhile. */
  rotate(
    token: Pick<ApiTokenRow, 'id' | 'hashedToken'>,
    rotation: Rotation,
    now: UnixSeconds,
    ...extraStatements: ExtraStatement[]
  ): Promise<TokenChange>;
  /** Ends the time in which the previous secret works, if it still does. */
  endOverlap(token: Pick<ApiTokenRow, 'id' | 'previousHash'>, now: UnixSeconds, ...extraStatements: ExtraStatement[]): Promise<TokenChange>;
  /** Raises the version of a live token. The gate receives the row again, that of a revoked token too. */
  touch(token: Pick<ApiTokenRow, 'id'>, now: UnixSeconds): Promise<TokenChange>;
  /** A revoked token stays unchanged, but its gate receives the row again. */
  revoke(token: Pick<ApiTokenRow, 'id'>, reason: string, now: UnixSeconds, ...extraStatements: ExtraStatement[]): Promise<TokenChange>;
  /** Like `revoke`, but only for a token that has not changed since it was read. */
  revokeUnchanged(
    token: Pick<ApiTokenRow, 'id' | 'version'>,
    reason: string,
    now: UnixSeconds,
    ...extraStatements: ExtraStatement[]
  ): Promise<TokenChange>;
  /** Revokes every live token of an account and returns their number. */
  revokeAll(userId: string, reason: string, now: UnixSeconds): Promise<{ revoked: number; isConfirmed: boolean }>;
  /** At most `limit` live tokens whose last use, or creation if never used, was before `since`, by id, after an id. */
  listUnusedSince(since: UnixSeconds, after: string, limit: number): Promise<ApiTokenRow[]>;
  /** Stores a later use of a token than the stored one. */
  recordUse(id: string, usedAt: UnixSeconds): Promise<void>;
  /**
   * At most `limit` live tokens whose owner must get an expiry mail. `leadSeconds`: lead time of each mail, longest first.
   */
  listExpiring(now: UnixSeconds, leadSeconds: readonly number[], limit: number): Promise<OwnedToken[]>;
  /** Stores the number of expiry mails sent to the owner. */
  recordExpiryNotices(id: string, notices: number, ...extraStatements: ExtraStatement[]): Promise<void>;
  /** For a change of the rights of an account. */
  changeOwner(userId: string, now: UnixSeconds): OwnerChange;
  /** Deletes the tokens of an account with their history. Throws 503 while a gate has not confirmed. */
  deleteByAccount(userId: string): Promise<void>;
}

/** A new secret. `previousUntil`: last second in which the old secret works; null ends it at once. */
export type Rotation = Pick<ApiTokenRow, 'hashedToken' | 'prefix' | 'previousUntil'>;

interface RegistryContext {
  db: Database;
  changes: TokenChanges;
}

/** `gate`: used only by the default of `changes`. */
export function createTokenRegistry(
  db: Database,
  gate: Pick<TokenGate, 'apply'>,
  changes: TokenChanges = createTokenChanges(db, gate),
): TokenRegistry {
  const context: RegistryContext = { db, changes };
  return bind(context, {
    byAccount,
    find,
    byIds,
    add,
    edit,
    rotate,
    endOverlap,
    touch,
    revoke,
    revokeUnchanged,
    revokeAll,
    listUnusedSince,
    recordUse,
    listExpiring,
    recordExpiryNotices,
    changeOwner,
    deleteByAccount,
  });
}

const isLive = eq(apiTokens.revoked, false);
/** The condition of the index `api_tokens_expiry`, which a parameter would not match. */
const isIndexedLive = sql`${apiTokens.revoked} = 0`;
const byAccountId = (userId: string) => eq(apiTokens.userId, userId);
const isUnexpired = (now: UnixSeconds) => or(isNull(apiTokens.expiresAt), gte(apiTokens.expiresAt, now));

const owned = (db: Database) =>
  db.select({ token: apiTokens, ownerEmail: users.email }).from(apiTokens).innerJoin(users, eq(users.id, apiTokens.userId));
const flat = ({ token, ownerEmail }: { token: ApiTokenRow; ownerEmail: string }): OwnedToken => ({ ...token, ownerEmail });

/** Stores a change of the one token that matches, and notifies its gate. */
async function change(
  { db, changes }: RegistryContext,
  id: string,
  matching: SQL | undefined,
  columns: Partial<ApiTokenRow>,
  now: UnixSeconds,
  extraStatements: ExtraStatement[],
): Promise<TokenChange> {
  const { version, queueOne } = changes.begin(now);
  const isMatch = and(eq(apiTokens.id, id), isLive, matching);
  const update = db
    .update(apiTokens)
    .set({ ...columns, version })
    .where(isMatch);
  try {
    // The outbox entry first: its condition is read before the update changes the row, and no match rolls back the extra statements too.
    await db.batch([queueOne(isMatch), update, ...extraStatements]);
  } catch (error) {
    // Confirmed as well: an earlier change of the token may not have reached its gate.
    if (isWithoutMatch(error)) return { isStored: false, isConfirmed: await changes.confirm([id]) };
    throw error;
  }
  return { isStored: true, isConfirmed: await changes.confirm([id]) };
}

const byAccount = async ({ db }: RegistryContext, userId: string): Promise<ApiTokenRow[]> =>
  db.select().from(apiTokens).where(byAccountId(userId)).orderBy(desc(apiTokens.createdAt), desc(apiTokens.id));

async function find({ db }: RegistryContext, id: string): Promise<OwnedToken | null> {
  const [row] = await owned(db).where(eq(apiTokens.id, id)).limit(1);
  return row ? flat(row) : null;
}

async function byIds({ db }: RegistryContext, ids: readonly string[]): Promise<OwnedToken[]> {
  if (ids.length === 0) return [];
  const rows = await owned(db).where(sql`${apiTokens.id} in (select value from json_each(${JSON.stringify(ids)}))`);
  return rows.map(flat);
}

async function add(
  { db }: RegistryContext,
  row: ApiTokenRow,
  { maxLive, now }: { maxLive: number; now: UnixSeconds },
  ...extraStatements: ExtraStatement[]
): Promise<boolean> {
  const live = sql`select count(*) from ${apiTokens} where ${byAccountId(row.userId)} and ${isLive} and ${isUnexpired(now)}`;
  // A null hash violates a constraint, which rolls back the batch: concurrent inserts cannot exceed the quota together.
  const hashWithinQuota = sql<string>`case when (${live}) < ${maxLive} then ${row.hashedToken} end`;
  try {
    await db.batch([db.insert(apiTokens).values({ ...row, hashedToken: hashWithinQuota }), ...extraStatements]);
  } catch (error) {
    if (isMissingHash(error)) return false;
    throw error;
  }
  return true;
}

async function edit(
  context: RegistryContext,
  { id }: Pick<ApiTokenRow, 'id'>,
  columns: Partial<Pick<ApiTokenRow, 'name' | 'allowlist'>>,
  now: UnixSeconds,
): Promise<TokenChange> {
  if (Object.keys(columns).length === 0) return { isStored: true, isConfirmed: true };
  return change(context, id, undefined, columns, now, []);
}

function rotate(
  context: RegistryContext,
  { id, hashedToken }: Pick<ApiTokenRow, 'id' | 'hashedToken'>,
  rotation: Rotation,
  now: UnixSeconds,
  ...extraStatements: ExtraStatement[]
): Promise<TokenChange> {
  const columns = {
    ...rotation,
    previousHash: hashedToken,
    rotatedAt: now,
    lastUsedAt: null,
    expiryWarned: false,
    expiryNotices: 0,
  };
  return change(context, id, eq(apiTokens.hashedToken, hashedToken), columns, now, extraStatements);
}

function endOverlap(
  context: RegistryContext,
  { id, previousHash }: Pick<ApiTokenRow, 'id' | 'previousHash'>,
  now: UnixSeconds,
  ...extraStatements: ExtraStatement[]
): Promise<TokenChange> {
  const overlaps = and(sql`${apiTokens.previousHash} = ${previousHash}`, gte(apiTokens.previousUntil, now));
  return change(context, id, overlaps, { previousUntil: null }, now, extraStatements);
}

const touch = (context: RegistryContext, { id }: Pick<ApiTokenRow, 'id'>, now: UnixSeconds): Promise<TokenChange> =>
  change(context, id, undefined, {}, now, []);

function revoke(
  context: RegistryContext,
  { id }: Pick<ApiTokenRow, 'id'>,
  reason: string,
  now: UnixSeconds,
  ...extraStatements: ExtraStatement[]
): Promise<TokenChange> {
  return change(context, id, undefined, revocation(reason, now), now, extraStatements);
}

function revokeUnchanged(
  context: RegistryContext,
  { id, version }: Pick<ApiTokenRow, 'id' | 'version'>,
  reason: string,
  now: UnixSeconds,
  ...extraStatements: ExtraStatement[]
): Promise<TokenChange> {
  return change(context, id, eq(apiTokens.version, version), revocation(reason, now), now, extraStatements);
}

async function revokeAll(
  { db, changes }: RegistryContext,
  userId: string,
  reason: string,
  now: UnixSeconds,
): Promise<{ revoked: number; isConfirmed: boolean }> {
  const { version, queueAll } = changes.begin(now);
  const isMatch = and(byAccountId(userId), isLive);
  const [, rows] = await db.batch([
    // First, because after the update no token matches.
    queueAll(isMatch),
    db
      .update(apiTokens)
      .set({ ...revocation(reason, now), version })
      .where(isMatch)
      .returning({ id: apiTokens.id }),
  ]);
  return { revoked: rows.length, isConfirmed: await changes.confirm(rows.map(({ id }) => id)) };
}

async function listUnusedSince({ db }: RegistryContext, since: UnixSeconds, after: string, limit: number): Promise<ApiTokenRow[]> {
  const lastUse = sql`coalesce(${apiTokens.lastUsedAt}, ${apiTokens.rotatedAt}, ${apiTokens.createdAt})`;
  return db
    .select()
    .from(apiTokens)
    .where(and(isLive, gt(apiTokens.id, after), lt(lastUse, since)))
    .orderBy(apiTokens.id)
    .limit(limit);
}

async function recordUse({ db }: RegistryContext, id: string, usedAt: UnixSeconds): Promise<void> {
  const isLater = sql`coalesce(${apiTokens.lastUsedAt}, 0) < ${usedAt}`;
  await db
    .update(apiTokens)
    .set({ lastUsedAt: usedAt })
    .where(and(eq(apiTokens.id, id), isLater));
}

async function listExpiring(
  { db }: RegistryContext,
  now: UnixSeconds,
  leadSeconds: readonly number[],
  limit: number,
): Promise<OwnedToken[]> {
  const due = leadSeconds.map((lead, index) => sql`(${apiTokens.expiresAt} <= ${now + lead} and ${apiTokens.expiryNotices} <= ${index})`);
  const rows = await owned(db)
    .where(and(isIndexedLive, gt(apiTokens.expiresAt, now), lte(apiTokens.expiresAt, now + Math.max(...leadSeconds)), or(...due)))
    .limit(limit);
  return rows.map(flat);
}

async function recordExpiryNotices(
  { db }: RegistryContext,
  id: string,
  notices: number,
  ...extraStatements: ExtraStatement[]
): Promise<void> {
  await db.batch([
    db.update(apiTokens).set({ expiryWarned: true, expiryNotices: notices }).where(eq(apiTokens.id, id)),
    ...extraStatements,
  ]);
}

function changeOwner({ db, changes }: RegistryContext, userId: string, now: UnixSeconds): OwnerChange {
  const { version, queueAll } = changes.begin(now);
  const isMatch = and(byAccountId(userId), isLive);
  return {
    statements: [queueAll(isMatch), db.update(apiTokens).set({ version }).where(isMatch)],
    async confirm() {
      const rows = await db.select({ id: apiTokens.id }).from(apiTokens).where(isMatch);
      return changes.confirm(rows.map(({ id }) => id));
    },
  };
}

async function deleteByAccount({ db, changes }: RegistryContext, userId: string): Promise<void> {
  const { queueAll } = changes.begin(systemClock());
  await db.batch([queueAll(byAccountId(userId), userId), db.delete(apiTokens).where(byAccountId(userId))]);
  // Includes those of an earlier attempt, whose rows are gone.
  if (!(await changes.confirm(await changes.listDeleted(userId)))) throw pendingChange();
}

const revocation = (reason: string, now: UnixSeconds) => ({ revoked: true, revokedAt: now, revokeReason: reason });

function isMissingHash(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes('NOT NULL constraint failed: api_tokens.hashed_token')) return true;
  }
  return false;
}
