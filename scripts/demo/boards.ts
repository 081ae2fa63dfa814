import { createDemoClient } from '../lib/demo-client.ts';
import { runMain, UserError } from '../lib/main.ts';
import { demoLeaderboards } from './leaderboards.ts';
import { demoMarket } from './market.ts';

const WEEK_HOURS = 168;

/** `npm run demo -- boards [HOURS]`: fills the running development server with a week of hourly dumps of leaderboards and market. */
await runMain(async () => {
  const hours = Number(process.argv[2] ?? WEEK_HOURS);
  if (!Number.isInteger(hours) || hours < 1 || hours > WEEK_HOURS) throw new UserError(`HOURS must be 1 to ${WEEK_HOURS}.`);
  const client = createDemoClient();
  await demoLeaderboards(client, hours);
  const imported = await demoMarket(client, { now: Math.floor(Date.now() / 1000), hours });
  console.log(`market: ${imported} listings stored or refreshed`);
});
