import { areClientTypesFresh, writeClientTypes } from './lib/clients/client-types.ts';
import { runMain, UserError } from './lib/main.ts';

/** `npm run clients -- types`: writes the types of the TypeScript client; with `--check` only says whether they fit the OpenAPI document. */
await runMain(async () => {
  if (!process.argv.includes('--check')) return await writeClientTypes();
  if (!(await areClientTypesFresh()))
    throw new UserError('clients/typescript/src/schema.d.ts does not fit the document: npm run clients -- types');
});
