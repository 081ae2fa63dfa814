import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { backedUp, expires, references } from '../../../platform/kit/backup-decision.ts';
import type { TableDeclarations, TableGrowth } from '../../../platform/kit/table-declaration.ts';
import { ALLOWANCE_NAMES } from './allowances.data.ts';
import { ACCESS_STATES, CLAIM_STATES, ROLES } from './publishing.data.ts';

/** Registered handles; never deleted, so that none is used again. `userId` is null after the account was deleted. Bound: 5 per account. */
export const projectHandles = sqliteTable(
  'project_handles',
  {
    handle: text('handle').primaryKey(),
    userId: text('user_id'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('project_handles_user').on(table.userId)],
);

/** Members of projects. Bound: 20 per project. */
export const projectMembers = sqliteTable(
  'project_members',
  {
    /** Row id of the mod. */
    projectId: integer('project_id').notNull(),
    userId: text('user_id').notNull(),
    /** A handle of the account; the name of the member on the pages of the project. */
    handle: text('handle').notNull(),
    role: text('role', { enum: ROLES }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.userId] }), index('project_members_user').on(table.userId)],
);

/**
 * The account that a project counts for: that of its first owner. It stays after the last owner left; null after the account was deleted.
 * Bound: one row per project.
 */
export const projectAccounts = sqliteTable(
  'project_accounts',
  { projectId: integer('project_id').primaryKey(), userId: text('user_id') },
  (table) => [index('project_accounts_user').on(table.userId)],
);

/** Invitations that were neither accepted nor declined. Bound: the allowance of the inviting account; expired ones are deleted. */
export const projectInvitations = sqliteTable(
  'project_invitations',
  {
    id: text('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    /** The invited account, and the handle by which it was invited. */
    userId: text('user_id').notNull(),
    handle: text('handle').notNull(),
    role: text('role', { enum: ROLES }).notNull(),
    /** The owner who invited. */
    inviterId: text('inviter_id').notNull(),
    inviter: text('inviter').notNull(),
    /** SHA-256 of the secret in the mailed link. The link ends when the token version of the invited account changes. */
    secretHash: text('secret_hash').notNull(),
    tokenVersion: integer('token_version').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('project_invitations_member').on(table.projectId, table.userId),
    index('project_invitations_user').on(table.userId),
    index('project_invitations_inviter').on(table.inviterId),
    index('project_invitations_expiry').on(table.expiresAt),
  ],
);

/** Requests of accounts to publish. Bound: one row per account. */
export const projectAccess = sqliteTable(
  'project_access',
  {
    userId: text('user_id').primaryKey(),
    state: text('state', { enum: ACCESS_STATES }).notNull(),
    note: text('note').notNull(),
    reason: text('reason'),
    createdAt: integer('created_at').notNull(),
    decidedAt: integer('decided_at'),
  },
  (table) => [index('project_access_state').on(table.state, table.createdAt)],
);

/** Owners of projects that were taken down. Bound: 20 per project. */
export const projectTakeDowns = sqliteTable(
  'project_take_downs',
  { projectId: integer('project_id').notNull(), userId: text('user_id').notNull(), createdAt: integer('created_at').notNull() },
  (table) => [primaryKey({ columns: [table.projectId, table.userId] }), index('project_take_downs_user').on(table.userId)],
);

/** Allowances that a superuser changed for one account. Bound: one row per account and allowance. */
export const projectAllowances = sqliteTable(
  'project_allowances',
  { userId: text('user_id').notNull(), name: text('name', { enum: ALLOWANCE_NAMES }).notNull(), max: integer('max').notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.name] })],
);

/**
 * What accounts used of their allowances: of daily ones the number of a UTC day (days since 1970), of the others the last measured amount,
 * with day 0. Bound: one row per account and allowance; days are deleted after two days.
 */
export const projectUses = sqliteTable(
  'project_uses',
  {
    userId: text('user_id').notNull(),
    name: text('name', { enum: ALLOWANCE_NAMES }).notNull(),
    day: integer('day').notNull(),
    n: integer('n').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name, table.day] }), index('project_uses_day').on(table.day)],
);

