import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AllowlistEntry } from './policy/allowlist.ts';

/** Accounts of the developer portal. E-mail is stored in lower case. Bound: one row an account; sign-ups have a budget an address. */
export const users = sqliteTable('users', {
  id: text('id').primaryKey(),
  email: text('email').notNull().unique(),
  displayName: text('display_name'),
  isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
  isVerified: integer('is_verified', { mode: 'boolean' }).notNull().default(false),
  isSuperuser: integer('is_superuser', { mode: 'boolean' }).notNull().default(false),
  createdAt: integer('created_at').notNull(),
  /** Algorithm, parameters, salt and hash in one text; null: nobody can sign in. */
  passwordHash: text('password_hash'),
  /** Every credential of a session names it: raising it ends them all. */
  tokenVersion: integer('token_version').notNull().default(0),
  lastLoginAt: integer('last_login_at'),
  /** Coarse labels of what the account was signed in from, to notice new ones. */
  knownDevices: text('known_devices', { mode: 'json' }).$type<string[]>().notNull().default([]),
  /** When mail to the address was refused for good. */
  mailRefusedAt: integer('mail_refused_at'),
});

/**
 * API tokens. The secret is never stored, only its hash; the allowlist holds keyed hashes.
 * Bound: 20 live ones an account; revoked ones stay until the account goes.
 */
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
    /** Number of the last bundle of requests that was counted. */
    usageSequence: integer('usage_sequence').notNull().default(0),
    /** The owner was told that the token expires soon. */
    expiryWarned: integer('expiry_warned', { mode: 'boolean' }).notNull().default(false),
    /** How many of the mails before its end the owner was sent. */
    expiryNotices: integer('expiry_notices').notNull().default(0),
  },
  (table) => [index('api_tokens_user').on(table.userId)],
);

/**
 * Sign-ins of the portal. A session ends by the deletion of its row.
 * Bound: 30 days after their last use; sign-ins have a budget an address and account.
 */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    /** SHA-256 of the part that every refresh token of the session shares. */
    selectorHash: text('selector_hash').notNull().unique(),
    /** SHA-256 of the refresh token in force, and of the one before it. */
    refreshHash: text('refresh_hash').notNull(),
    previousHash: text('previous_hash'),
    refreshedAt: integer('refreshed_at').notNull(),
    device: text('device'),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
);

export type ApiTokenRow = typeof apiTokens.$inferSelect;
