import { roundTo } from '../../../platform/kit/values/rounding.ts';
import { DELVE_BOARDS, DELVE_MINUTES, GEODE_LEVEL_CAP, MASTERY_BEYOND, MASTERY_STEPS } from '../leaderboards.data.ts';

/** Depth and time of a delve. */
export interface Delve {
  depth: number;
  /** One decimal. */
  minutes: number;
}

/** Decodes the score of a delve board, `depth + 1 - sqrt(minutes / 180)`; null for other boards. */
export function delveOf(uuid: number, score: number): Delve | null {
  if (!DELVE_BOARDS.has(uuid)) return null;
  const depth = Math.floor(score);
  const timeRoot = 1 - (score - depth);
  return { depth, minutes: roundTo(DELVE_MINUTES * timeRoot * timeRoot, 1) };
}

export interface MasteryLevel {
  level: number;
  pointsIntoLevel: number;
  pointsToNextLevel: number;
}

/** Points from `level - 1` to `level`. */
function costOf(level: number): number {
  const step = MASTERY_STEPS.find((candidate) => level <= candidate.level);
  return step ? step.points : MASTERY_BEYOND.base + Math.ceil((level - 300) * MASTERY_BEYOND.growth);
}

/** Beyond any reachable level; bounds the loop for invalid points. */
const MAX_LEVEL = 100_000;

/** Mastery level for a number of points, which are rounded. Levels start at 1. */
export function masteryLevel(points: number): MasteryLevel {
  let level = 1;
  let pointsLeft = Math.max(0, Math.round(points));
  for (let cost = costOf(level + 1); pointsLeft >= cost && level < MAX_LEVEL; cost = costOf(level + 1)) {
    pointsLeft -= cost;
    level += 1;
  }
  return { level, pointsIntoLevel: pointsLeft, pointsToNextLevel: costOf(level + 1) - pointsLeft };
}

/** Like `masteryLevel`, with the level cap of Geode Mastery. */
export function geodeLevel(points: number): MasteryLevel & { uncappedLevel: number; capped: boolean } {
  const { level, ...rest } = masteryLevel(points);
  return { level: Math.min(level, GEODE_LEVEL_CAP), ...rest, uncappedLevel: level, capped: level > GEODE_LEVEL_CAP };
}

/** A score in words: the depth of a delve, else the number. */
export function scoreText(uuid: number, score: number): string {
  const delve = delveOf(uuid, score);
  return delve ? `depth ${delve.depth}` : score.toLocaleString('en', { maximumFractionDigits: 2 });
}
