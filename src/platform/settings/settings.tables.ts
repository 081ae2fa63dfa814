import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Overrides of run-time settings: only what differs from the default, as JSON text. Bound: one row a setting. */
export const settingOverrides = sqliteTable('setting_overrides', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  updatedAt: integer('updated_at').notNull(),
  updatedByUserId: text('updated_by_user_id'),
});

/** Every change of a setting: who, when, from what to what (null: the default). Bound: one row a change by an administrator. */
export const settingChanges = sqliteTable('setting_changes', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  key: text('key').notNull(),
  oldValue: text('old_value'),
  newValue: text('new_value'),
  changedAt: integer('changed_at').notNull(),
  changedByUserId: text('changed_by_user_id'),
});
