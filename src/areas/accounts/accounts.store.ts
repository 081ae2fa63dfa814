import { and, count, desc, eq, max, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { apiTokens, sessions, users } from '../../platform/access/tokens.tables.ts';
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
export interface AccountsStore {
  byEmail(email: string): Promise<Account | null>;
  byId(id: string): Promise<Account | null>;
  /** False when the address is taken. */
  create(account: typeof users.$inferInsert, ...extraStatements: ExtraStatement[]): Promise<boolean>;
  /** Marks the address as verified. False when the account has a different address by now. */
  verify(id: string, email: string): Promise<boolean>;
  setDisplayName(id: string, displayName: string | null): Promise<void>;
  /** Stores the same password hashed with another cost, unless the password was changed meanwhile. */
  rehash(account: Account, passwordHash: string): Promise<void>;
  /**
   * Replaces the password and ends every session. `verifies`: the request proves access to the mail of the account. False when the address or
   * the token version has changed meanwhile. The extra statement runs in both cases.
   */
  setPassword(
    account: Account,
    passwordHash: string,
    verifies: boolean,
    extraStatement: (isCurrent: SQL) => ExtraStatement,
  ): Promise<boolean>;
  /**
   * Sets a verified address and ends every session. `taken`: another account has the address. `stale`: the address or the token version has
   * changed meanwhile. The extra statement runs in both cases.
   */
  setEmail(account: Account, email: string, extraStatement: (isCurrent: SQL) => ExtraStatement): Promise<'set' | 'taken' | 'stale'>;
  endSessions(id: string): Promise<void>;
  /** Ends every session; no new one can start. */
  deactivate(id: string, ...extraStatements: ExtraStatement[]): Promise<void>;
  makeSuperuser(id: string, ...extraStatements: ExtraStatement[]): Promise<void>;
  /**
   * Makes an account without a verified address or password a superuser, with a new password, and ends every session. False when the
   * account was verified or changed its password concurrently.
   */
  takeOver(account: Account, passwordHash: string, ...extraStatements: ExtraStatement[]): Promise<boolean>;
  /** Ids and email addresses of the superusers. */
  superusers(): Promise<Pick<Account, 'id' | 'email'>[]>;
  /** Accounts, newest first. `matching`: part of the email address. */
  page(request: { limit: number; offset: number; matching?: string | undefined }): Promise<{ rows: Account[]; total: number }>;
  /** Token counts by account. */
  tokenTotals(userIds: readonly string[]): Promise<Map<string, TokenTotals>>;
  /** Deletes an inactive account, which has no sessions. Delete the data of other areas first. False when it is active. */
  remove(id: string): Promise<boolean>;
}

export function createAccountsStore(db: Database): AccountsStore {
  const first = <Row>(rows: Row[]): Row | null => rows[0] ?? null;
  // The list of known devices is empty again: the next sign-in from each device is mailed.
  const endSessionsChange = { tokenVersion: sql`${users.tokenVersion} + 1`, knownDevices: [] };
  const superuser = { isSuperuser: true, isVerified: true, isActive: true };
  const deleteSessions = (userId: string) => db.delete(sessions).where(eq(sessions.userId, userId));
  const isUnchanged = ({ id, email, tokenVersion }: Account) =>
    sql`${users.id} = ${id} and ${users.email} = ${email} and ${users.tokenVersion} = ${tokenVersion}`;
  const isCurrentIn = (account: Account) => sql`exists (select 1 from ${users} where ${isUnchanged(account)})`;

  return {
    async byEmail(email) {
      return first(await db.select().from(users).where(eq(users.email, email)).limit(1));
    },

    async byId(id) {
      return first(await db.select().from(users).where(eq(users.id, id)).limit(1));
    },

    async create(account, ...extraStatements) {
      return storeUnlessTaken(() => db.batch([db.insert(users).values(account), ...extraStatements]));
    },

    async verify(id, email) {
      const rows = await db
        .update(users)
        .set({ isVerified: true })
        .where(and(eq(users.id, id), eq(users.email, email)))
        .returning({ id: users.id });
      return rows.length > 0;
    },

    async setDisplayName(id, displayName) {
      await db.update(users).set({ displayName }).where(eq(users.id, id));
    },

    async rehash({ id, passwordHash: currentHash }, passwordHash) {
      await db
        .update(users)
        .set({ passwordHash })
        .where(and(eq(users.id, id), sql`${users.passwordHash} is ${currentHash}`));
    },

    async setPassword(account, passwordHash, verifies, extraStatement) {
      const change = { passwordHash, ...endSessionsChange, ...(verifies ? { isVerified: true } : {}) };
      const update = db.update(users).set(change).where(isUnchanged(account)).returning({ id: users.id });
      const [, changed] = await db.batch([extraStatement(isCurrentIn(account)), update, endOldSessions(db, account.id)]);
      return changed.length > 0;
    },

    async setEmail(account, email, extraStatement) {
      const change = { email, isVerified: true, mailRefusedAt: null, ...endSessionsChange };
      const update = db.update(users).set(change).where(isUnchanged(account)).returning({ id: users.id });
      let changed: unknown[] = [];
      const isFree = await storeUnlessTaken(async () => {
        [, changed] = await db.batch([extraStatement(isCurrentIn(account)), update, endOldSessions(db, account.id)]);
      });
      if (!isFree) return 'taken';
      return changed.length > 0 ? 'set' : 'stale';
    },

    async endSessions(id) {
      await db.batch([db.update(users).set(endSessionsChange).where(eq(users.id, id)), deleteSessions(id)]);
    },

    async deactivate(id, ...extraStatements) {
      const change = { isActive: false, ...endSessionsChange };
      await db.batch([db.update(users).set(change).where(eq(users.id, id)), deleteSessions(id), ...extraStatements]);
    },

    async makeSuperuser(id, ...extraStatements) {
      await db.batch([db.update(users).set(superuser).where(eq(users.id, id)), ...extraStatements]);
    },

    async takeOver({ id, passwordHash: currentHash }, passwordHash, ...extraStatements) {
      const isUnowned = sql`(not ${users.isVerified} or ${users.passwordHash} is null)`;
      const asKnown = and(eq(users.id, id), sql`${users.passwordHash} is ${currentHash}`, isUnowned);
      const change = { ...superuser, passwordHash, ...endSessionsChange };
      const update = db.update(users).set(change).where(asKnown).returning({ id: users.id });
      const [changed] = await db.batch([update, endOldSessions(db, id), ...extraStatements]);
      return changed.length > 0;
    },

    async superusers() {
      return db
        .select({ id: users.id, email: users.email })
        .from(users)
        .where(and(eq(users.isSuperuser, true), eq(users.isActive, true)));
    },

    async page({ limit, offset, matching }) {
      const isMatch = matching === undefined ? undefined : sql`instr(${users.email}, ${matching.toLowerCase()}) > 0`;
      const [rows, counted] = await db.batch([
        db.select().from(users).where(isMatch).orderBy(desc(users.createdAt), desc(users.id)).limit(limit).offset(offset),
        matching === undefined ? selectRowCount(db, users) : db.select({ total: count() }).from(users).where(isMatch),
      ]);
      return { rows, total: counted[0]?.total ?? 0 };
    },

    async tokenTotals(userIds) {
      const rows = await db
        .select({ userId: apiTokens.userId, tokenCount: count(), lastUsedAt: max(apiTokens.lastUsedAt) })
        .from(apiTokens)
        .where(sql`${apiTokens.userId} in (select value from json_each(${JSON.stringify(userIds)}))`)
        .groupBy(apiTokens.userId);
      return new Map(rows.map(({ userId, ...totals }) => [userId, totals]));
    },

    async remove(id) {
      const isGone = sql`not exists (select 1 from ${users} where ${users.id} = ${id})`;
      const [, [row]] = await db.batch([
        db.delete(users).where(and(eq(users.id, id), eq(users.isActive, false))),
        db.select({ isGone: sql<number>`${isGone}` }).from(sql`(select 1)`),
      ]);
      return row?.isGone === 1;
    },
  };
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
