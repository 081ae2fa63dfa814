import { and, count, desc, eq, max, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { apiTokens, sessions, users } from '../../platform/access/tokens.tables.ts';
import { bind } from '../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import { selectRowCount } from '../../platform/storage/row-counts.ts';

export type Account = typeof users.$inferSelect;

/** Statement of the same transaction as a change, for example one that queues a mail. */
export type ExtraStatement = BatchItem<'sqlite'>;

export interface TokenTotals {
  tokenCount: number;
  lastUsedAt: UnixSeconds | null;
}

/** Account storage. Changes that end sessions do so in the same transaction. */
export type AccountsStore = ReturnType<typeof createAccountsStore>;

// The list of known devices is empty again: the next sign-in from each device is mailed.
const endSessionsChange = { tokenVersion: sql`${users.tokenVersion} + 1`, knownDevices: [] };

const superuser = { isSuperuser: true, isVerified: true, isActive: true };

export function createAccountsStore(db: Database) {
  return bind(db, {
    byEmail,
    byId,
    create,
    verify,
    setDisplayName,
    rehash,
    setPassword,
    setEmail,
    endSessions,
    deactivate,
    makeSuperuser,
    takeOver,
    superusers,
    page,
    tokenTotals,
    remove,
  });
}

const first = <Row>(rows: Row[]): Row | null => rows[0] ?? null;

const deleteSessions = (db: Database, userId: string) => db.delete(sessions).where(eq(sessions.userId, userId));

const isUnchanged = ({ id, email, tokenVersion }: Account) =>
  sql`${users.id} = ${id} and ${users.email} = ${email} and ${users.tokenVersion} = ${tokenVersion}`;

const isCurrentIn = (account: Account) => sql`exists (select 1 from ${users} where ${isUnchanged(account)})`;

async function byEmail(db: Database, email: string): Promise<Account | null> {
  return first(await db.select().from(users).where(eq(users.email, email)).limit(1));
}

async function byId(db: Database, id: string): Promise<Account | null> {
  return first(await db.select().from(users).where(eq(users.id, id)).limit(1));
}

/** False when the address is taken. */
async function create(db: Database, account: typeof users.$inferInsert, ...extraStatements: ExtraStatement[]): Promise<boolean> {
  return storeUnlessTaken(() => db.batch([db.insert(users).values(account), ...extraStatements]));
}

/** Marks the address as verified. False when the account has a different address by now. */
async function verify(db: Database, id: string, email: string): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ isVerified: true })
    .where(and(eq(users.id, id), eq(users.email, email)))
    .returning({ id: users.id });
  return rows.length > 0;
}

async function setDisplayName(db: Database, id: string, displayName: string | null): Promise<void> {
  await db.update(users).set({ displayName }).where(eq(users.id, id));
}

/** Stores the same password hashed with another cost, unless the password was changed meanwhile. */
async function rehash(db: Database, { id, passwordHash: currentHash }: Account, passwordHash: string): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, id), sql`${users.passwordHash} is ${currentHash}`));
}

/**
 * Replaces the password and ends every session. `verifies`: the request proves access to the mail of the account. False when the address or
 * the token version has changed meanwhile. The extra statement runs in both cases.
 */
async function setPassword(
  db: Database,
  account: Account,
  passwordHash: string,
  verifies: boolean,
  extraStatement: (isCurrent: SQL) => ExtraStatement,
): Promise<boolean> {
  const change = { passwordHash, ...endSessionsChange, ...(verifies ? { isVerified: true } : {}) };
  const update = db.update(users).set(change).where(isUnchanged(account)).returning({ id: users.id });
  // The extra statement is first: its condition reads the account as it was. The sessions are last: they are compared with the new version.
  const [, changed] = await db.batch([extraStatement(isCurrentIn(account)), update, endOldSessions(db, account.id)]);
  return changed.length > 0;
}

/**
 * Sets a verified address and ends every session. `taken`: another account has the address. `stale`: the address or the token version has
 * changed meanwhile. The extra statement runs in both cases.
 */
async function setEmail(
  db: Database,
  account: Account,
  email: string,
  extraStatement: (isCurrent: SQL) => ExtraStatement,
): Promise<'set' | 'taken' | 'stale'> {
  const change = { email, isVerified: true, mailRefusedAt: null, ...endSessionsChange };
  const update = db.update(users).set(change).where(isUnchanged(account)).returning({ id: users.id });
  let changed: unknown[] = [];
  const isFree = await storeUnlessTaken(async () => {
    [, changed] = await db.batch([extraStatement(isCurrentIn(account)), update, endOldSessions(db, account.id)]);
  });
  if (!isFree) return 'taken';
  return changed.length > 0 ? 'set' : 'stale';
}

