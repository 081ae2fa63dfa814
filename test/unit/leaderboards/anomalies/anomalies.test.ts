import { describe, expect, it } from 'vitest';
import {
  boardConfidence,
  boardFindings,
  cohortSize,
  evidenceConfidence,
  flaggedPlayers,
  playerConfidence,
  rankGaps,
  risingNames,
  scoreOutliers,
  sustainedEvidence,
  sustainedPlayers,
  velocityOutlier,
} from '../../../../src/areas/leaderboards/anomalies/anomalies.domain.ts';
import { isHigherBetter } from '../../../../src/areas/leaderboards/boards/boards.domain.ts';
import { columnsOf } from '../../../support/board-rows.ts';

const ranked = (scores: number[]) => columnsOf(scores.map((score, index) => [`P${index + 1}`, score]));
/** Scores that decrease by 1 % per rank. */
const steady = (count: number, first = 1_000_000) => Array.from({ length: count }, (_, index) => first * 0.99 ** index);

describe('isHigherBetter and cohortSize', () => {
  it.each([
    [[9, 8, 7], true],
    [[1, 2, 3], false],
    [[5, 5, 5], true],
    [[5, 9, 1], true],
    [[], true],
  ])('isHigherBetter evaluates the scores %j', (scores, expected) => {
    expect(isHigherBetter(scores)).toBe(expected);
  });

  it.each([
    [20, 20],
    [50, 50],
    [999, 50],
    [2000, 100],
    [20_019, 1000],
  ])('cohortSize returns the number of elite ranks for %i entries', (entries, expected) => {
    expect(cohortSize(entries)).toBe(expected);
  });
});

describe('scoreOutliers', () => {
  it('returns scores far above the elite', () => {
    const scores = [1e12, ...steady(99)];
    expect(scoreOutliers(ranked(scores), { z: 5, higherIsBetter: true })).toMatchObject([
      { playerName: 'P1', cohortSize: 50, boardSize: 100 },
    ]);
    expect(scoreOutliers(ranked(steady(100)), { z: 5, higherIsBetter: true })).toEqual([]);
  });

  it('returns scores far below the elite on low-is-better boards', () => {
    const scores = [0.001, ...steady(99).reverse()];
    expect(scoreOutliers(ranked(scores), { z: 5, higherIsBetter: false })).toMatchObject([{ playerName: 'P1' }]);
  });

  it('returns none for capped and uniform boards', () => {
    expect(scoreOutliers(ranked([9, 9, 9, 9, 9, 1]), { z: 1, higherIsBetter: true })).toEqual([]);
    expect(scoreOutliers(ranked([9, ...Array(60).fill(5)]), { z: 1, higherIsBetter: true })).toEqual([]);
    expect(scoreOutliers(ranked([]), { z: 1, higherIsBetter: true })).toEqual([]);
  });
});

describe('rankGaps', () => {
  it('returns gaps of at least ten times the typical gap', () => {
    const [gap] = rankGaps(ranked([2_000_000, ...steady(30)]));
    expect(gap).toEqual({ playerName: 'P1', gapFraction: 0.5, typicalGapFraction: 0.01, gapMultiplier: 50 });
    expect(rankGaps(ranked(steady(30)))).toEqual([]);
  });

  it('uses all gaps of small boards and requires four entries', () => {
    expect(rankGaps(ranked([100, 50, 49.9, 49.8]))).toMatchObject([{ playerName: 'P1' }]);
    expect(rankGaps(ranked([100, 50, 49]))).toEqual([]);
    expect(rankGaps(ranked([0, 0, 0, 0, 0]))).toEqual([]);
  });
});

describe('velocityOutlier', () => {
  it('requires five peers with a gain and ten times their 95th percentile', () => {
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
    ['sustained_velocity', 0.9, 0.85, 0.8],
    ['sustained_velocity', 0.85, 0.85, 0.7],
    ['sustained_velocity', 1, 0.85, 0.95],
    ['something', 100, 10, 0.5],
    ['toString', 100, 10, 0.5],
  ])('scores %s %d against %d as %d', (type, magnitude, threshold, expected) => {
    expect(evidenceConfidence(type, magnitude, threshold)).toBe(expected);
  });

  const gap = { type: 'rank_gap', magnitude: 1000, threshold: 10 };
  const outlier = { type: 'score_outlier', magnitude: 1000, threshold: 5 };

  it('of a board equals that of its strongest finding', () => {
    expect(boardConfidence([outlier, gap])).toBe(0.85);
  });

  it('of a player increases with the number of boards, up to the maximum of a single type', () => {
    expect(playerConfidence([{ evidence: [outlier] }, { evidence: [outlier] }])).toBe(0.6);
    expect(playerConfidence([{ evidence: [outlier] }, { evidence: [gap] }])).toBe(0.94);
    expect(playerConfidence([{ evidence: [gap] }, { evidence: [gap] }])).toBe(0.85);
  });
});

