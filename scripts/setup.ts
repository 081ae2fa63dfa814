import { prepareLocalServer } from './lib/dev/local-setup.ts';
import { readStartOptions } from './lib/dev/start-options.ts';
import { runMain } from './lib/main.ts';
import { baseUrlOf, HOST } from './lib/ports.ts';

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
