import { eq } from 'drizzle-orm';
import type { Database } from '../../storage/database.ts';
import { type ApiTokenRow, apiTokens, users } from '../tokens.tables.ts';
import type { TokenRecord } from './token-decision.ts';

/** Stored API tokens, by the hash of their secret. */
export interface TokensRepository {
  exists(hashedToken: string): Promise<boolean>;
  /** The token with its owner's state; null when either does not exist. */
  find(hashedToken: string): Promise<TokenRecord | null>;
  insert(row: ApiTokenRow): Promise<void>;
}

export function createTokensRepository(db: Database): TokensRepository {
  return {
    async exists(hashedToken) {
      const rows = await db.select({ id: apiTokens.id }).from(apiTokens).where(eq(apiTokens.hashedToken, hashedToken)).limit(1);
      return rows.length > 0;
    },

    async find(hashedToken) {
      const rows = await db
        .select({
          id: apiTokens.id,
          userId: apiTokens.userId,
          name: apiTokens.name,
          prefix: apiTokens.prefix,
          scopes: apiTokens.scopes,
          ipSalt: apiTokens.ipSalt,
          allowlist: apiTokens.allowlist,
          revoked: apiTokens.revoked,
          expiresAt: apiTokens.expiresAt,
          ownerIsActive: users.isActive,
          ownerIsSuperuser: users.isSuperuser,
        })
        .from(apiTokens)
        .innerJoin(users, eq(users.id, apiTokens.userId))
        .where(eq(apiTokens.hashedToken, hashedToken))
        .limit(1);
      return rows[0] ?? null;
    },

    async insert(row) {
      await db.insert(apiTokens).values(row);
    },
  };
}
