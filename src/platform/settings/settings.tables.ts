import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { backedUp } from '../kit/backup-decision.ts';
import type { TableDeclarations } from '../kit/table-declaration.ts';

/** Overrides of run-time settings, as JSON text. Bound: one row per setting. */
export const settingOverrides = sqliteTable('setting_overrides', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  updatedAt: integer('updated_at').notNull(),
  updatedByUserId: text('updated_by_user_id'),
});

/** Audit log of setting changes; a null value is the default. Bound: one row per change by an administrator. */
export const settingChanges = sqliteTable('setting_changes', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  key: text('key').notNull(),
  oldValue: text('old_value'),
  newValue: text('new_value'),
  changedAt: integer('changed_at').notNull(),
  changedByUserId: text('changed_by_user_id'),
});

/** Backup, personal data and growth of the tables. */
export const settingsTables: TableDeclarations = {
  setting_overrides: {
    backup: backedUp('set by administrators', { journal: { key: ['key'], columns: ['value'], restores: 'rows' } }),
    personal: 'Administrator actions',
    growth: { by: 'decisions of administrators', aYear: 'none', kept: 'until an administrator removes it', afterwards: 'deleted' },
  },
  setting_changes: {
    backup: backedUp('record of who changed a setting'),
    personal: 'Administrator actions',
    growth: {
      by: 'changes by administrators',
      aYear: 'less than 100 kB',
      large: '1 MB',
      kept: 'permanently',
      afterwards: 'stays: the audit of settings',
    },
  },
};
