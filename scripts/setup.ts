import { prepareLocalServer } from './lib/dev/local-setup.ts';
import { runMain } from './lib/main.ts';
import { baseUrlOf, portFrom } from './lib/ports.ts';

/** `npm run setup`: everything `npm start` does before serving, for people who prefer plain `npx wrangler dev`. */
await runMain(async () => {
  const { token, superuser_token: superuserToken } = await prepareLocalServer(baseUrlOf(portFrom(process.env.PORT)));
  console.log(`Ready for \`npx wrangler dev\`. Tokens (also in .local/dev.json):\n  ordinary   ${token}\n  superuser  ${superuserToken}`);
});
