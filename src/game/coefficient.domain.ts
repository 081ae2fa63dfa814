import { checkNumber, InputError } from '../platform/kit/errors/input-error.ts';
import { roundTo } from '../platform/kit/values/numbers.ts';

export const COEFFICIENT_FORMULA = 'floor(max(physical_damage, magic_damage) * (1 + critical_damage / 100))';

/** Damage in display units, Critical Damage in percent. Null counts as absent. */
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

/** Damage of a critical hit, unrounded. `criticalDamage`: percent. */
export function rawCoefficient(damage: number, criticalDamage: number): number {
  return damage * (1 + criticalDamage / 100);
}

/** Uses the larger damage; physical if both are equal. Rounds to six decimals before the floor: 200 x 1.15 is 229.99... in binary. */
export function coefficientOf(input: CoefficientInput): Coefficient {
  const physical = optionalNumber(input.physical_damage, 'physical_damage');
  const magic = optionalNumber(input.magic_damage, 'magic_damage');
  const critical = optionalNumber(input.critical_damage, 'critical_damage');
  if (critical === null) throw new InputError('refused', ['critical_damage'], 'is required');
  if (physical === null && magic === null)
    throw new InputError('refused', ['physical_damage'], 'physical_damage or magic_damage is required');

  const usesMagic = physical === null || (magic !== null && magic > physical);
  const damage = (usesMagic ? magic : physical) ?? 0;
  const coefficient = Math.floor(roundTo(rawCoefficient(damage, critical), 6));
  if (coefficient > Number.MAX_SAFE_INTEGER) throw new InputError('invalid', ['critical_damage'], 'makes the coefficient too large');
  return { coefficient, damage_used: usesMagic ? 'magic' : 'physical', formula: COEFFICIENT_FORMULA };
}

function optionalNumber(value: number | null | undefined, field: string): number | null {
  return value === null || value === undefined ? null : checkNumber(value, [field], 0, Number.MAX_VALUE);
}
