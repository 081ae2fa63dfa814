import { describe, expect, it } from 'vitest';
import {
  boardConfidence,
  cohortSize,
  evidenceConfidence,
  isHigherBetter,
  playerConfidence,
  rankGaps,
  scoreOutliers,
  velocityOutlier,
} from '../../../../src/areas/leaderboards/anomalies/anomalies.domain.ts';
import { boardFindings, flaggedPlayers } from '../../../../src/areas/leaderboards/anomalies/anomaly-report.domain.ts';

const ranked = (scores: number[]) => ({
  ranks: scores.map((_, index) => index + 1),
  names: scores.map((_, index) => `P${index + 1}`),
  scores,
});
/** Scores that fall by one in a hundred from rank to rank. */
const steady = (count: number, first = 1_000_000) => Array.from({ length: count }, (_, index) => first * 0.99 ** index);

describe('direction and elite', () => {
  it.each([
    [[9, 8, 7], true],
    [[1, 2, 3], false],
    [[5, 5, 5], true],
    [[5, 9, 1], true],
    [[], true],
  ])('of %j', (scores, expected) => {
    expect(isHigherBetter(scores)).toBe(expected);
  });

  it.each([
    [20, 20],
    [50, 50],
    [999, 50],
    [2000, 100],
    [20_019, 1000],
  ])('of %i entries', (entries, expected) => {
    expect(cohortSize(entries)).toBe(expected);
  });
});

describe('scores', () => {
  it('far above the elite stand out', () => {
    const scores = [1e12, ...steady(99)];
    expect(scoreOutliers(ranked(scores), { z: 5, higherIsBetter: true })).toMatchObject([
      { playerName: 'P1', cohortSize: 50, boardSize: 100 },
    ]);
    expect(scoreOutliers(ranked(steady(100)), { z: 5, higherIsBetter: true })).toEqual([]);
  });

  it('far below stand out where low is better', () => {
    const scores = [0.001, ...steady(99).reverse()];
    expect(scoreOutliers(ranked(scores), { z: 5, higherIsBetter: false })).toMatchObject([{ playerName: 'P1' }]);
  });

  it('of capped and of uniform boards do not', () => {
    expect(scoreOutliers(ranked([9, 9, 9, 9, 9, 1]), { z: 1, higherIsBetter: true })).toEqual([]);
    expect(scoreOutliers(ranked([9, ...Array(60).fill(5)]), { z: 1, higherIsBetter: true })).toEqual([]);
    expect(scoreOutliers(ranked([]), { z: 1, higherIsBetter: true })).toEqual([]);
  });
});

describe('gaps', () => {
  it('count when they are ten times the typical one', () => {
    const [gap] = rankGaps(ranked([2_000_000, ...steady(30)]));
    expect(gap).toEqual({ playerName: 'P1', gapFraction: 0.5, typicalGapFraction: 0.01, gapMultiplier: 50 });
    expect(rankGaps(ranked(steady(30)))).toEqual([]);
  });

  it('of small boards are measured against all of them, and need four entries', () => {
    expect(rankGaps(ranked([100, 50, 49.9, 49.8]))).toMatchObject([{ playerName: 'P1' }]);
    expect(rankGaps(ranked([100, 50, 49]))).toEqual([]);
    expect(rankGaps(ranked([0, 0, 0, 0, 0]))).toEqual([]);
  });
});

describe('gains', () => {
  it('need five peers and ten times what is fast among them', () => {
    expect(velocityOutlier(1000, [1, 2, 3, 4], 10)).toBeNull();
    expect(velocityOutlier(1000, [1, 2, 3, 4, 5, 0, -7], 10)).toEqual({ gainPerHour: 1000, peerGainPerHour: 4, peers: 5 });
    expect(velocityOutlier(39, [1, 2, 3, 4, 5], 10)).toBeNull();
  });
});

describe('confidence', () => {
  it.each([
    ['rank_gap', 10, 10, 0.5],
    ['rank_gap', 5, 10, 0.5],
    ['rank_gap', 15, 10, 0.697],
    ['rank_gap', 1000, 10, 0.85],
    ['score_outlier', 1000, 5, 0.6],
    ['velocity_outlier', 20, 10, 0.816],
    ['velocity_outlier', 1e9, 10, 0.99],
    ['something', 100, 10, 0.5],
    ['toString', 100, 10, 0.5],
  ])('of %s %d against %d is %d', (type, magnitude, threshold, expected) => {
    expect(evidenceConfidence(type, magnitude, threshold)).toBe(expected);
  });

  const gap = { type: 'rank_gap', magnitude: 1000, threshold: 10 };
  const outlier = { type: 'score_outlier', magnitude: 1000, threshold: 5 };

  it('of a board is that of its strongest finding', () => {
    expect(boardConfidence([outlier, gap])).toBe(0.85);
  });

  it('of a player grows with boards, up to the ceiling of a single type', () => {
    expect(playerConfidence([{ evidence: [outlier] }, { evidence: [outlier] }])).toBe(0.6);
    expect(playerConfidence([{ evidence: [outlier] }, { evidence: [gap] }])).toBe(0.94);
    expect(playerConfidence([{ evidence: [gap] }, { evidence: [gap] }])).toBe(0.85);
  });
});

describe('a report', () => {
  const rules = { zThreshold: 5, velocityMultiplier: 10, minBoardSize: 20 };

  it('looks at gains of those who were found, and only then', async () => {
    const scores = [1e12, ...steady(99)];
    const before = new Map(
      ranked(scores).names.map((name, index) => [name.toLowerCase(), (scores[index] ?? 0) - (index === 0 ? 9e11 : 10)]),
    );
    const earlier = { anchor: 0, scoreOf: (name: string) => before.get(name.toLowerCase()) };
    const [finding, ...others] = await boardFindings(ranked(scores), rules, async () => earlier, 7200);
    expect(others).toEqual([]);
    expect(finding?.evidence.map(({ type }) => type)).toEqual(['score_outlier', 'rank_gap', 'velocity_outlier']);
    expect(finding?.evidence[2]?.measurements).toEqual({ gain_per_hour: 4.5e11, peer_gain_per_hour: 5, peers: 49, hours: 2 });
    const notAsked = () => Promise.reject(new Error('nobody was found'));
    expect(await boardFindings(ranked(steady(100)), rules, notAsked, 7200)).toEqual([]);
  });

  it('lists the most certain first', () => {
    const finding = (playerName: string, magnitude: number) => {
      const evidence = [{ type: 'rank_gap' as const, summary: '', measurements: {}, magnitude, threshold: 10 }];
      return { playerName, rank: 1, score: 1, evidence, board: 1 };
    };
    const { players, total } = flaggedPlayers([finding('B', 11), finding('C', 50), finding('A', 11), finding('b', 11)]);
    expect([total, players.map(({ playerName, boards }) => [playerName, boards.length])]).toEqual([
      3,
      [
        ['C', 1],
        ['B', 2],
        ['A', 1],
      ],
    ]);
  });
});
