import { areEnvTypesFresh, writeEnvTypes } from './lib/checks/env-types.ts';
import { runMain, UserError } from './lib/main.ts';

/** `npm run types`: writes src/env.d.ts. `--check` only checks whether it matches wrangler.toml. */
await runMain(async () => {
  if (!process.argv.includes('--check')) return await writeEnvTypes();
  if (!(await areEnvTypesFresh())) throw new UserError('src/env.d.ts does not match wrangler.toml: run npm run types');
});
