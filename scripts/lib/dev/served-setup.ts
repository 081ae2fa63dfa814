import type { D1Database } from '@cloudflare/workers-types';
import { applyMigrations } from '../migrations.ts';
import { readDemoMark, writeDemoMark } from './demo-mark.ts';
import type { DevFile } from './dev-file.ts';
import { seedAccounts } from './seed-accounts.ts';
import type { StandIns } from './stand-ins.ts';
import { storeSettings } from './stored-settings.ts';

/** Rows in one of these tables are data of the developer. */
const TABLES = ['archive_versions', 'mods', 'market_listings', 'board_captures'];

export interface PrepareOptions {
  standIns: StandIns;
  isDemo: boolean;
  /** First part of every token. */
  tokenPrefix: string;
}

/** Migrates the database of the server that just started, makes the accounts, and leads settings to the stand-ins. */
export async function prepareDatabase(
  binding: D1Database,
  baseUrl: string,
  { standIns, isDemo, tokenPrefix }: PrepareOptions,
): Promise<DevFile> {
  await applyMigrations(binding);
  if (isDemo && readDemoMark() === null) writeDemoMark({ state: (await hasOwnData(binding)) ? 'own' : 'begun', steps: [] });
  await storeSettings(binding, standIns.settingKeys, standIns.settings);
  return await seedAccounts(binding, baseUrl, tokenPrefix);
}

async function hasOwnData(database: D1Database): Promise<boolean> {
  const row = await database.prepare(`SELECT ${TABLES.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ')} AS found`).first();
  return Number(row?.found) > 0;
}
