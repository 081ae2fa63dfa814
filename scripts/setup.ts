import { developmentVars, tokenFormatIn } from './lib/config.ts';
import type { DevFile } from './lib/dev/dev-file.ts';
import { prepareFiles } from './lib/dev/local-files.ts';
import { openMigratedState } from './lib/dev/local-state.ts';
import { startMockServices } from './lib/dev/mock-services.ts';
import { seedAccounts } from './lib/dev/seed-accounts.ts';
import { refuseSecondServer } from './lib/dev/server-lock.ts';
import { readStartOptions } from './lib/dev/start-options.ts';
import { storeSettings } from './lib/dev/stored-settings.ts';
import { runMain } from './lib/main.ts';
import { LOCAL_STATE } from './lib/paths.ts';
import { baseUrlOf, HOST } from './lib/ports.ts';

/**
 * Prepares a checkout for `wrangler dev`: assets, development variables, a migrated database, and two accounts with a password and a
 * token each. Can be repeated; a repeated run only updates the base URL.
 */
async function prepareLocalServer(baseUrl: string): Promise<DevFile> {
  refuseSecondServer();
  await prepareFiles();
  const { binding, dispose } = await openMigratedState(LOCAL_STATE);
  try {
    // Removes settings of an earlier `npm start`, whose mocks no longer run.
    const { settingKeys } = await startMockServices(false);
    await storeSettings(binding, settingKeys, []);
    return await seedAccounts({ binding, baseUrl, format: tokenFormatIn(developmentVars()), chatMessagesUrl: null });
  } finally {
    await dispose();
  }
}

/** `npm run setup`: runs the preparations of `npm start`, for use with plain `npx wrangler dev`. */
await runMain(async () => {
  const { port } = readStartOptions(process.argv.slice(2), process.env.PORT);
  const baseUrl = baseUrlOf(port);
  const { token, superuser_token: superuserToken } = await prepareLocalServer(baseUrl);
  console.log(`Ready for
  npx wrangler dev --ip ${HOST} --port ${port} --var BASE_URL:${baseUrl}
which runs no cron jobs and adds no demo data. Tokens (also in .local/dev.json):
  ordinary   ${token}
  superuser  ${superuserToken}`);
});
