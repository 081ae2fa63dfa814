import type { DemoClient } from '../lib/demo-client.ts';
import { createDumpWorld } from '../lib/dumps/board-dumps.ts';

const HOUR = 3600;
/** Small enough for a coffee break, large enough for every chart. */
const WORLD = { seed: 7, boards: 60, entries: 200, players: 500 };
/** The capture that the examples of the documentation speak of. */
const EXAMPLE_ANCHOR = 1_773_140_400;
const SHOWN_EVERY = 24;

/** Posts hourly dumps through the insert endpoint, the last one for the hour that has just begun. */
export async function demoLeaderboards(client: DemoClient, hours: number): Promise<void> {
  const world = createDumpWorld(WORLD);
  const newest = Math.floor(Date.now() / 1000 / HOUR) * HOUR;
  await send(client, world.dump(EXAMPLE_ANCHOR), EXAMPLE_ANCHOR);
  for (let left = hours - 1; left >= 0; left -= 1) {
    const anchor = newest - left * HOUR;
    await send(client, world.dump(anchor), anchor);
    if (left % SHOWN_EVERY === 0) console.log(`leaderboards: ${hours - left} of ${hours} captures`);
  }
  await show(client, newest);
}

async function send(client: DemoClient, dump: string, anchor: number): Promise<void> {
  const answer = await client.send(`/v1/leaderboards/insert?sync=true&timestamp=${anchor}`, dump, anchor);
  if (answer.accepted !== true) throw new Error(`capture ${anchor}: ${answer.message}`);
}

/** Reads every endpoint once, and says how much each has to tell. */
async function show(client: DemoClient, newest: number): Promise<void> {
  const paths = [
    '/timestamps?limit=365',
    `?created_at=${newest}`,
    '/1',
    `/1/entries?created_at=${newest}`,
    '/1/history?days=7',
    '/1/health',
    '/players/Nimbus/history?limit=500',
    '/players/Nimbus/series?days=7',
    '/players/Nimbus/profile',
    '/records',
    '/cheaters',
  ];
  for (const path of paths) {
    const body = await client.read(`/v1/leaderboards${path}`);
    const lists = Object.entries(body).flatMap(([name, value]) => (Array.isArray(value) ? [`${value.length} ${name}`] : []));
    console.log(`GET /v1/leaderboards${path}`.padEnd(70), lists.join(', ') || Object.keys(body).join(', '));
  }
}
