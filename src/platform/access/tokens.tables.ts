import { desc, sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { backedUp, expires, references } from '../kit/backup-decision.ts';
import type { TableDeclarations } from '../kit/table-declaration.ts';
import * as shapes from '../kit/values/stored-shapes.ts';
import { jsonColumn } from '../storage/json-column.ts';
import type { AllowlistEntry } from './tokens/token-decision.ts';

/** An unreadable entry fails the read: to leave it out would change who may use the token. */
const ALLOWLIST: shapes.Shape<AllowlistEntry[]> = shapes.wholeListOf(shapes.fields({ prefixLength: shapes.number, hash: shapes.text }));

/**
 * Accounts of the developer portal. Email is stored in lower case. Bound: one row per account; sign-ups are rate limited per
 * address.
 */
export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull().unique(),
    displayName: text('display_name'),
    isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
    isVerified: integer('is_verified', { mode: 'boolean' }).notNull().default(false),
    isSuperuser: integer('is_superuser', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    /** Algorithm, parameters, salt and hash in one text; null disables sign-in. */
    passwordHash: text('password_hash'),
    /** Part of every session credential: a higher value ends all sessions of the account. */
    tokenVersion: integer('token_version').notNull().default(0),
    lastLoginAt: integer('last_login_at'),
    /** Coarse labels of the devices that signed in, to detect new ones. */
    knownDevices: jsonColumn('known_devices', shapes.listOf(shapes.text)).notNull().default([]),
    /** When the mail provider permanently rejected the address. */
    mailRefusedAt: integer('mail_refused_at'),
  },
  (table) => [index('users_created').on(desc(table.createdAt), desc(table.id))],
);

/**
 * API tokens. The id is part of the token. The secret is never stored, only its hash; the allowlist holds keyed hashes. Bound: 20 live tokens per account;
 * revoked ones stay until the account is deleted.
 */
export const apiTokens = sqliteTable(
  'api_tokens',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    hashedToken: text('hashed_token').notNull().unique(),
    /** Hash of the secret before the last rotation, which works until `previousUntil`. Null in `previousUntil`: it does not work. */
    previousHash: text('previous_hash'),
    previousUntil: integer('previous_until'),
    /** Rises with each change of the token or of its owner's rights; the gate keeps the row with the greatest version. */
    version: integer('version').notNull().default(0),
    scopes: integer('scopes').notNull(),
    ipSalt: text('ip_salt').notNull(),
    allowlist: jsonColumn('allowlist', ALLOWLIST).notNull().default([]),
    revoked: integer('revoked', { mode: 'boolean' }).notNull().default(false),
    revokedAt: integer('revoked_at'),
    revokeReason: text('revoke_reason'),
    expiresAt: integer('expires_at'),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
    rotatedAt: integer('rotated_at'),
    requestCount: integer('request_count').notNull().default(0),
    /** Sequence number of the last counted usage bundle. */
    usageSequence: integer('usage_sequence').notNull().default(0),
    /** True after the owner was notified that the token expires soon. */
    expiryWarned: integer('expiry_warned', { mode: 'boolean' }).notNull().default(false),
    /** Number of expiry mails sent to the owner. */
    expiryNotices: integer('expiry_notices').notNull().default(0),
  },
  (table) => [index('api_tokens_user').on(table.userId), index('api_tokens_expiry').on(table.expiresAt).where(sql`revoked = 0`)],
);

/**
 * Sessions of the portal. A session ends when its row is deleted. Bound: 30 days after the last use; sign-ins are rate limited per
 * address and account.
 */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    /** Token version of the account when the session started. A session with an older version is invalid. */
    tokenVersion: integer('token_version').notNull().default(0),
    /** SHA-256 of the selector, the part that all refresh tokens of the session share. */
    selectorHash: text('selector_hash').notNull().unique(),
    /** SHA-256 of the current refresh token and of the previous one. */
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

/** Refused sign-ins by hour and error code, without any personal data. Bound: ten codes per hour, 90 days. */
export const signInRefusals = sqliteTable(
  'sign_in_refusals',
  {
    /** Start of the hour. */
    hour: integer('hour').notNull(),
    /** Error code of the response. */
    code: text('code').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.code] })],
);

/**
 * Keys of mod projects for pipelines. The secret is never stored, only its hash. Bound: 10 live keys per project; ended ones are deleted
 * after 90 days.
 */
export const projectKeys = sqliteTable(
  'project_keys',
  {
    id: text('id').primaryKey(),
    /** Row id of the mod. */
    projectId: integer('project_id').notNull(),
    /** The member who created the key and in whose name it acts. */
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    hashedToken: text('hashed_token').notNull().unique(),
    ipSalt: text('ip_salt').notNull(),
    allowlist: jsonColumn('allowlist', ALLOWLIST).notNull().default([]),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    lastUsedAt: integer('last_used_at'),
    endedAt: integer('ended_at'),
    endReason: text('end_reason'),
  },
  (table) => [index('project_keys_project').on(table.projectId), index('project_keys_user').on(table.userId)],
);

export type ProjectKeyRow = typeof projectKeys.$inferSelect;
export type ApiTokenRow = typeof apiTokens.$inferSelect;

/** Backup, personal data and growth of the tables. */
export const accessTables: TableDeclarations = {
  users: {
    backup: backedUp('accounts', {
      journal: {
        key: ['id'],
        columns: ['email', 'is_active', 'is_verified', 'is_superuser', 'password_hash', 'token_version'],
        restores: 'changes',
        hasDeletions: false,
      },
      noRights: { mail_refused_at: 'the next mail to the address finds it again' },
    }),
    personal: 'Account',
    growth: { by: 'accounts, 1 kB each', aYear: '1 MB', large: '10 MB', kept: 'until the account is deleted', afterwards: 'deleted' },
  },
  api_tokens: {
    backup: backedUp('tokens; clients depend on them', references('user_id', 'users')),
    personal: 'API tokens',
    growth: { by: 'tokens, 1 kB each', aYear: '2 MB', large: '20 MB', kept: 'until the account is deleted', afterwards: 'deleted' },
  },
  project_keys: {
    backup: backedUp('keys; pipelines depend on them', {
      ...references('user_id', 'users'),
      journal: {
        key: ['id'],
        columns: ['hashed_token', 'ip_salt', 'allowlist', 'expires_at', 'ended_at', 'end_reason'],
        restores: 'changes',
      },
    }),
    personal: 'Mod projects',
    growth: { by: 'keys', aYear: 'none', kept: '90 days after the end', afterwards: 'deleted' },
  },
  sign_in_refusals: {
    backup: expires('counts by hour'),
    personal: null,
    growth: { by: 'hours', aYear: 'none', kept: '90 days', afterwards: 'deleted' },
  },
  sessions: {
    backup: expires('owners sign in again: a session that ended since the backup must not return'),
    personal: 'Sign-ins',
    growth: { by: 'sign-ins', aYear: 'none', kept: '30 days after the last use', afterwards: 'deleted' },
  },
};
