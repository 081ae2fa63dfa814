import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { createPasswords } from '../../src/platform/access/sessions/passwords.ts';
import {
  createTokenRow,
  displayPrefix,
  hashToken,
  hasValidCheck,
  isWellFormedToken,
  type TokenFormat,
  tokenIdOf,
} from '../../src/platform/access/tokens/token-format.ts';
import { apiTokens, users } from '../../src/platform/access/tokens.tables.ts';

export interface Account {
  email: string;
  displayName: string;
  isSuperuser: boolean;
}

/** The two local accounts. `.example` is a reserved domain, so mail to them is never delivered. */
export const ORDINARY_ACCOUNT: Account = { email: 'developer@localhost.example', displayName: 'Developer', isSuperuser: false };
export const SUPERUSER_ACCOUNT: Account = { email: 'superuser@localhost.example', displayName: 'Superuser', isSuperuser: true };

export function accountRow(account: Account, now: number): typeof users.$inferInsert {
  return { ...account, id: randomUUID(), isActive: true, isVerified: true, createdAt: now };
}

/** Returns the id of the account with this address. Creates the account if it does not exist. */
export async function ensureAccount(database: DrizzleD1Database, account: Account, now: number): Promise<string> {
  await database.insert(users).values(accountRow(account, now)).onConflictDoNothing({ target: users.email });
  return (await findAccount(database, account)).id;
}

async function findAccount(database: DrizzleD1Database, { email }: Account) {
  const [row] = await database.select().from(users).where(eq(users.email, email));
  if (!row) throw new Error(`account ${email} was not stored`);
  return row;
}

const PASSWORD_BYTES = 12;

/**
 * Returns the password of the account. Reuses an earlier password, even after the database was deleted. Does not change a password
 * that the developer has set.
 */
export async function ensurePassword(database: DrizzleD1Database, account: Account, earlier: string | undefined): Promise<string> {
  const { id, passwordHash } = await findAccount(database, account);
  const password = earlier ?? randomBytes(PASSWORD_BYTES).toString('base64url');
  if (passwordHash === null) {
    await database
      .update(users)
      .set({ passwordHash: await createPasswords().hash(password) })
      .where(eq(users.id, id));
  }
  return password;
}

export interface SeededToken {
  userId: string;
  format: TokenFormat;
  now: number;
  /** Secret of an earlier run; reused if its format is valid. */
  earlier: string | undefined;
}

/**
 * Creates a token with every scope and no expiry. Reuses an earlier secret and restores its row if the database was deleted, so
 * clients that use the secret continue to work.
 */
export async function ensureToken(database: DrizzleD1Database, token: SeededToken): Promise<string> {
  const { userId, format, now, earlier } = token;
  const minted = createTokenRow({ userId, name: 'development', scopes: 0, allowedIps: [], expiresAt: null, now, format });
  const id = earlier === undefined ? null : tokenIdOf(earlier, format.prefix);
  if (earlier === undefined || id === null || !isWellFormedToken(earlier, format.prefix) || !hasValidCheck(earlier, format)) {
    await database.insert(apiTokens).values(minted.row);
    return minted.secret;
  }
  const row = { ...minted.row, id, prefix: displayPrefix(earlier), hashedToken: hashToken(earlier) };
  await database.insert(apiTokens).values(row).onConflictDoNothing();
  return earlier;
}
