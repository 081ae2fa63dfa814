import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../storage/database.ts';
import { apiTokens, users } from '../tokens.tables.ts';
import type { TokenRecord } from './token-decision.ts';

/** A token as of a version. */
export interface TokenState {
  version: number;
  record: TokenRecord;
}

/** Stored API tokens, by id. */
export interface TokensStore {
  exists(id: string): Promise<boolean>;
  /** The token with the rights of its owner; null when the token does not exist. */
  find(id: string): Promise<TokenState | null>;
}

export function createTokensStore(db: Database): TokensStore {
  return {
    async exists(id) {
      const rows = await db.select({ id: apiTokens.id }).from(apiTokens).where(eq(apiTokens.id, id)).limit(1);
      return rows.length > 0;
    },

    async find(id) {
      const [row] = await db
        .select({
          version: apiTokens.version,
          record: {
            id: apiTokens.id,
            userId: apiTokens.userId,
            hashedToken: apiTokens.hashedToken,
            previousHash: apiTokens.previousHash,
            previousUntil: apiTokens.previousUntil,
            name: apiTokens.name,
            prefix: apiTokens.prefix,
            scopes: apiTokens.scopes,
            ipSalt: apiTokens.ipSalt,
            allowlist: apiTokens.allowlist,
            revoked: apiTokens.revoked,
            expiresAt: apiTokens.expiresAt,
            ownerIsActive: sql<boolean>`coalesce(${users.isActive}, 0)`.mapWith(Boolean),
            ownerIsSuperuser: sql<boolean>`coalesce(${users.isSuperuser}, 0)`.mapWith(Boolean),
          },
        })
        .from(apiTokens)
        .leftJoin(users, eq(users.id, apiTokens.userId))
        .where(eq(apiTokens.id, id))
        .limit(1);
      return row ?? null;
    },
  };
}
