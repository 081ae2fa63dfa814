import type { DemoClient } from '../lib/demo-client.ts';
import { createDumpWorld } from '../lib/dumps/board-dumps.ts';

/** Small enough to be there in a minute, large enough for every chart. */
const WORLD = { seed: 7, boards: 40, entries: 60, players: 200 };
/** The capture that the examples of the documentation speak of. */
const EXAMPLE_ANCHOR = 1_773_140_400;

/** Posts the dumps of some instants (full hours) through the insert endpoint, oldest first. */
export async function demoLeaderboards(client: DemoClient, instants: readonly number[]): Promise<void> {
  const world = createDumpWorld(WORLD);
  for (const anchor of [EXAMPLE_ANCHOR, ...instants]) await send(client, world.dump(anchor), anchor);
}

async function send(client: DemoClient, dump: string, anchor: number): Promise<void> {
  const answer = await client.send(`/v1/leaderboards/insert?sync=true&timestamp=${anchor}`, dump, anchor);
  if (answer.accepted !== true) throw new Error(`capture ${anchor}: ${answer.message}`);
}
