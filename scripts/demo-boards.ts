import { createDemoClient } from './lib/demo-client.ts';
import { demoLeaderboards } from './lib/demo-leaderboards.ts';
import { runMain, UserError } from './lib/main.ts';

const WEEK_HOURS = 168;

/** `npm run demo:boards [-- HOURS]`: fills the running development server with a week of hourly dumps. */
await runMain(async () => {
  const hours = Number(process.argv[2] ?? WEEK_HOURS);
  if (!Number.isInteger(hours) || hours < 1 || hours > WEEK_HOURS) throw new UserError(`HOURS must be 1 to ${WEEK_HOURS}.`);
  const client = createDemoClient();
  await demoLeaderboards(client, hours);
});
