import { areClientTypesFresh, writeClientTypes } from './lib/clients/client-types.ts';
import { runMain, UserError } from './lib/main.ts';

/** `npm run clients -- types`: writes the types of the TypeScript client. `--check` only compares them with the OpenAPI document. */
await runMain(async () => {
  if (!process.argv.includes('--check')) return await writeClientTypes();
  if (!(await areClientTypesFresh())) throw new UserError('clients/typescript/src/schema.d.ts is outdated: run npm run clients -- types');
});
