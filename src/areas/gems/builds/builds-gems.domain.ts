import {
  CRITICAL_DAMAGE,
  EMPOWERED,
  LESSER,
  LIGHT,
  MAGIC_DAMAGE,
  MAX_HEALTH,
  MAX_HEALTH_PERCENT,
  PHYSICAL_DAMAGE,
  type RollStatId,
  STATS,
} from '../gem.data.ts';
import { GEM_SET } from './builds.data.ts';
import { calculateGemLine } from './builds-formula.domain.ts';
import type { Boosts } from './builds-layouts.domain.ts';
import type { BuildType } from './builds-request.domain.ts';

/** A line of a gem of a layout. */
export interface LayoutGemLine {
  stat: string;
  boosts: number;
  /** Value that the maxed gem shows, without the multiplier of the set. */
  value: number;
}

export interface LayoutGem {
  kind: 'Empowered' | 'Lesser';
  isCosmic: boolean;
  lines: LayoutGemLine[];
  /** Number of gems of the set with these lines. */
  count: number;
}

/** The gems of a layout. The third line of an elemental gem is free, so it is omitted; gems with the same boosts are one entry. */
export function listLayoutGems(boosts: Boosts, type: BuildType, damageType: 'Physical' | 'Magic'): LayoutGem[] {
  const damage = damageType === 'Magic' ? MAGIC_DAMAGE : PHYSICAL_DAMAGE;
  const pair: RollStatId[] = type === 'Health' ? [MAX_HEALTH, MAX_HEALTH_PERCENT] : [damage, CRITICAL_DAMAGE];
  return [
    ...gemsOf('Empowered', false, pair, boosts.empowered),
    ...gemsOf('Empowered', true, [...pair, LIGHT], boosts.cosmic_empowered),
    ...gemsOf('Lesser', false, pair, boosts.lesser),
    ...gemsOf('Lesser', true, [...pair, LIGHT], boosts.cosmic_lesser),
  ];
}

/** Distributes the boosts of a group stat by stat: as many gems as possible have all their boosts on one stat. */
function gemsOf(kind: LayoutGem['kind'], isCosmic: boolean, stats: readonly RollStatId[], boosts: readonly number[]): LayoutGem[] {
  const type = kind === 'Empowered' ? EMPOWERED : LESSER;
  const slots = boosts.flatMap((count, index) => Array.from({ length: count }, () => index));
  const gems: LayoutGem[] = [];
  for (let start = 0; start < slots.length; start += GEM_SET.boostsPerGem) {
    const own = slots.slice(start, start + GEM_SET.boostsPerGem);
    const lines = stats.map((stat, index) => {
      const count = own.filter((slot) => slot === index).length;
      const { base, perBoost } = calculateGemLine(type, stat);
      return { stat: STATS[stat], boosts: count, value: base + perBoost * count };
    });
    const previous = gems.at(-1);
    if (previous?.lines.every((line, index) => line.boosts === lines[index]?.boosts)) previous.count += 1;
    else gems.push({ kind, isCosmic, lines, count: 1 });
  }
  return gems;
}
