import { roundTo } from '../../../platform/kit/values/numbers.ts';
import {
  CRITICAL_DAMAGE,
  type ElementId,
  EMPOWERED,
  LESSER,
  LIGHT,
  MAGIC_DAMAGE,
  PHYSICAL_DAMAGE,
  type RollStatId,
  type TierId,
  type TypeId,
} from '../gem.data.ts';
import {
  BASE_CONTAINERS,
  calculatePowerRank,
  calculateStatValue,
  countBoosts,
  getFigures,
  incrementAt,
  powerRankShare,
} from '../gem-figures.domain.ts';
import { ELEMENT_IDS } from '../gem-input.domain.ts';
import { GEM_SET } from './builds.data.ts';
import { calculateWithGems, type RowFigures } from './builds-formula.domain.ts';
import type { Build } from './builds-request.domain.ts';

/** A place for a gem of a character. */
interface GemSlot {
  element: ElementId;
  type: TypeId;
}

/** The places of a character: one Empowered and two Lesser gems of each element. */
export const GEM_SLOTS: readonly GemSlot[] = ELEMENT_IDS.flatMap((element) =>
  [EMPOWERED, LESSER, LESSER].map((type): GemSlot => ({ element, type: type as TypeId })),
);

export interface SetStat {
  type: RollStatId;
  /** Average roll of its containers, from 0 to 1. */
  progress: number;
  boosts: number;
}

export type SetStats = readonly [SetStat, SetStat, SetStat];

/** A gem of a set as the game shows it: rolls in percent, and boosts. */
export interface SetGem extends GemSlot {
  tier: TierId;
  level: number;
  stats: SetStats;
}

/** Values that a gem shows, without the multiplier of the set. */
export function calculateSetGem({ tier, type, element, level, stats }: SetGem) {
  const increment = incrementAt(tier, level);
  const values = stats.map(({ type: stat, progress, boosts }) => {
    const figures = getFigures(tier, type, element, stat);
    return figures === null ? 0 : calculateStatValue(figures, 1 + boosts, progress, increment);
  });
  const shares = stats.map(({ progress, boosts }) => powerRankShare(tier, type, 1 + boosts, progress));
  const quality = stats.reduce((sum, { progress, boosts }) => sum + progress * (1 + boosts), 0) / (BASE_CONTAINERS + countBoosts(level));
  return { values, powerRank: roundTo(calculatePowerRank(tier, type, level, shares), 0), quality };
}

export interface GemSetSum {
  /** The multiplier of the set is applied to each gem, as in the table of sources of Power Rank. */
  powerRank: number;
  /** Average of the gems, from 0 to 1. */
  quality: number;
  /** Sums of the stats that the set has, with its multiplier, in display units. */
  stats: ReadonlyMap<RollStatId, number>;
}

/** What the gems of a full set add together. */
export function sumGemSet(gems: readonly SetGem[]): GemSetSum {
  const stats = new Map<RollStatId, number>();
  let powerRank = 0;
  let quality = 0;
  for (const gem of gems) {
    const own = calculateSetGem(gem);
    powerRank += roundTo(own.powerRank * GEM_SET.multiplier, 0);
    quality += own.quality / gems.length;
    for (const [index, { type }] of gem.stats.entries()) stats.set(type, (stats.get(type) ?? 0) + (own.values[index] ?? 0));
  }
  for (const [type, sum] of stats) stats.set(type, sum * GEM_SET.multiplier);
  return { powerRank, quality, stats };
}

/** Figures of a character with a set of gems. */
export function calculateWithSet(build: Build, { stats }: GemSetSum): RowFigures {
  const damage = build.character.damage_type === 'Magic' ? MAGIC_DAMAGE : PHYSICAL_DAMAGE;
  const of = (stat: RollStatId) => stats.get(stat) ?? 0;
  return calculateWithGems(build, { damage: of(damage), critical: of(CRITICAL_DAMAGE), light: of(LIGHT) });
}
