import { rawCoefficient } from '../../../game/coefficient.domain.ts';
import { CRITICAL_DAMAGE, EMPOWERED, LESSER, MAGIC_DAMAGE, PHYSICAL_DAMAGE, STATS, type TypeId } from '../gem.data.ts';
import { DAMAGE_SOURCES, GEM_SET } from './builds.data.ts';
import { calculateGemLine } from './builds-formula.domain.ts';

/** Figures of a stat sheet: damage with all percentages, Critical Damage in percent. */
export interface SheetDamage {
  damageType: 'Physical' | 'Magic';
  damage: number;
  criticalDamage: number;
}

/** What one more boost of a gem adds to the coefficient of a sheet. */
export interface SheetBoost {
  kind: 'Empowered' | 'Lesser';
  stat: string;
  /** What the boost adds to the stat on the sheet. */
  adds: number;
  /** What the coefficient gains, not rounded. */
  gain: number;
}

/**
 * The boosts of a perfect gem of the highest tier, by what each would add to the coefficient. Damage of gems is raised by the bonus that
 * every fully equipped character has; other bonuses of the character are not on a sheet.
 */
export function rankSheetBoosts({ damageType, damage, criticalDamage }: SheetDamage): SheetBoost[] {
  const damageStat = damageType === 'Magic' ? MAGIC_DAMAGE : PHYSICAL_DAMAGE;
  const before = rawCoefficient(damage, criticalDamage);
  const perBoost = (type: TypeId, stat: typeof damageStat | typeof CRITICAL_DAMAGE) =>
    calculateGemLine(type, stat).perBoost * GEM_SET.multiplier;
  const kinds = [
    ['Empowered', EMPOWERED],
    ['Lesser', LESSER],
  ] as const;
  return kinds
    .flatMap(([kind, type]): SheetBoost[] => {
      const ofDamage = perBoost(type, damageStat) * (1 + DAMAGE_SOURCES.damagePercent / 100);
      const ofCritical = perBoost(type, CRITICAL_DAMAGE);
      return [
        { kind, stat: STATS[damageStat], adds: ofDamage, gain: rawCoefficient(damage + ofDamage, criticalDamage) - before },
        { kind, stat: STATS[CRITICAL_DAMAGE], adds: ofCritical, gain: rawCoefficient(damage, criticalDamage + ofCritical) - before },
      ];
    })
    .sort((one, other) => other.gain - one.gain);
}
