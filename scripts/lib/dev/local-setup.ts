import { developmentVars, tokenFormatIn } from '../config.ts';
import { LOCAL_STATE } from '../paths.ts';
import type { DevFile } from './dev-file.ts';
import { prepareFiles } from './local-files.ts';
import { openMigratedState } from './local-state.ts';
import { startMockServices } from './mock-services.ts';
import { seedAccounts } from './seed-accounts.ts';
import { refuseSecondServer } from './server-lock.ts';
import { storeSettings } from './stored-settings.ts';

/**
 * Prepares a checkout for `wrangler dev`: assets, development variables, a migrated database, and two accounts with a password and a
 * token each. Can be repeated; a repeated run only updates the base URL.
 */
export async function prepareLocalServer(baseUrl: string): Promise<DevFile> {
  refuseSecondServer();
  prepareFiles();
  const { binding, dispose } = await openMigratedState(LOCAL_STATE);
  try {
    // Removes settings of an earlier `npm start`, whose mocks no longer run.
    const { settingKeys } = await startMockServices(false);
    await storeSettings(binding, settingKeys, []);
    return await seedAccounts(binding, baseUrl, tokenFormatIn(developmentVars()), null);
  } finally {
    await dispose();
  }
}
