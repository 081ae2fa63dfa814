import { describe, expect, it } from 'vitest';
import { deriveSplit, type MeasuredStat } from '../../../../src/areas/gems/evaluator/evaluate.domain.ts';

const at = (raw: number): MeasuredStat => ({ containers: 1, threshold: 0, raw, progress: Math.min(Math.max(raw, 0), 1) });

describe('deriveSplit', () => {
  it('returns the first split in lexicographic order on a tie', () => {
    expect(deriveSplit(2, () => at(0.5))).toEqual([0, 0, 2]);
  });

  it('weighs a quarter of the squared spread against the squared distance', () => {
    // Boost on the third stat: distance 0.2, no spread, score 0.04. On the first: no distance, spread 0.3, score 0.0225. On the second: impossible.
    const raws = [
      [1, 0.7],
      [1, 5],
      [1, 1.2],
    ];
    expect(deriveSplit(1, (position, boosts) => at(raws[position]?.[boosts] ?? 0))).toEqual([1, 0, 0]);
    // Spread 0.5: score 0.0625.
    expect(deriveSplit(1, (position, boosts) => at(position === 0 && boosts === 1 ? 0.5 : (raws[position]?.[boosts] ?? 0)))).toEqual([
      0, 0, 1,
    ]);
  });
});
