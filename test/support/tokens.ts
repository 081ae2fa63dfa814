import { env } from 'cloudflare:workers';
import { createTokenRow } from '../../src/platform/access/tokens/mint-token.ts';
import { type ApiTokenRow, apiTokens, users } from '../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { FIRST_INSTANT } from './requests.ts';

export interface AccountOptions {
  isSuperuser?: boolean;
  isActive?: boolean;
  isVerified?: boolean;
  /** Overrides of columns, such as `passwordHash`. */
  row?: Partial<typeof users.$inferInsert>;
}

/** Creates an account and returns its id. */
export async function createAccount({
  isSuperuser = false,
  isActive = true,
  isVerified = true,
  row,
}: AccountOptions = {}): Promise<string> {
  const id = crypto.randomUUID();
  await createDatabase(env.DB)
    .insert(users)
    .values({ id, email: `${id}@example.com`, isActive, isVerified, isSuperuser, createdAt: FIRST_INSTANT, ...row });
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

/** Creates a token and returns its secret. */
export async function createToken({ userId, scopes = 0, allowedIps = [], expiresAt = null, row }: TokenOptions = {}): Promise<string> {
  const minted = createTokenRow({
    userId: userId ?? (await createAccount()),
    name: 'test',
    scopes,
    allowedIps,
    expiresAt,
    now: FIRST_INSTANT,
    tokenPrefix: env.TOKEN_PREFIX,
  });
  await createDatabase(env.DB)
    .insert(apiTokens)
    .values({ ...minted.row, ...row });
  return minted.secret;
}

/** Creates a token of a superuser. */
export async function createSuperuserToken(options: Omit<TokenOptions, 'userId'> = {}): Promise<string> {
  return createToken({ ...options, userId: await createAccount({ isSuperuser: true }) });
}
