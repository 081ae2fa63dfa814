import { rawCoefficient } from '../../../game/coefficient.domain.ts';
import { type Decimals, roundTo } from '../../../platform/kit/values/rounding.ts';
import { calculateSetLine, calculateSetValue, type SetLine } from '../simulator/gem-lines.domain.ts';
import { CRITICAL_DAMAGE, LIGHT, MAX_HEALTH, MAX_HEALTH_PERCENT, PHYSICAL_DAMAGE } from '../simulator/gem-lookups.data.ts';
import { type BoostTotal, countFreeEmpowered, countFreeLesser, type LightSplit } from './builds-layouts.domain.ts';
import type { Build } from './builds-request.domain.ts';
import { type BuildTotals, buildTotals } from './builds-totals.domain.ts';

/** Rounded figures of a row; equal for all layouts of a boost total. */
export interface RowFigures {
  base_dmg: number;
  crit_dmg: number;
  light: number;
  bonus_dmg: number;
  crit_bonus: number;
  total_dmg: number;
  class_bonus: number | null;
  coefficient: number;
}

/** Figures of one build as functions of its boosts. */
export interface BuildFormula {
  /** Not rounded. */
  coefficient(split: LightSplit, empoweredDamage: number, lesserDamage: number): number;
  /** Rounded as in rows. */
  light(split: LightSplit): number;
  figures(total: BoostTotal): RowFigures;
  /** Decimals of the coefficient, by which rows are sorted. */
  decimals: Decimals;
}

interface SetLines {
  damage: SetLine;
  critical: SetLine;
}

const LIGHT_LINE = calculateSetLine(LIGHT, 'cosmic');
const DAMAGE_LINES: SetLines = { damage: calculateSetLine(PHYSICAL_DAMAGE, 'all'), critical: calculateSetLine(CRITICAL_DAMAGE, 'all') };
const HEALTH_LINES: SetLines = { damage: calculateSetLine(MAX_HEALTH, 'all'), critical: calculateSetLine(MAX_HEALTH_PERCENT, 'all') };

export function createBuildFormula(build: Build): BuildFormula {
  const totals = buildTotals(build);
  const lines = build.type === 'Health' ? HEALTH_LINES : DAMAGE_LINES;
  const decimalsOf = (decimals: Decimals): Decimals => (build.highPrecision ? 8 : decimals);

  const baseDamage = (empowered: number, lesser: number): number => totals.damage + calculateSetValue(lines.damage, empowered, lesser);
  const criticalDamage = (split: LightSplit, empowered: number, lesser: number): number => {
    return totals.critical + calculateSetValue(lines.critical, countFreeEmpowered(split) - empowered, countFreeLesser(split) - lesser);
  };
  const light = ({ empowered, lesser }: LightSplit): number => {
    const unscaled = totals.light + calculateSetValue(LIGHT_LINE, empowered, lesser);
    return roundTo((unscaled * totals.lightPercent) / 100, decimalsOf(2));
  };
  return {
    decimals: decimalsOf(2),
    light,
    coefficient: (split, empowered, lesser) =>
      coefficientOf(totalDamageOf(baseDamage(empowered, lesser), totals), criticalDamage(split, empowered, lesser), totals),
    figures: ({ split, empoweredDamage, lesserDamage }) => {
      const base = baseDamage(empoweredDamage, lesserDamage);
      const critical = criticalDamage(split, empoweredDamage, lesserDamage);
      const total = totalDamageOf(base, totals);
      return {
        base_dmg: roundTo(base, decimalsOf(2)),
        crit_dmg: roundTo(critical, decimalsOf(1)),
        light: light(split),
        bonus_dmg: roundTo(totals.damagePercent, 8),
        crit_bonus: roundTo(totals.criticalPercent - 100, 8),
        total_dmg: roundTo(total, decimalsOf(2)),
        class_bonus: totals.classBonus,
        coefficient: roundTo(coefficientOf(total, critical, totals), decimalsOf(2)),
      };
    },
  };
}

function totalDamageOf(baseDamage: number, { damagePercent, classBonus }: BuildTotals): number {
  const withPercent = baseDamage * (1 + damagePercent / 100);
  return classBonus === null ? withPercent : withPercent * (1 + classBonus / 100);
}

function coefficientOf(totalDamage: number, criticalDamage: number, { criticalPercent }: BuildTotals): number {
  return rawCoefficient(totalDamage, criticalDamage * (criticalPercent / 100));
}
