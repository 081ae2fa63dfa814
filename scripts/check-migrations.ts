import { runMain, UserError } from './lib/main.ts';
import { whyMigrationsAreStale } from './lib/migrations-check.ts';

/** Fails when a table in the sources differs from what the migrations make. */
await runMain(async () => {
  const reason = await whyMigrationsAreStale();
  if (reason !== null) throw new UserError(reason);
});
