import { describe, expect, it } from 'vitest';
import {
  confidenceOf,
  createRenameSearch,
  currentName,
  evidenceOf,
  type RenameRules,
} from '../../../src/areas/leaderboards/renames/renames.domain.ts';

const RULES: RenameRules = { maxGapSeconds: 5400, minBoards: 2, drift: 0.02, minScore: 1000, minConfidence: 0.5 };
const A = 1_773_054_000;
const B = A + 3600;
const board = (drift = 0, cell = 1) => ({ from: 10_000, to: 10_000 * (1 + drift), cell });

/** Renames between two captures: per board, the rows before and after. */
function search(boards: readonly (readonly [Record<string, number>, Record<string, number>])[], gap = 3600) {
  const found = createRenameSearch(RULES);
  const rows = (of: Record<string, number>) => ({ names: Object.keys(of), scores: Object.values(of) });
  for (const [index, [earlier, later]] of boards.entries()) {
    found.add({ uuid: index + 1, name: `BOARD ${index + 1}`, earlier: rows(earlier), later: rows(later) });
  }
  return found.find(A, A + gap);
}

describe('confidenceOf', () => {
  it.each([
    ['3 exact boards alone', [board(), board(), board()], 0, 0.875],
    ['2 boards, drift 0 and 1 %', [board(), board(0.01)], 0, 0.6656],
    ['2 boards with one crowded cell', [board(0, 2), board(0.01)], 0, 0.5658],
    ['3 exact boards, runner-up 1', [board(), board(), board()], 1, 0.7583],
    ['2 exact boards, both crowded', [board(0, 2), board(0, 2)], 0, 0.525],
    ['2 boards at the full drift', [board(0.02), board(0.02)], 0, 0.4125],
    ['6 exact boards', Array.from({ length: 6 }, () => board()), 0, 0.97],
  ])('rates %s', (_title, boards, runnerUp, expected) => {
    expect(confidenceOf(boards, runnerUp, RULES).confidence).toBe(expected);
  });
});

describe('createRenameSearch', () => {
  const same = { Stays: 9000 };

  it('finds a name that was replaced on every board', () => {
    const found = search([
      [
        { ...same, Old: 5000 },
        { ...same, ' New ': 5000 },
      ],
      [
        { ...same, old: 2000 },
        { ...same, New: 2020 },
      ],
      [same, same],
    ]);
    expect(found).toMatchObject([{ from: 'Old', to: 'New', fromAnchor: A, toAnchor: B, runnerUp: 0, confidence: 0.6656 }]);
    expect(found[0] && evidenceOf(found[0], RULES)).toEqual({
      gap_seconds: 3600,
      boards: [
        { uuid: 1, name: 'BOARD 1', score_from: 5000, score_to: 5000, drift_pct: 0 },
        { uuid: 2, name: 'BOARD 2', score_from: 2000, score_to: 2020, drift_pct: 1 },
      ],
      terms: {
        matched_boards: 2,
        runnerup_overlap: 0,
        board_term: 0.75,
        tightness: 0.75,
        exclusivity: 1,
        rarity: 1,
        mean_drift_pct: 0.5,
        confidence: 0.6656,
      },
      summary: 'Old left 2 boards and New appeared with nearly the same scores',
    });
  });

  it.each([
    [
      'the name is still on another board',
      [
        [{ Old: 5000 }, { New: 5000 }],
        [{ Old: 2000 }, { New: 2000 }],
        [{}, { Old: 1500 }],
      ],
    ],
    [
      'the new name was on a board before',
      [
        [{ Old: 5000 }, { New: 5000 }],
        [{ Old: 2000 }, { New: 2000 }],
        [{ New: 1500 }, {}],
      ],
    ],
    [
      'only one board matches',
      [
        [{ Old: 5000 }, { New: 5000 }],
        [{ Old: 2000 }, { New: 3000 }],
      ],
    ],
    [
      'the score fell',
      [
        [{ Old: 5000 }, { New: 4999 }],
        [{ Old: 2000 }, { New: 1999 }],
      ],
    ],
    [
      'the scores are below 1000',
      [
        [{ Old: 900 }, { New: 900 }],
        [{ Old: 999 }, { New: 999 }],
      ],
    ],
    [
      'two new names fit equally',
      [
        [{ Old: 5000 }, { New: 5000, Other: 5000 }],
        [{ Old: 2000 }, { New: 2000, Other: 2000 }],
      ],
    ],
  ] as [string, [Record<string, number>, Record<string, number>][]][])('finds nothing when %s', (_title, boards) => {
    expect(search(boards)).toEqual([]);
  });

  it('skips captures that are more than 5400 s apart', () => {
    const boards = [
      [{ Old: 5000 }, { New: 5000 }],
      [{ Old: 2000 }, { New: 2000 }],
    ] as [Record<string, number>, Record<string, number>][];
    expect(search(boards, 5400)).toHaveLength(1);
    expect(search(boards, 5401)).toEqual([]);
    expect(search(boards, 0)).toEqual([]);
  });
});

describe('currentName', () => {
  const edge = (id: number, fromName: string, toName: string, toAnchor: number) => ({ id, fromName, toName, toAnchor });

  it('follows later renames, without case, and ends for a circle', () => {
    const edges = [edge(1, 'Ann', 'Bea', 1), edge(2, 'BEA', 'Cleo', 2), edge(3, 'Zoe', 'Ann', 3)];
    expect(currentName('ann', edges)).toBe('Cleo');
    expect(currentName('Unknown', edges)).toBe('Unknown');
    expect(currentName('Ann', [edge(1, 'Ann', 'Bea', 1), edge(2, 'Bea', 'Ann', 2)])).toBe('Ann');
  });
});
