import { roundTo } from '../../platform/kit/values/numbers.ts';
import {
  BOOST_LEVELS,
  COSMIC,
  COSMIC_EMPOWERED_MYSTIC_MAX_HEALTH_PERCENT,
  type ElementId,
  EMPOWERED,
  LIGHT,
  MAX_HEALTH_PERCENT,
  ROLL_KINDS,
  ROLLS,
  type Roll,
  type RollStatId,
  STAT_STEPS,
  TIERS,
  type TierId,
  TYPE_RANK,
  type TypeId,
} from './gem.data.ts';

/** Roll range of one container in units of `statBase`: the value of one Power Rank of stat steps. */
export interface StatFigures {
  statBase: number;
  lo: number;
  hi: number;
}

/** Containers of every gem at level 1. */
export const BASE_CONTAINERS = 3;

/** Sum of the steps up to each level, from level 1. */
const STEPS_UP_TO: readonly number[] = STAT_STEPS.map((_, index) =>
  STAT_STEPS.slice(0, index + 1).reduce((sum: number, step) => sum + step, 0),
);

/** Stat steps from level 1 to `level`, capped at the maximum level of the tier. */
export function countSteps(tier: TierId, level: number): number {
  return STEPS_UP_TO[Math.min(level, TIERS[tier].maxLevel) - 1] ?? 0;
}

/** Power Rank of the steps of one stat. */
export function incrementAt(tier: TierId, level: number): number {
  return TIERS[tier].rankPerStep * countSteps(tier, level);
}

/** Containers added up to `level`: one each at 5, 10 and 15. */
export function countBoosts(level: number): number {
  return BOOST_LEVELS.filter((boostLevel) => boostLevel <= level).length;
}

/** Roll range of a container; null for Light unless the gem is Cosmic. */
export function getRoll(tier: TierId, type: TypeId, element: ElementId, stat: RollStatId): Roll | null {
  if (stat === LIGHT && element !== COSMIC) return null;
  const isException = tier === 4 && type === EMPOWERED && element === COSMIC && stat === MAX_HEALTH_PERCENT;
  return isException ? COSMIC_EMPOWERED_MYSTIC_MAX_HEALTH_PERCENT : ROLLS[type][tier][ROLL_KINDS[stat]];
}

const figuresCache = new Map<number, StatFigures | null>();

/** Figures of a stat of a kind of gem, cached. */
export function getFigures(tier: TierId, type: TypeId, element: ElementId, stat: RollStatId): StatFigures | null {
  const key = ((tier * 8 + type) * 8 + element) * 16 + stat;
  let figures = figuresCache.get(key);
  if (figures === undefined) {
    figures = toFigures(getRoll(tier, type, element, stat), TIERS[tier].rankPerStep);
    figuresCache.set(key, figures);
  }
  return figures;
}

function toFigures(roll: Roll | null, rankPerStep: number): StatFigures | null {
  if (roll === null) return null;
  const [min, max, step] = roll;
  const statBase = step / rankPerStep;
  return { statBase, lo: roundTo(min / statBase, 9), hi: roundTo(max / statBase, 9) };
}

/** Displayed value of a stat with `containers` at an average `progress` (0 to 1); not rounded. */
export function calculateStatValue(figures: StatFigures, containers: number, progress: number, increment: number): number {
  const { statBase, lo, hi } = figures;
  return statBase * (lo + (hi - lo) * progress) * containers + statBase * increment;
}

/** Power Rank of a stat without its steps. */
export function powerRankShare(tier: TierId, type: TypeId, containers: number, progress: number): number {
  const [lo, hi] = TIERS[tier].rankPerContainer[type];
  return containers * (lo + (hi - lo) * progress);
}

/** Power Rank of a gem at `level` from the ranks of its stats; not rounded. */
export function calculatePowerRank(tier: TierId, type: TypeId, level: number, shares: readonly number[]): number {
  const unstepped = shares.reduce((sum, share) => sum + share, TYPE_RANK[type]);
  return unstepped + 3 * incrementAt(tier, level);
}