describe('anomaly report', () => {
  const rules = { zThreshold: 5, velocityMultiplier: 10, minBoardSize: 20 };

  it('checks the gains of flagged players only', async () => {
    const scores = [1e12, ...steady(99)];
    const before = new Map(
      ranked(scores).names.map((name, index) => [name.toLowerCase(), (scores[index] ?? 0) - (index === 0 ? 9e11 : 10)]),
    );
    const earlier = { anchor: 0, scoreOf: (name: string) => before.get(name.toLowerCase()) };
    const [finding, ...others] = await boardFindings(ranked(scores), rules, async () => earlier, 7200);
    expect(others).toEqual([]);
    expect(finding?.evidence.map(({ type }) => type)).toEqual(['score_outlier', 'rank_gap', 'velocity_outlier']);
    const [outlier, gap, velocity] = finding?.evidence.map(({ measurements }) => measurements) ?? [];
    expect(outlier).toMatchObject({ player_score: 1e12, threshold: 5, higher_is_better: true, cohort_size: 50, board_size: 100 });
    expect(outlier?.elite_median).toBeCloseTo((scores[24] ?? 0) / 2 + (scores[25] ?? 0) / 2, 1);
    expect(Object.keys(outlier ?? {})).toEqual([
      ...['player_score', 'elite_median', 'modified_z_score', 'threshold', 'median_multiplier'],
      ...['higher_is_better', 'cohort_size', 'board_size'],
    ]);
    expect(gap).toEqual({
      player_rank: 1,
      player_score: 1e12,
      next_rank: 2,
      next_rank_score: 1_000_000,
      gap_fraction: 1,
      typical_gap_fraction: 0.01,
      gap_multiplier: 100,
      threshold_multiplier: 10,
    });
    expect(velocity).toEqual({
      score_delta: 9e11,
      duration_hours: 2,
      rate_per_hour: 4.5e11,
      peer_p95_rate_per_hour: 5,
      rate_multiplier: 9e10,
      threshold_multiplier: 10,
      previous_anchor: 0,
      previous_score: 1e11,
      peers: 50,
    });
    const notAsked = () => Promise.reject(new Error('nobody was found'));
    expect(await boardFindings(ranked(steady(100)), rules, notAsked, 7200)).toEqual([]);
  });

  it('lists players with the highest confidence first', () => {
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

describe('sustained activity', () => {
  const board = (scores: Record<string, number>) => ({ names: Object.keys(scores), scores: Object.values(scores) });

  it('counts score increases of at least 1 among the first 400 ranks', () => {
    const before = board({ a: 10, b: 10, c: 10, d: 10 });
    expect(risingNames(before, board({ A: 11, b: 10.9, c: 9, e: 50, d: 11.5 }))).toEqual(['a', 'd']);
    const deep = Object.fromEntries(Array.from({ length: 401 }, (_, index) => [`p${index}`, 1000 - index]));
    expect(risingNames(board(Object.fromEntries(Object.keys(deep).map((name) => [name, 1]))), board(deep))).toHaveLength(400);
  });

  it('is an anomaly from 85 % of the hours, after at least 48 hours', () => {
    const hours = (active: number, all: number) =>
      Array.from({ length: all }, (_, hour) => new Set(hour < active ? ['a', `p${hour}`] : []));
    expect(sustainedPlayers(hours(54, 60), 60)).toEqual([{ key: 'a', activeHours: 54, fraction: 0.9 }]);
    expect(sustainedPlayers(hours(50, 60), 60)).toEqual([]);
    expect(sustainedPlayers(hours(51, 60), 60)).toMatchObject([{ fraction: 0.85 }]);
    expect(sustainedPlayers(hours(47, 47), 47)).toEqual([]);
    expect(sustainedPlayers(hours(48, 48), 48)).toHaveLength(1);
  });

  it('is a single evidence type with its own maximum', () => {
    const evidence = sustainedEvidence({ key: 'a', activeHours: 54, fraction: 0.9 }, 60);
    expect(evidence.measurements).toEqual({ active_hours: 54, captures_since_reset: 60, uptime_fraction: 0.9, threshold_fraction: 0.85 });
    expect(playerConfidence([{ evidence: [{ type: 'sustained_velocity', magnitude: 1, threshold: 0.85 }] }])).toBe(0.95);
  });
});
