import { describe, expect, it } from 'vitest';
import { findDuplicate, seriesOf, verdictOf } from '../../../src/areas/leaderboards/duplicates/duplicates.domain.ts';

const HOUR = 3600;
const row = (uuid: number, rank: number, score: number, playerName = 'Nimbus') => ({ uuid, rank, score, playerName });
/** Rows of one line, an hour apart. */
const line = (scores: readonly number[], rank: number) => scores.map((score, index) => ({ anchor: index * HOUR, rank, score }));

describe('findDuplicate', () => {
  it('finds a name with several rows on one board', () => {
    const rows = [row(1, 3, 5000), row(1, 7, 4000), row(20, 2, 90), row(2, 1, 10), row(2, 1, 10), row(2, 4, 8), row(2, 9, 3)];
    expect(findDuplicate('nimbus', rows, 1)).toEqual({
      key: 'nimbus',
      name: 'Nimbus',
      kind: 'same_name',
      boards: [1, 2],
      maxOccurrences: 3,
      spellings: ['Nimbus'],
    });
  });

  it('ignores a row that is repeated with the same rank and score', () => {
    expect(findDuplicate('nimbus', [row(1, 3, 5000), row(1, 3, 5000), row(2, 1, 1)], 1)).toBeNull();
  });

  it('requires the minimum number of boards', () => {
    expect(findDuplicate('nimbus', [row(1, 3, 5000), row(1, 4, 4000)], 2)).toBeNull();
  });

  it('finds spellings that differ in case', () => {
    const rows = [row(1, 3, 5000, 'nimbus'), row(20, 3, 5000, 'Nimbus')];
    expect(findDuplicate('nimbus', rows, 1)).toMatchObject({
      kind: 'case',
      boards: [1, 20],
      maxOccurrences: 2,
      spellings: ['Nimbus', 'nimbus'],
    });
    expect(findDuplicate('nimbus', [...rows, row(1, 4, 1, 'Nimbus')], 1)).toMatchObject({ kind: 'both', boards: [1], maxOccurrences: 2 });
  });
});

describe('seriesOf', () => {
  it('splits the rows of a name into lines', () => {
    expect(seriesOf([...line([8100, 8200], 1), ...line(Array(9).fill(500), 40)], 4)).toEqual([
      {
        ...{ slot: 0, captures: 2, first_anchor: 0, last_anchor: HOUR, first_score: 8100, last_score: 8200, last_rank: 1 },
        ...{ moved: true, frozen: false },
      },
      {
        ...{ slot: 1, captures: 9, first_anchor: 0, last_anchor: 8 * HOUR, first_score: 500, last_score: 500, last_rank: 40 },
        ...{ moved: false, frozen: true },
      },
    ]);
  });

  it('counts a line as frozen from four captures', () => {
    expect(seriesOf(line([500, 500, 500], 1), 4)).toMatchObject([{ captures: 3, moved: false, frozen: false }]);
    expect(seriesOf(line([500, 500, 500, 500], 1), 4)).toMatchObject([{ captures: 4, moved: false, frozen: true }]);
  });
});

describe('verdictOf', () => {
  const [board1, board20] = [seriesOf([...line([8100, 8200], 1), ...line(Array(9).fill(500), 40)], 4), seriesOf(line([10, 10], 2), 4)];

  it.each([
    ['slots 0 (moved) and 1 (flat, 9 captures) on one board', board1, 'one_live'],
    [
      'slot 0 moved on board 1, slot 1 moved on board 20',
      [
        { slot: 0, moved: true },
        { slot: 1, moved: false },
        { slot: 0, moved: false },
        { slot: 1, moved: true },
      ],
      'multi_live',
    ],
    ['only slot 0 in the whole window, moved', [{ slot: 0, moved: true }], 'all_idle'],
    ['no slot moved', board20, 'all_idle'],
  ])('rates %s', (_title, series, expected) => {
    expect(verdictOf(series)).toBe(expected);
  });
});
