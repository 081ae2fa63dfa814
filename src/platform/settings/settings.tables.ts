import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
