import { EFFORT_BOARDS, POWER_RANK_BOARDS, XP_BOARD } from '../../src/areas/activity/activity.data.ts';
import { CLASS_ORDER } from '../../src/game/class-order.data.ts';
import type { DemoClient } from '../lib/demo-client.ts';
import { createDumpWorld } from '../lib/dumps/board-dumps.ts';

/** General boards; `BY_CLASS` are the boards of class activity. */
const GENERAL = [1, 20, 100, 999, 31_000, 31_001, 3, 4, 9, 10, 15, 18, XP_BOARD, 21_004, 30_001];
const BY_CLASS = [EFFORT_BOARDS, POWER_RANK_BOARDS].flatMap((base) => CLASS_ORDER.map((_, index) => base + index));
/** Imports within a minute and has enough data for every chart. */
const WORLD = { seed: 7, boards: [...GENERAL, ...BY_CLASS], entries: 60, players: 240, hasRhythm: true };
/** Anchor of the capture in the documentation's examples. */
const EXAMPLE_ANCHOR = 1_773_140_400;

/** A player with another name until a few hours ago, and two players with one name. */
const RENAMED_PLAYER = 2;
const TWINS: readonly number[] = [3, 4];
/** Hours since the rename of a first fill, when captures are an hour apart. */
const RENAMED_HOURS = 6;

/** Posts the dump of the examples, then those of the given full hours, oldest first. */
export async function demoLeaderboards(client: DemoClient, hours: readonly number[]): Promise<void> {
  const renamedAt = hours.length > RENAMED_HOURS ? (hours.at(-RENAMED_HOURS) ?? 0) : 0;
  const world = createDumpWorld({
    ...WORLD,
    nameAt(player, at) {
      if (player === RENAMED_PLAYER) return at < renamedAt ? 'Stratus' : 'Cumulus';
      return TWINS.includes(player) ? 'Gemini' : undefined;
    },
  });
  for (const anchor of [EXAMPLE_ANCHOR, ...hours]) await send(client, world.dump(anchor), anchor);
}

async function send(client: DemoClient, dump: string, anchor: number): Promise<void> {
  const result = await client.send(`/v1/leaderboards/insert?sync=true&timestamp=${anchor}`, dump, anchor);
  if (result.accepted !== true) throw new Error(`capture ${anchor}: ${result.message}`);
}
