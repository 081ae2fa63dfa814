import { hostname, userInfo } from 'node:os';
import { runMain } from './lib/main.ts';
import { executeFile, selectRows } from './lib/token/database-commands.ts';
import { resetSecondFactor } from './lib/token/second-factor-reset.ts';

/** `npm run second-factor -- reset`. */
await runMain(async () => {
  const report = await resetSecondFactor(process.argv.slice(2), {
    select: (sql, options) => selectRows('the account', sql, options),
    run: (sql, options) =>
      executeFile(sql, {
        ...options,
        name: 'The reset',
        standing: 'The second factor may be removed already. Run the command again: a second reset does no harm.',
      }),
    actor: `${userInfo().username}@${hostname()}`,
    now: Math.floor(Date.now() / 1000),
  });
  console.log(report);
});
