import { eq, sql } from 'drizzle-orm';
import { badRequest, notFound } from '../kit/errors/api-error.ts';
import type { UnixSeconds } from '../kit/time/clock.ts';
import type { Database, PublicReads } from '../storage/database.ts';
import { type SettingRegistry, settingProblem } from './setting-values.ts';
import { settingChanges, settingOverrides } from './settings.tables.ts';

export interface SettingChange {
  key: string;
  now: UnixSeconds;
  userId: string | null;
}

/** A stored value that replaces a default, as JSON text. */
export interface SettingOverride {
  key: string;
  value: string;
  updatedAt: UnixSeconds;
  updatedByUserId: string | null;
}

/** Stored overrides of run-time settings. Each write is audited in the same transaction. */
export interface SettingsStore {
  overrides(): Promise<SettingOverride[]>;
  /** Throws 404 for an unknown key, and 400 for a value of the wrong type or out of range. */
  set(change: SettingChange & { value: unknown }): Promise<void>;
  /** Restores the default; no effect without an override. */
  clear(change: SettingChange): Promise<void>;
}

/** Reads the values that may be some seconds old but include the writes of the isolate. Leaves out who set them. */
export function readOverrides(reads: PublicReads): Promise<Pick<SettingOverride, 'key' | 'value'>[]> {
  return reads.select({ key: settingOverrides.key, value: settingOverrides.value }).from(settingOverrides);
}

export function createSettingsStore(db: Database, registry: Pick<SettingRegistry, 'all' | 'nameOf'>): SettingsStore {
  const audit = (change: SettingChange, newValue: string | null) =>
    db.insert(settingChanges).values({
      key: change.key,
      oldValue: sql`(select value from ${settingOverrides} where key = ${change.key})`,
      newValue,
      changedAt: change.now,
      changedByUserId: change.userId,
    });

  return {
    overrides: () => db.select().from(settingOverrides),

    async set(change) {
      const name = registry.nameOf(change.key);
      if (name === undefined) throw notFound(`setting not found: ${change.key}`);
      const problem = settingProblem(registry.all[name], change.value);
      if (problem !== null) throw badRequest(`${change.key} ${problem}`);
      const value = JSON.stringify(change.value);
      const row = { value, updatedAt: change.now, updatedByUserId: change.userId };
      await db.batch([
        audit(change, value),
        db
          .insert(settingOverrides)
          .values({ key: change.key, ...row })
          .onConflictDoUpdate({ target: settingOverrides.key, set: row }),
      ]);
    },

    async clear(change) {
      if (registry.nameOf(change.key) === undefined) throw notFound(`setting not found: ${change.key}`);
      await db.batch([audit(change, null), db.delete(settingOverrides).where(eq(settingOverrides.key, change.key))]);
    },
  };
}