/** Claims of existing mods. Bound: 5 open ones per account; decided ones are deleted after 90 days. */
export const projectClaims = sqliteTable(
  'project_claims',
  {
    id: text('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    userId: text('user_id').notNull(),
    /** Handle that the account gets or has. */
    handle: text('handle').notNull(),
    note: text('note').notNull(),
    /** Text to put on the page of the mod in the linked catalog; null for a mod that is not from there. */
    code: text('code'),
    state: text('state', { enum: CLAIM_STATES }).notNull(),
    reason: text('reason'),
    createdAt: integer('created_at').notNull(),
    decidedAt: integer('decided_at'),
  },
  (table) => [
    index('project_claims_user').on(table.userId),
    index('project_claims_state').on(table.state, table.createdAt),
    uniqueIndex('project_claims_open').on(table.projectId, table.userId).where(sql`state = 'pending'`),
  ],
);

/** What members, keys and moderators did to a project. Bound: the newest 500 per project. */
export const projectAudit = sqliteTable(
  'project_audit',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    projectId: integer('project_id').notNull(),
    at: integer('at').notNull(),
    /** Handle of the member, with the name of the key; `moderator`; `schedule`. */
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    detail: text('detail').notNull(),
  },
  (table) => [index('project_audit_project').on(table.projectId, table.id)],
);

const WITH_PUBLISHERS: TableGrowth = {
  by: 'accounts that publish',
  aYear: 'less than 1 MB',
  large: '2 MB',
  kept: 'as long as the account',
  afterwards: 'handles stay: they are never given to others',
};

/** Backup, personal data and growth of the tables. */
export const publishingTables: TableDeclarations = {
  project_handles: {
    backup: backedUp('a handle must never be given to another account', {
      journal: { key: ['handle'], columns: ['user_id'], restores: 'rows' },
    }),
    personal: 'Mod projects',
    growth: WITH_PUBLISHERS,
  },
  project_members: {
    backup: backedUp('who may change a mod', {
      ...references('user_id', 'users'),
      journal: { key: ['project_id', 'user_id'], columns: ['role'], restores: 'changes' },
    }),
    personal: 'Mod projects',
    growth: WITH_PUBLISHERS,
  },
  project_accounts: {
    backup: backedUp('the account that a project counts for'),
    personal: 'Mod projects',
    growth: { by: 'projects', aYear: 'less than 1 MB', large: '2 MB', kept: 'as long as the project', afterwards: 'deleted with it' },
  },
  project_access: {
    backup: backedUp('decided by superusers', {
      ...references('user_id', 'users'),
      journal: { key: ['user_id'], columns: ['state'], restores: 'changes' },
    }),
    personal: 'Mod projects',
    growth: {
      by: 'accounts that asked to publish',
      aYear: 'less than 1 MB',
      large: '2 MB',
      kept: 'as long as the account',
      afterwards: 'deleted with it',
    },
  },
  project_take_downs: {
    backup: backedUp('decisions of moderators', {
      journal: { key: ['project_id', 'user_id'], columns: ['created_at'], restores: 'rows' },
    }),
    personal: 'Mod projects',
    growth: {
      by: 'projects that were taken down',
      aYear: 'less than 1 MB',
      kept: 'as long as the project',
      afterwards: 'deleted with it, or when it is approved',
    },
  },
  // A restore must not revive an invitation that was withdrawn or declined.
  project_invitations: {
    backup: expires('invitations of 14 days'),
    personal: 'Mod projects',
    growth: { by: 'invitations', aYear: 'none', kept: '14 days', afterwards: 'deleted' },
  },
  project_allowances: {
    backup: backedUp('decided by superusers', {
      journal: { key: ['user_id', 'name'], columns: ['max'], restores: 'rows' },
    }),
    personal: 'Mod projects',
    growth: WITH_PUBLISHERS,
  },
  project_uses: {
    backup: expires('counts of a day, and amounts that are measured again'),
    personal: 'Mod projects',
    growth: { by: 'accounts that publish', aYear: 'none', kept: '2 days', afterwards: 'deleted' },
  },
  project_claims: {
    backup: backedUp('entered by accounts', {
      noRights: { code: 'ends after 7 days; the right of a confirmed claim is that of a member' },
    }),
    personal: 'Mod projects',
    growth: { by: 'claims', aYear: 'none', kept: '90 days after the decision', afterwards: 'deleted' },
  },
  project_audit: {
    backup: backedUp('record of who changed a mod'),
    personal: 'Mod projects',
    growth: {
      by: 'changes of projects',
      aYear: '1 MB',
      large: '10 MB',
      kept: 'the newest 500 of a project',
      afterwards: 'the oldest is deleted',
    },
  },
};
