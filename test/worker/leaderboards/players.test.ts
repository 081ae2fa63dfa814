import { describe, expect, it } from 'vitest';
import { boardLine, capture, dumpOf, get } from './dumps.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const DAY = 86_400;

describe('a name that stands twice on a board', async () => {
  const at = TUESDAY;
  const scores = [
    [8100, 2600],
    [8100, 5200],
    [8100, 7900],
    [10_400, 8100],
  ];
  for (const [day, pair] of scores.entries()) {
    await capture(dumpOf(boardLine(3, [['Ahead', 99_999], ...pair.map((score) => ['Twin', score] as const)])), at + day * DAY);
  }

  it('has a line for each row in the series', async () => {
    const { json } = await get('/players/twin/series?days=30');
    expect(json).toMatchObject({ canonical_name: 'Twin', duplicate_boards: [3] });
    const lines = (json.series as { slot: number; slots: number; points: { score: number }[] }[]).map(({ slot, slots, points }) => [
      slot,
      slots,
      points.map(({ score }) => score),
    ]);
    expect(lines).toEqual([
      [0, 2, [8100, 8100, 8100, 8100]],
      [1, 2, [2600, 5200, 7900, 10_400]],
    ]);
  });

  it('is compared line by line in the history', async () => {
    const { json } = await get('/players/twin/history?limit=4&uuid=3');
    expect(json.items).toMatchObject([
      { created_at: at + 3 * DAY, score: 10_400, slot: 1, slots: 2, score_delta: 2500 },
      { score: 8100, slot: 0, slots: 2, score_delta: 0 },
      { created_at: at + 2 * DAY, score: 8100, slot: 0, score_delta: 0 },
      { score: 7900, slot: 1, score_delta: 2700 },
    ]);
  });
});
