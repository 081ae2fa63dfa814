import { GEM_SET } from '../builds/builds.data.ts';
import { rollOf, stepsAt } from './gem-figures.domain.ts';
import { COSMIC, EMPOWERED, LESSER, type RollStatId, TIERS, type TypeId } from './gem-lookups.data.ts';

/** A stat of a maxed top-tier gem: base value, and the gain per boost. */
export interface GemLine {
  base: number;
  perBoost: number;
}

/** One stat over a whole set, before the set's multiplier: without boosts, and per boost on either kind of gem. */
export interface SetLine {
  base: number;
  perEmpoweredBoost: number;
  perLesserBoost: number;
}

const TOP_TIER = 4;

export function gemLine(type: TypeId, stat: RollStatId): GemLine {
  const roll = rollOf(TOP_TIER, type, COSMIC, stat);
  if (roll === null) throw new RangeError(`stat ${stat} has no figures`);
  const [, max, step] = roll;
  return { base: max + stepsAt(TOP_TIER, TIERS[TOP_TIER].maxLevel) * step, perBoost: max };
}

/** A stat that every gem of the set carries, or its Cosmic gems only. */
export function setLine(stat: RollStatId, gems: 'all' | 'cosmic'): SetLine {
  const empowered = gemLine(EMPOWERED, stat);
  const lesser = gemLine(LESSER, stat);
  const empoweredGems = GEM_SET.empowered.cosmic + (gems === 'all' ? GEM_SET.empowered.elemental : 0);
  const lesserGems = GEM_SET.lesser.cosmic + (gems === 'all' ? GEM_SET.lesser.elemental : 0);
  return {
    base: empoweredGems * empowered.base + lesserGems * lesser.base,
    perEmpoweredBoost: empowered.perBoost,
    perLesserBoost: lesser.perBoost,
  };
}

/** Total of a stat over a set for a number of boosts. The sum is exact in binary; only the multiplier rounds. */
export function setValue(line: SetLine, empoweredBoosts: number, lesserBoosts: number): number {
  return GEM_SET.multiplier * (line.base + line.perEmpoweredBoost * empoweredBoosts + line.perLesserBoost * lesserBoosts);
}
