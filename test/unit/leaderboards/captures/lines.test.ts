import { describe, expect, it } from 'vitest';
import { MAX_LINES, splitLines } from '../../../../src/areas/leaderboards/captures/board-rows.domain.ts';

const HOUR = 3600;
/** Rows from the scores of each capture, best first; captures are an hour apart. */
const rowsOf = (captures: readonly (readonly number[])[]) =>
  captures.flatMap((scores, index) => scores.map((score, place) => ({ anchor: index * HOUR, rank: place + 1, score })));
const scoresOf = (captures: readonly (readonly number[])[]) => splitLines(rowsOf(captures)).map((line) => line.map(({ score }) => score));

describe('splitLines', () => {
  it('keeps the line of a character that is overtaken', () => {
    const captures = [
      [8100, 2600],
      [8100, 5200],
      [8100, 7900],
      [10_400, 8100],
    ];
    expect(scoresOf(captures)).toEqual([
      [8100, 8100, 8100, 8100],
      [2600, 5200, 7900, 10_400],
    ]);
    expect(splitLines(rowsOf(captures).toReversed()).map((line) => line.length)).toEqual([4, 4]);
  });

  it('returns one line for a unique name', () => {
    expect(scoresOf([[5], [7], [6]])).toEqual([[5, 7, 6]]);
    expect(splitLines([])).toEqual([]);
  });

  it('starts a line for an additional row and leaves a gap for a missing row', () => {
    const lines = splitLines(rowsOf([[100], [110, 20], [120], [130, 21]]));
    expect(lines.map((line) => line.map(({ anchor, score }) => [anchor / HOUR, score]))).toEqual([
      [
        [0, 100],
        [1, 110],
        [2, 120],
        [3, 130],
      ],
      [
        [1, 20],
        [3, 21],
      ],
    ]);
  });

  it('prefers an increase over an equal decrease', () => {
    expect(scoresOf([[200, 100], [150]])).toEqual([[200], [100, 150]]);
  });

  it('sorts lines by first capture, then by first score', () => {
    expect(scoresOf([[50], [900, 50, 20]])).toEqual([[50, 50], [900], [20]]);
  });

  it('assigns each of more than five rows to its own line, up to a limit', () => {
    const many = Array.from({ length: 8 }, (_, index) => 1000 - index * 100);
    expect(scoresOf([many, many])).toEqual(many.map((score) => [score, score]));
    expect(scoresOf([Array.from({ length: 30 }, (_, index) => index)])).toHaveLength(MAX_LINES);
  });
});
