import type { D1Database } from '@cloudflare/workers-types';
import { and, inArray, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { settingOverrides } from '../../../src/platform/settings/settings.tables.ts';

export type SettingEntry = readonly [string, string | number | boolean];

/** Stores settings and resets the other ones of `keys` to their defaults. Does not change an administrator's values. */
export async function storeSettings(binding: D1Database, keys: readonly string[], entries: readonly SettingEntry[]): Promise<void> {
  const database = drizzle(binding);
  const updatedAt = Math.floor(Date.now() / 1000);
  await database.delete(settingOverrides).where(and(inArray(settingOverrides.key, [...keys]), isNull(settingOverrides.updatedByUserId)));
  const rows = entries.map(([key, value]) => ({ key, value: JSON.stringify(value), updatedAt, updatedByUserId: null }));
  if (rows.length > 0) await database.insert(settingOverrides).values(rows).onConflictDoNothing();
}
