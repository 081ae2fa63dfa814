import { checkNumber, InputError } from '../platform/kit/errors/input-error.ts';

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

/**
 * Uses the larger damage; physical if both are equal. Computes with the decimals of the inputs, at most six: in binary 200 x 1.15 is
 * 229.99..., and 75,000,000 x 63.454 is off by a millionth.
 */
export function coefficientOf(input: CoefficientInput): Coefficient {
  const physical = optionalNumber(input.physical_damage, 'physical_damage');
  const magic = optionalNumber(input.magic_damage, 'magic_damage');
  const critical = optionalNumber(input.critical_damage, 'critical_damage');
  if (critical === null) throw new InputError('refused', ['critical_damage'], 'is required');
  if (physical === null && magic === null)
    throw new InputError('refused', ['physical_damage'], 'physical_damage or magic_damage is required');

  const usesMagic = physical === null || (magic !== null && magic > physical);
  const damage = (usesMagic ? magic : physical) ?? 0;
  const raw = rawCoefficient(damage, critical);
  const coefficient = critical < EXPONENT_FROM && damage < EXPONENT_FROM ? exactFloor(damage, critical) : Math.floor(raw);
  if (!(coefficient <= Number.MAX_SAFE_INTEGER)) throw new InputError('invalid', ['critical_damage'], 'makes the coefficient too large');
  return { coefficient, damage_used: usesMagic ? 'magic' : 'physical', formula: COEFFICIENT_FORMULA };
}

/** Numbers from here on are written with an exponent. */
const EXPONENT_FROM = 1e21;
const DECIMALS = 6;

/** floor(damage x (1 + criticalDamage / 100)), both taken to six decimals. */
function exactFloor(damage: number, criticalDamage: number): number {
  const scaled = (value: number) => BigInt(value.toFixed(DECIMALS).replace('.', ''));
  const one = 10n ** BigInt(DECIMALS);
  return Number((scaled(damage) * (100n * one + scaled(criticalDamage))) / (100n * one * one));
}

function optionalNumber(value: number | null | undefined, field: string): number | null {
  return value === null || value === undefined ? null : checkNumber(value, [field], 0, Number.MAX_VALUE);
}
