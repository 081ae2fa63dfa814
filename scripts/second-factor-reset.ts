import { hostname, userInfo } from 'node:os';
import { runMain } from './lib/main.ts';
import { execute, executeFile } from './lib/token/database-commands.ts';
import { resetSecondFactor } from './lib/token/second-factor-reset.ts';

/** `npm run second-factor -- reset`. */
await runMain(async () => {
  const report = await resetSecondFactor(process.argv.slice(2), {
    async select(sql, options) {
      const { stdout } = await execute(['--json', '--command', sql], options);
      const [result] = JSON.parse(stdout) as { results: { id: string }[] }[];
      return result?.results ?? [];
    },
    run: executeFile,
    actor: `${userInfo().username}@${hostname()}`,
    now: Math.floor(Date.now() / 1000),
  });
  console.log(report);
});
