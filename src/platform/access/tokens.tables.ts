import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AllowlistEntry } from './allowlist.ts';

/** Accounts of the developer portal. E-mail is stored in lower case. */
export const users = sqliteTable('users', {
  id: text('id').primaryKey(),
  email: text('email').notNull().unique(),
  displayName: text('display_name'),
  isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
  isVerified: integer('is_verified', { mode: 'boolean' }).notNull().default(false),
  isSuperuser: integer('is_superuser', { mode: 'boolean' }).notNull().default(false),
  createdAt: integer('created_at').notNull(),
});

/** API tokens. The secret is never stored, only its hash; the allowlist holds keyed hashes. */
export const apiTokens = sqliteTable(
  'api_tokens',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    hashedToken: text('hashed_token').notNull().unique(),
    scopes: integer('scopes').notNull(),
    ipSalt: text('ip_salt').notNull(),
    allowlist: text('allowlist', { mode: 'json' }).$type<AllowlistEntry[]>().notNull().default([]),
    revoked: integer('revoked', { mode: 'boolean' }).notNull().default(false),
    revokedAt: integer('revoked_at'),
    revokeReason: text('revoke_reason'),
    expiresAt: integer('expires_at'),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
    rotatedAt: integer('rotated_at'),
    requestCount: integer('request_count').notNull().default(0),
  },
  (table) => [index('api_tokens_user').on(table.userId)],
);

export type ApiTokenRow = typeof apiTokens.$inferSelect;
