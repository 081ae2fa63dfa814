import type { ClassLevelStat } from '../../../game/class-figures.ts';
import { type BinFile, type BinValue, fieldOf, itemsOf, leafSection, numberOf } from '../format/binfab.domain.ts';
import { OPERATIONS, type Operation, STATS } from './codex-stats.data.ts';

/** A change of a stat that a class gains at a level, in display units. */
export interface ClassModifier {
  /** Name of the stat in class tables. */
  name: string;
  operation: Operation;
  value: number;
  percentage: boolean;
}

/** Changes by level, from 1 (the modifiers of the class itself) to 30. */
export type ClassLevels = ReadonlyMap<number, readonly ClassModifier[]>;

/** Field of the levels in a class, and of the modifiers in a level. */
const LEVELS_FIELD = 7;
const MODIFIERS_FIELD = 2;
export const MAX_CLASS_LEVEL = 30;

/** Names in class tables that differ from those of items. */
const CLASS_NAMES: Readonly<Record<string, string>> = { $Stat_MaxEnergy: 'Energy' };
const PERCENTAGES: ReadonlySet<string> = new Set([
  '$Stat_AttackSpeed',
  '$Stat_CriticalHitChance',
  '$Stat_CriticalHitDamage',
  '$Stat_JumpSpeedMultiplier',
]);
/** Factor from the file to the displayed figure; 1 for other stats. */
const SCALES: Readonly<Record<string, number>> = { $Stat_CriticalHitChance: 0.1, $Stat_JumpSpeedMultiplier: 100 };
/** Decimals of a figure: the file has 32-bit floats. */
const DECIMALS = 4;

/** Reads what a class gains at each level from its file below `prefabs/class`. Null unless the file has a modifier list for each level. */
export function parseClassLevels(file: BinFile | null): ClassLevels | null {
  if (file?.kind !== 'object') return null;
  const map = fieldOf(leafSection(file.object), LEVELS_FIELD);
  if (map?.kind !== 'map' || map.keys !== 'int') return null;
  const levels = new Map<number, ClassModifier[]>();
  for (const { key, value } of map.entries) {
    if (value === null) continue;
    const modifiers = value.kind === 'object' && typeof key === 'number' ? modifiersOf(fieldOf(leafSection(value), MODIFIERS_FIELD)) : null;
    if (modifiers === null) return null;
    levels.set(Number(key), modifiers);
  }
  const hasAll = Array.from({ length: MAX_CLASS_LEVEL }, (_, index) => index + 1).every((level) => levels.has(level));
  return hasAll && levels.size === MAX_CLASS_LEVEL ? levels : null;
}

/** Null if a modifier cannot be read: a sum without it would be wrong. */
function modifiersOf(list: BinValue | null): ClassModifier[] | null {
  if (list?.kind !== 'array') return null;
  const modifiers = itemsOf(list).map(toModifier);
  return modifiers.includes(null) ? null : (modifiers as ClassModifier[]);
}

/** Reads a change of a stat. Null for any other value. */
export function toModifier(item: BinValue): ClassModifier | null {
  if (item.kind !== 'object') return null;
  const section = leafSection(item);
  const stat = STATS.find(({ id }) => id === numberOf(fieldOf(section, 0)));
  const operation = OPERATIONS[numberOf(fieldOf(section, 1)) ?? -1];
  const amount = fieldOf(section, 2);
  if (!stat || operation === undefined || amount?.kind !== 'float') return null;
  const name = CLASS_NAMES[stat.key] ?? stat.label ?? stat.key;
  if (operation === 'MultiplySum') return { name: `${name} %`, operation, value: round(amount.value * 100), percentage: true };
  const isFactor = operation === 'Multiply';
  return {
    name,
    operation,
    value: round(isFactor ? amount.value : amount.value * (SCALES[stat.key] ?? 1)),
    percentage: PERCENTAGES.has(stat.key),
  };
}

function round(value: number): number {
  return Number(value.toFixed(DECIMALS));
}

/** A change of a stat in the form of the API. */
export function toLevelStat({ name, operation, value, percentage }: ClassModifier): ClassLevelStat {
  if (operation === 'Nullify' || (operation === 'Multiply' && value === 0)) return { name, value: null, percentage, absolute: false };
  // A factor is shown as the bonus of the class.
  if (operation === 'Multiply') return { name, value: round((value - 1) * 100), percentage: true, absolute: false };
  return { name, value, percentage, absolute: operation === 'Set' };
}

/** The sheet of every class before its first level: it is in no file. */
export const START_SHEET: Readonly<Record<string, number>> = {
  'Physical Damage': 100,
  'Magic Damage': 100,
  'Maximum Health': 150,
  'Maximum Health %': 0,
  Energy: 100,
  'Health Regen': 25,
  'Energy Regen': 100,
  'Movement Speed': 40,
  'Attack Speed': 100,
  Jump: 3,
  'Critical Hit': 2,
  'Critical Damage': 50,
  Light: 0,
};

/** Stats and bonuses of a class at its last level; null for a stat that it does not have. */
export interface ClassTotals {
  stats: ReadonlyMap<string, number | null>;
  /** Percent, of stats that the class multiplies. */
  bonuses: ReadonlyMap<string, number>;
}

/** Sums the start sheet and all levels. */
export function sumClassLevels(levels: ClassLevels): ClassTotals {
  const stats = new Map<string, number | null>(Object.entries(START_SHEET));
  const bonuses = new Map<string, number>();
  for (const modifiers of levels.values()) {
    for (const { name, operation, value } of modifiers) {
      const known = stats.get(name);
      if (operation === 'Set') stats.set(name, value);
      else if (operation === 'Nullify' || (operation === 'Multiply' && value === 0)) stats.set(name, null);
      else if (operation === 'Multiply') bonuses.set(name, round((value - 1) * 100));
      else if (known !== null) stats.set(name, round((known ?? 0) + value));
    }
  }
  return { stats, bonuses };
}
