import type { D1Database } from '@cloudflare/workers-types';
import type { TokenFormat } from '../../../src/platform/access/tokens/token-format.ts';
import { applyMigrations } from '../migrations.ts';
import { readDemoMark, writeDemoMark } from './demo-mark.ts';
import type { DevFile } from './dev-file.ts';
import type { MockServices } from './mock-services.ts';
import { seedAccounts } from './seed-accounts.ts';
import { storeSettings } from './stored-settings.ts';

/** Tables whose rows, without a demo mark, are the developer's own data. */
const TABLES = ['archive_versions', 'mods', 'market_listings', 'board_captures'];

export interface PrepareOptions {
  mocks: MockServices;
  isDemo: boolean;
  /** Format and keys of API tokens. */
  tokenFormat: TokenFormat;
}

/** Migrates the database of the started server, creates the accounts, and points settings to the mocks. */
export async function prepareDatabase(
  binding: D1Database,
  baseUrl: string,
  { mocks, isDemo, tokenFormat }: PrepareOptions,
): Promise<DevFile> {
  await applyMigrations(binding);
  if (isDemo && readDemoMark() === null) writeDemoMark({ state: (await hasOwnData(binding)) ? 'own' : 'begun', steps: [] });
  await storeSettings(binding, mocks.settingKeys, mocks.settings);
  return await seedAccounts({ binding, baseUrl, format: tokenFormat, chatMessagesUrl: mocks.chatMessagesUrl });
}

async function hasOwnData(database: D1Database): Promise<boolean> {
  const row = await database.prepare(`SELECT ${TABLES.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ')} AS found`).first();
  return Number(row?.found) > 0;
}
