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
      {
        ...{ uuid: 1, bestRank: 2, latestRank: 2, latestScore: 60, appearances: 2, firstSeen: 1_000_000, lastSeen: 1_003_600 },
        ...{ lastRise: 1_003_600, scores: [60] },
      },
      {
        ...{ uuid: 20, bestRank: 12, latestRank: 12, latestScore: 7, appearances: 1, firstSeen: 1_000_000, lastSeen: 1_000_000 },
        ...{ lastRise: null, scores: [7] },
      },
    ]);
    expect(summaryOf(boards)).toEqual({
      boardsAppeared: 2,
      appearances: 3,
      best: boards[0],
      top10: 1,
      top100: 2,
      latestAnchor: 1_003_600,
      lastPlayed: 1_003_600,
    });
    expect(summaryOf(boards, (uuid) => uuid === 1).lastPlayed).toBeNull();
  });

  it('stores the newest capture in which a score rose, over gaps and resets', () => {
    const totals: Totals = new Map();
    const scores = [50, 60, 60, 10, null, 12, 12, 11];
    for (const [hour, score] of scores.entries()) if (score !== null) addAppearance(totals, 'nimbus', hour * HOUR, [row(1, 1, score)]);
    expect(totals.get('nimbus')?.boards.get(1)?.lastRise).toBe(5 * HOUR);
  });

  it('compares the rows of a name row by row', () => {
    const lastRise = (...captures: number[][]) => {
      const totals: Totals = new Map();
      for (const [hour, scores] of captures.entries())
        addAppearance(
          totals,
          'twin',
          hour * HOUR,
          scores.map((score, index) => row(1, index + 1, score)),
        );
      return totals.get('twin')?.boards.get(1)?.lastRise;
    };
    expect(lastRise([8100, 2600], [8100, 2600])).toBeNull();
    expect(lastRise([8100, 2600], [8100, 5200], [8100, 5200])).toBe(HOUR);
    // Only one of them is on the board of the second capture, and nobody rose.
    expect(lastRise([8100, 2600], [8100], [8100, 2600])).toBeNull();
  });

  it('is what all captures give, for any of them', () => {
    const listed = fc.array(fc.option(fc.nat({ max: 4 })), { maxLength: 12 });
    fc.assert(
      fc.property(listed, (scores) => {
        const totals: Totals = new Map();
        for (const [hour, score] of scores.entries()) if (score !== null) addAppearance(totals, 'a', hour, [row(1, 1, score)]);
        const known = scores.flatMap((score, hour) => (score === null ? [] : [{ hour, score }]));
        const rises = known.flatMap(({ hour, score }, index) => (score > (known[index - 1]?.score ?? score) ? [hour] : []));
        expect(totals.get('a')?.boards.get(1)?.lastRise ?? null).toBe(rises.at(-1) ?? null);
      }),
    );
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
