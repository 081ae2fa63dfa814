import { checkNumber, InputError } from '../platform/errors/input-error.ts';
import { roundTo } from '../platform/values/rounding.ts';

export const COEFFICIENT_FORMULA = 'floor(max(physical_damage, magic_damage) * (1 + critical_damage / 100))';

/** Damage in display units, Critical Damage in percent; absent and null both mean not given. */
export interface CoefficientInput {
  physical_damage?: number | null | undefined;
  magic_damage?: number | null | undefined;
  critical_damage?: number | null | undefined;
}

export interface Coefficient {
  coefficient: number;
  damage_used: 'physical' | 'magic';
  formula: typeof COEFFICIENT_FORMULA;
}

/** Damage of a critical hit, unrounded: damage times one plus Critical Damage in percent. */
export function rawCoefficient(damage: number, criticalDamage: number): number {
  return damage * (1 + criticalDamage / 100);
}

/** The larger damage counts, physical when equal. Six decimals are kept before cutting: 200 x 1.15 floats to 229.99... and is 230. */
export function coefficientOf(input: CoefficientInput): Coefficient {
  const physical = optionalFigure(input.physical_damage, 'physical_damage');
  const magic = optionalFigure(input.magic_damage, 'magic_damage');
  const critical = optionalFigure(input.critical_damage, 'critical_damage');
  if (critical === null) throw new InputError('refused', ['critical_damage'], 'is required');
  if (physical === null && magic === null) throw new InputError('refused', ['physical_damage'], 'a damage stat is required');

  const usesMagic = physical === null || (magic !== null && magic > physical);
  const damage = (usesMagic ? magic : physical) ?? 0;
  const coefficient = Math.floor(roundTo(rawCoefficient(damage, critical), 6));
  if (coefficient > Number.MAX_SAFE_INTEGER) throw new InputError('invalid', ['critical_damage'], 'the coefficient is too large to state');
  return { coefficient, damage_used: usesMagic ? 'magic' : 'physical', formula: COEFFICIENT_FORMULA };
}

function optionalFigure(value: number | null | undefined, field: string): number | null {
  return value === null || value === undefined ? null : checkNumber(value, [field], 0, Number.MAX_VALUE);
}
