import { areClientTypesFresh, writeClientTypes } from './lib/clients/client-types.ts';
import { runMain, UserError } from './lib/main.ts';

/** `npm run clients -- types`: writes the types of both clients. `--check` only compares them with the OpenAPI document. */
await runMain(async () => {
  if (!process.argv.includes('--check')) return await writeClientTypes();
  if (!(await areClientTypesFresh()))
    throw new UserError(
      'the types in clients/typescript/src/schema.d.ts or clients/python/game_data_types.py are outdated: run npm run clients -- types',
    );
});
