import { env } from 'cloudflare:workers';
import { createTokenReader, type PresentedToken } from '../../src/platform/access/policy/credentials.ts';
import { createTokenRow, tokenFormatFrom } from '../../src/platform/access/tokens/token-format.ts';
import { createTokensStore } from '../../src/platform/access/tokens/tokens.store.ts';
import { type ApiTokenRow, apiTokens, users } from '../../src/platform/access/tokens.tables.ts';
import { withDefaults } from '../../src/platform/settings/variables.data.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { FIRST_INSTANT } from './requests.ts';

/** Format and keys of tokens in tests. */
export const TOKEN_FORMAT = tokenFormatFrom(withDefaults(env));

export interface AccountOptions {
  isSuperuser?: boolean;
  isActive?: boolean;
  isVerified?: boolean;
  /** Overrides of columns, such as `passwordHash`. */
  row?: Partial<typeof users.$inferInsert>;
}

const db = createDatabase(env.DB);

/** The statement that stores a new account. */
export function insertAccount(id: string, { isSuperuser = false, isActive = true, isVerified = true, row }: AccountOptions = {}) {
  return db.insert(users).values({ id, email: `${id}@example.com`, isActive, isVerified, isSuperuser, createdAt: FIRST_INSTANT, ...row });
}

/** Creates an account and returns its id. */
export async function createAccount(options?: AccountOptions): Promise<string> {
  const id = crypto.randomUUID();
  await insertAccount(id, options);
  return id;
}

export interface TokenOptions {
  /** Owner; default: a new ordinary account. */
  userId?: string;
  /** Scope mask; 0 (the default) is every scope. */
  scopes?: number;
  allowedIps?: readonly string[];
  expiresAt?: number | null;
  /** Overrides of columns, such as `revoked`. */
  row?: Partial<ApiTokenRow>;
}

/** A token without limits that is not stored, with overridden fields: its secret and its row. */
export const newToken = (fields: Partial<Parameters<typeof createTokenRow>[0]> = {}) =>
  createTokenRow({
    userId: 'nobody',
    name: 'test',
    scopes: 0,
    allowedIps: [],
    expiresAt: null,
    now: FIRST_INSTANT,
    format: TOKEN_FORMAT,
    ...fields,
  });

/** Creates a token and returns its secret. `owner`: the new account without a `userId`. */
export async function createToken({ userId, row, ...fields }: TokenOptions = {}, owner?: AccountOptions): Promise<string> {
  const ownerId = userId ?? crypto.randomUUID();
  const minted = newToken({ userId: ownerId, ...fields });
  const insertion = db.insert(apiTokens).values({ ...minted.row, ...row });
  await (userId === undefined ? db.batch([insertAccount(ownerId, owner), insertion]) : insertion);
  return minted.secret;
}

/** Creates a token of a superuser. */
export const createSuperuserToken = (options: Omit<TokenOptions, 'userId'> = {}): Promise<string> =>
  createToken(options, { isSuperuser: true });

/** The token as the service reads it: its id and its hash. */
export function readToken(secret: string): PresentedToken {
  const token = createTokenReader(TOKEN_FORMAT)(secret);
  if (typeof token === 'string') throw new Error(`${token} token`);
  return token;
}

/** The object of a token. */
export const gateOf = (secret: string) => env.TOKEN_GATES.getByName(readToken(secret).id);

/** Raises the version of a token whose row, or whose owner, a test changed, and notifies its gate. */
export async function notifyGate(secret: string): Promise<void> {
  const { id } = readToken(secret);
  await env.DB.prepare('UPDATE api_tokens SET version = version + 1 WHERE id = ?1').bind(id).run();
  const state = await createTokensStore(db).find(id);
  await (state ? env.TOKEN_GATES.getByName(id).apply(state) : env.TOKEN_GATES.getByName(id).erase());
}

/** Changes columns of a token by SQL and notifies its gate. */
export async function changeToken(secret: string, assignment: string): Promise<void> {
  await env.DB.prepare(`UPDATE api_tokens SET ${assignment} WHERE id = ?1`).bind(readToken(secret).id).run();
  await notifyGate(secret);
}
