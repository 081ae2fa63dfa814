import { GEM_SET } from '../builds/builds.data.ts';
import { countSteps, getRoll } from './gem-figures.domain.ts';
import { COSMIC, EMPOWERED, LESSER, type RollStatId, TIERS, type TypeId } from './gem-lookups.data.ts';

/** A stat of a maxed gem of the highest tier: value without boosts, and value per boost. */
export interface GemLine {
  base: number;
  perBoost: number;
}

/** A stat of a full set before the set multiplier: without boosts, and per boost on each kind of gem. */
export interface SetLine {
  base: number;
  perEmpoweredBoost: number;
  perLesserBoost: number;
}

const TOP_TIER = 4;

export function calculateGemLine(type: TypeId, stat: RollStatId): GemLine {
  const roll = getRoll(TOP_TIER, type, COSMIC, stat);
  if (roll === null) throw new RangeError(`stat ${stat} has no figures`);
  const [, max, step] = roll;
  return { base: max + countSteps(TOP_TIER, TIERS[TOP_TIER].maxLevel) * step, perBoost: max };
}

/** A stat of all gems of a set, or of its Cosmic gems only. */
export function calculateSetLine(stat: RollStatId, gems: 'all' | 'cosmic'): SetLine {
  const empowered = calculateGemLine(EMPOWERED, stat);
  const lesser = calculateGemLine(LESSER, stat);
  const empoweredGems = GEM_SET.empowered.cosmic + (gems === 'all' ? GEM_SET.empowered.elemental : 0);
  const lesserGems = GEM_SET.lesser.cosmic + (gems === 'all' ? GEM_SET.lesser.elemental : 0);
  return {
    base: empoweredGems * empowered.base + lesserGems * lesser.base,
    perEmpoweredBoost: empowered.perBoost,
    perLesserBoost: lesser.perBoost,
  };
}

/** Total of a stat over a set with boosts. The sum is exact in a double; only the multiplication rounds. */
export function calculateSetValue(line: SetLine, empoweredBoosts: number, lesserBoosts: number): number {
  return GEM_SET.multiplier * (line.base + line.perEmpoweredBoost * empoweredBoosts + line.perLesserBoost * lesserBoosts);
}
