import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addAppearance,
  decodeTotals,
  encodeTotals,
  findTotal,
  sortedBoards,
  summaryOf,
  type Totals,
} from '../../../../src/areas/leaderboards/players/totals.domain.ts';

const HOUR = 3600;
const row = (uuid: number, rank: number, score: number, playerName = 'Nimbus') => ({ uuid, rank, score, playerName });

describe('addAppearance', () => {
  it('stores the best rank, the latest rank and score, and the first and last capture of each board', () => {
    const totals: Totals = new Map();
    addAppearance(totals, 'nimbus', 1_000_000, [row(1, 3, 50), row(20, 12, 7)]);
    addAppearance(totals, 'nimbus', 1_003_600, [row(1, 2, 60)]);
    const boards = sortedBoards(totals.get('nimbus')?.boards.values() ?? []);
    expect(boards).toEqual([
      { uuid: 1, bestRank: 2, latestRank: 2, latestScore: 60, appearances: 2, firstSeen: 1_000_000, lastSeen: 1_003_600 },
      { uuid: 20, bestRank: 12, latestRank: 12, latestScore: 7, appearances: 1, firstSeen: 1_000_000, lastSeen: 1_000_000 },
    ]);
    expect(summaryOf(boards)).toEqual({
      boardsAppeared: 2,
      appearances: 3,
      best: boards[0],
      top10: 1,
      top100: 2,
      latestAnchor: 1_003_600,
    });
  });

  it('counts two rows of a name on a board once, with the better rank', () => {
    const totals: Totals = new Map();
    addAppearance(totals, 'nimbus', HOUR, [row(1, 9, 10), row(1, 4, 30, 'NIMBUS'), row(1, 6, 20)]);
    expect(totals.get('nimbus')?.boards.get(1)).toMatchObject({ bestRank: 4, latestRank: 4, latestScore: 30, appearances: 1 });
  });

  it('uses the spelling of the newest capture', () => {
    const totals: Totals = new Map();
    addAppearance(totals, 'nimbus', HOUR, [row(1, 1, 1, 'nimbus')]);
    addAppearance(totals, 'nimbus', 2 * HOUR, [row(1, 1, 1, 'NimBus')]);
    expect(totals.get('nimbus')?.playerName).toBe('NimBus');
  });
});

describe('encodeTotals', () => {
  it('round-trips with decodeTotals and findTotal', () => {
    const name = fc.constantFrom('A', 'a', ' x ', 'kA', 's', 'r1,2', 'İ');
    const rows = fc.array(fc.record({ uuid: fc.nat(5), rank: fc.nat(9), score: fc.double({ noNaN: true, noDefaultInfinity: true }) }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, rows), { maxLength: 10 }), (captures) => {
        const totals: Totals = new Map();
        for (const [index, [playerName, own]] of captures.entries()) {
          const listed = own.map(({ uuid, rank, score }) => ({ uuid, rank, score: score === 0 ? 0 : score, playerName }));
          addAppearance(totals, playerName.trim().toLowerCase(), index, listed);
        }
        const text = encodeTotals(totals);
        expect(decodeTotals(text)).toEqual(totals);
        for (const [key, total] of totals) expect(findTotal(text, key)).toEqual(total);
        expect(findTotal(text, 'nobody')).toBeNull();
      }),
      { numRuns: 200 },
    );
  });
});
