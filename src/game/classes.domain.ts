import { namedValues } from '../platform/kit/values/named-values.ts';
import {
  CLASS_BONUSES,
  CLASS_SHEETS,
  CLASS_STATS,
  type ClassSheet,
  type DamageType,
  SUBCLASS_LEVELS,
  SUBCLASS_POWER_RANKS,
  type Weapon,
} from './classes.data.ts';

export interface ClassStat {
  name: string;
  value: number | null;
  percentage: boolean;
  /** True: the value replaces the stat instead of adding to it. */
  absolute: boolean;
}

export interface ClassBonus extends ClassStat {
  value: number;
}

export interface ClassAbility {
  name: string;
  /** File below `prefabs/`, without the extension; null for an ability that is maintained manually. */
  prefab: string | null;
  icon: string;
  type: string;
  active: boolean;
  /** `base` is flat damage, `multiplier` a share of the damage stat. */
  stages: { name: string; base: number; multiplier: number }[];
}

/** A playable class, in the form of the API. */
export interface GameClass {
  tech_name: string;
  name: string;
  shorts: readonly string[];
  damage_type: DamageType;
  weapons: readonly Weapon[];
  attributes: readonly string[];
  stats: ClassStat[];
  bonuses: ClassBonus[];
  subclass: {
    name: string;
    description: string;
    /** By subclass level. */
    level: Record<string, ClassBonus[]>;
    /** Effect text by subclass power rank. */
    power: Record<string, string>;
  };
  abilities: ClassAbility[];
}

/** All classes, by display name. */
export const CLASSES: readonly GameClass[] = CLASS_SHEETS.map(toGameClass);
export const CLASS_NAMES: readonly string[] = namedValues(
  'ClassName',
  'Display name of a class.',
  CLASSES.map(({ name }) => name),
);
export const CLASS_TECH_NAMES: readonly string[] = namedValues(
  'ClassTechName',
  'Technical name of a class.',
  CLASSES.map(({ tech_name: name }) => name),
);

const BY_TECH_NAME = new Map(CLASSES.map((entry) => [entry.tech_name, entry]));
const BY_NAME = new Map(CLASSES.map((entry) => [entry.name, entry]));

/** The class with this technical name, case-sensitive. */
export function classByTechName(techName: string): GameClass | undefined {
  return BY_TECH_NAME.get(techName);
}

/** The class with this display name, case-sensitive. */
export function classByName(name: string): GameClass | undefined {
  return BY_NAME.get(name);
}

/** Value of a class stat; 0 if the class does not have the stat. */
export function classStat(entry: GameClass, name: string): number {
  return entry.stats.find((stat) => stat.name === name)?.value ?? 0;
}

/** Bonus of a class to a stat in percent; 0 without a bonus. */
export function classBonus(entry: GameClass, name: string): number {
  return entry.bonuses.find((bonus) => bonus.name === name)?.value ?? 0;
}

function toGameClass(sheet: ClassSheet): GameClass {
  const { techName, name, shorts, damageType, weapons, attributes, subclass } = sheet;
  return {
    tech_name: techName,
    name,
    shorts,
    damage_type: damageType,
    weapons,
    attributes,
    stats: CLASS_STATS.map(([stat, percentage], column) => ({
      name: stat,
      value: sheet.stats[column] ?? null,
      percentage,
      absolute: false,
    })),
    bonuses: CLASS_BONUSES.map((bonus, column) => ({ name: bonus, value: sheet.bonuses[column] ?? 0, percentage: true, absolute: false })),
    subclass: {
      name: subclass.name,
      description: subclass.description,
      level: Object.fromEntries(SUBCLASS_LEVELS.map((level, index) => [level, [toSubclassBonus(subclass.level, index)]])),
      power: Object.fromEntries(SUBCLASS_POWER_RANKS.map((rank, index) => [rank, toPowerText(subclass.power, index)])),
    },
    abilities: sheet.abilities.map(({ name: ability, prefab = null, icon = '', type = '', active = true, stages = [] }) => ({
      name: ability,
      prefab,
      icon,
      type,
      active,
      stages: stages.map(([stage, base, multiplier]) => ({ name: stage, base, multiplier })),
    })),
  };
}

function toSubclassBonus({ stat, percentage, absolute = false, values }: ClassSheet['subclass']['level'], index: number): ClassBonus {
  return { name: stat, value: values[index] ?? 0, percentage, absolute };
}

/** Replaces each `#` of the text with its value. */
function toPowerText({ text, figures }: ClassSheet['subclass']['power'], index: number): string {
  let next = 0;
  return text.replaceAll('#', () => String(figures[next++]?.[index]));
}