async function endSessions(db: Database, id: string): Promise<void> {
  await db.batch([db.update(users).set(endSessionsChange).where(eq(users.id, id)), deleteSessions(db, id)]);
}

/** Ends every session; no new one can start. */
async function deactivate(db: Database, id: string, ...extraStatements: ExtraStatement[]): Promise<void> {
  const change = { isActive: false, ...endSessionsChange };
  await db.batch([db.update(users).set(change).where(eq(users.id, id)), deleteSessions(db, id), ...extraStatements]);
}

async function makeSuperuser(db: Database, id: string, ...extraStatements: ExtraStatement[]): Promise<void> {
  await db.batch([db.update(users).set(superuser).where(eq(users.id, id)), ...extraStatements]);
}

/**
 * Makes an account without a verified address or password a superuser, with a new password, and ends every session. False when the
 * account was verified or changed its password concurrently.
 */
async function takeOver(
  db: Database,
  { id, passwordHash: currentHash }: Account,
  passwordHash: string,
  ...extraStatements: ExtraStatement[]
): Promise<boolean> {
  const isUnowned = sql`(not ${users.isVerified} or ${users.passwordHash} is null)`;
  const asKnown = and(eq(users.id, id), sql`${users.passwordHash} is ${currentHash}`, isUnowned);
  const change = { ...superuser, passwordHash, ...endSessionsChange };
  const update = db.update(users).set(change).where(asKnown).returning({ id: users.id });
  const [changed] = await db.batch([update, endOldSessions(db, id), ...extraStatements]);
  return changed.length > 0;
}

/** Ids and email addresses of the superusers. */
async function superusers(db: Database): Promise<Pick<Account, 'id' | 'email'>[]> {
  return db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.isSuperuser, true), eq(users.isActive, true)));
}

/** Accounts, newest first. `matching`: part of the email address. */
async function page(
  db: Database,
  { limit, offset, matching }: { limit: number; offset: number; matching?: string | undefined },
): Promise<{ rows: Account[]; total: number }> {
  const isMatch = matching === undefined ? undefined : sql`instr(${users.email}, ${matching.toLowerCase()}) > 0`;
  const [rows, counted] = await db.batch([
    db.select().from(users).where(isMatch).orderBy(desc(users.createdAt), desc(users.id)).limit(limit).offset(offset),
    matching === undefined ? selectRowCount(db, users) : db.select({ total: count() }).from(users).where(isMatch),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Token counts by account. */
async function tokenTotals(db: Database, userIds: readonly string[]): Promise<Map<string, TokenTotals>> {
  const rows = await db
    .select({ userId: apiTokens.userId, tokenCount: count(), lastUsedAt: max(apiTokens.lastUsedAt) })
    .from(apiTokens)
    .where(sql`${apiTokens.userId} in (select value from json_each(${JSON.stringify(userIds)}))`)
    .groupBy(apiTokens.userId);
  return new Map(rows.map(({ userId, ...totals }) => [userId, totals]));
}

/** Deletes an inactive account, which has no sessions. Delete the data of other areas first. False when it is active. */
async function remove(db: Database, id: string): Promise<boolean> {
  const isGone = sql`not exists (select 1 from ${users} where ${users.id} = ${id})`;
  const [, [row]] = await db.batch([
    db.delete(users).where(and(eq(users.id, id), eq(users.isActive, false))),
    db.select({ isGone: sql<number>`${isGone}` }).from(sql`(select 1)`),
  ]);
  return row?.isGone === 1;
}

/** Deletes the sessions that an earlier token version of the account started: none, when a change of the account was refused. */
export const endOldSessions = (db: Database, userId: string) =>
  db
    .delete(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        sql`${sessions.tokenVersion} <> (select ${users.tokenVersion} from ${users} where ${users.id} = ${userId})`,
      ),
    );

/** Returns false when another account has the address. */
async function storeUnlessTaken(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (/UNIQUE constraint failed: users\.email/.test(textOf(error))) return false;
    throw error;
  }
}

/** Messages of an error and its causes: drizzle wraps database errors. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message} ${error.cause === undefined ? '' : textOf(error.cause)}`;
}
