import type { DemoClient } from '../lib/demo-client.ts';
import { createDumpWorld } from '../lib/dumps/board-dumps.ts';

const HOUR = 3600;
/** Small enough to be there in a minute, large enough for every chart. */
const WORLD = { seed: 7, boards: 40, entries: 60, players: 200 };
/** The capture that the examples of the documentation speak of. */
const EXAMPLE_ANCHOR = 1_773_140_400;

/** Posts hourly dumps through the insert endpoint, oldest first, the last one for the hour that has just begun. */
export async function demoLeaderboards(client: DemoClient, hours: number): Promise<void> {
  const world = createDumpWorld(WORLD);
  const newest = Math.floor(Date.now() / 1000 / HOUR) * HOUR;
  await send(client, world.dump(EXAMPLE_ANCHOR), EXAMPLE_ANCHOR);
  for (let left = hours - 1; left >= 0; left -= 1) {
    const anchor = newest - left * HOUR;
    await send(client, world.dump(anchor), anchor);
  }
}

async function send(client: DemoClient, dump: string, anchor: number): Promise<void> {
  const answer = await client.send(`/v1/leaderboards/insert?sync=true&timestamp=${anchor}`, dump, anchor);
  if (answer.accepted !== true) throw new Error(`capture ${anchor}: ${answer.message}`);
}
