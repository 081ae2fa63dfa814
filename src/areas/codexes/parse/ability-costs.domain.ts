import type { AbilityFigures } from '../../../game/class-figures.ts';
import { type BinFile, type BinValue, fieldOf, numberOf } from '../format/binfab.domain.ts';

/** Fields of energy and cooldown by component of an ability, in the second section of the component; null for a component without one. */
const COST_FIELDS: ReadonlyMap<number, readonly [energy: number | null, cooldown: number | null]> = new Map([
  [54, [5, 23]],
  [57, [11, 16]],
  [60, [5, 24]],
  [62, [4, null]],
  [69, [8, null]],
  [93, [3, 19]],
  [100, [8, 16]],
  [135, [null, 3]],
  [153, [11, null]],
  [162, [null, 1]],
  [178, [11, null]],
  [194, [23, 17]],
  [204, [6, null]],
  [232, [null, 2]],
  [291, [6, 4]],
  [380, [11, 16]],
  [382, [3, 19]],
  [437, [8, null]],
  [1008, [3, 19]],
  [1020, [11, 16]],
]);

/** Section of the class that all abilities with a component have in common, after that of the root class. */
const COST_SECTION = 1;
/** Larger figures are not a cost: the fields of the component are others in this version of the game. */
const MAX_COST = 100_000;

/** Energy, and the cooldown in seconds. */
type AbilityCost = Pick<AbilityFigures, 'energy' | 'cooldown'>;

/** Reads energy and cooldown of an ability. A missing field is 0; of several components the first tells. */
export function parseAbilityCost(file: BinFile | null): AbilityCost {
  const cost: AbilityCost = {};
  for (const { id, object } of file?.kind === 'entity' ? file.components : []) {
    const [energyField = null, cooldownField = null] = COST_FIELDS.get(id) ?? [];
    const section = object?.sections[COST_SECTION];
    if (!section) continue;
    const energy = energyField === null ? null : amountOf(fieldOf(section, energyField));
    const cooldown = cooldownField === null ? null : amountOf(fieldOf(section, cooldownField));
    if (energy !== null) cost.energy ??= energy;
    if (cooldown !== null) cost.cooldown ??= cooldown;
  }
  return cost;
}

/** 0 for a missing field; null for a value that is not an amount. */
function amountOf(value: BinValue | null): number | null {
  if (value === null) return 0;
  const amount = value.kind === 'float' ? value.value : value.kind === 'fixed' ? doubleOf(value.value) : numberOf(value);
  if (amount === null || !(amount >= 0 && amount <= MAX_COST)) return null;
  return Number(amount.toFixed(4));
}

function doubleOf(bits: bigint): number {
  return new Float64Array(BigUint64Array.of(BigInt.asUintN(64, bits)).buffer)[0] ?? Number.NaN;
}
