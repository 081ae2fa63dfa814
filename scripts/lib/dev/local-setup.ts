import { developmentVars, tokenPrefixIn } from '../config.ts';
import { LOCAL_STATE } from '../paths.ts';
import type { DevFile } from './dev-file.ts';
import { prepareFiles } from './local-files.ts';
import { openMigratedState } from './local-state.ts';
import { seedAccounts } from './seed-accounts.ts';

/**
 * Brings a checkout to the point where `wrangler dev` serves: assets, development variables, a migrated database and
 * two accounts with a password and a token each. Safe to repeat; a repeated run changes nothing but a stale base URL.
 */
export async function prepareLocalServer(baseUrl: string): Promise<DevFile> {
  prepareFiles();
  const { binding, dispose } = await openMigratedState(LOCAL_STATE);
  try {
    return await seedAccounts(binding, baseUrl, tokenPrefixIn(developmentVars()));
  } finally {
    await dispose();
  }
}
