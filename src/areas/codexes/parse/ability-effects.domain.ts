import type { AbilityEffect, AbilityHealing, AbilityHit } from '../../../game/class-figures.ts';
import type { ClassAbility } from '../../../game/classes.domain.ts';
import { type BinFile, type BinSection, type BinValue, fieldOf, itemsOf, objectsOf, textsIn, valuesIn } from '../format/binfab.domain.ts';
import { type ClassModifier, toLevelStat, toModifier } from './class-levels.domain.ts';

/** A prefab that belongs to an ability, below `prefabs/` and without `.binfab`. */
export interface AbilityPrefab {
  prefab: string;
  file: BinFile;
}

/** Fields of a record of healing. Versions up to November 2026 have no field for a fixed amount of health. */
const HEALING = { maxHealth: 1, energy: 2, maxEnergy: 3, texts: [5, 6], health: 7, last: 8 } as const;
/** Fields of a record of damage; `known` are those by which it is recognized. */
const DAMAGE = { maxHealth: 5, multiplier: 12, critChance: 28, known: [4, 9, 12, 14, 28] } as const;
/** Field of the duration in the first section of an effect. */
const DURATION_FIELD = 4;
const PERCENT = 100;
const DECIMALS = 4;

const ABILITY_PREFAB = /^abilities\/[^/]+\/[^.]+$/;

/** Prefabs of abilities that a file names, each once. */
export function namedAbilityPrefabs(file: BinFile): string[] {
  return [...new Set(textsIn(file).filter((text) => ABILITY_PREFAB.test(text)))];
}

/** Reads the healing of prefabs: every record that heals something, equal ones of a prefab once. */
export function parseHealing(prefabs: readonly AbilityPrefab[]): AbilityHealing[] {
  return prefabs.flatMap(({ prefab, file }) => {
    const found = sectionsIn(file).flatMap((section): AbilityHealing[] => {
      const [maxHealth, maxEnergy] = [fieldOf(section, HEALING.maxHealth), fieldOf(section, HEALING.maxEnergy)];
      const isHealing =
        maxHealth?.kind === 'float' &&
        maxEnergy?.kind === 'float' &&
        HEALING.texts.every((index) => fieldOf(section, index)?.kind === 'text') &&
        section.every(({ index }) => index <= HEALING.last);
      if (!isHealing) return [];
      const healing = {
        prefab,
        health: amountOf(fieldOf(section, HEALING.health)),
        max_health_percent: toPercent(maxHealth.value),
        energy: amountOf(fieldOf(section, HEALING.energy)),
        max_energy_percent: toPercent(maxEnergy.value),
      };
      return healing.health || healing.max_health_percent || healing.energy || healing.max_energy_percent ? [healing] : [];
    });
    return [...new Map(found.map((healing) => [JSON.stringify(healing), healing])).values()];
  });
}

/** Reads the effects of prefabs that change stats. An effect with a stat that cannot be read is left out: its list would be wrong. */
export function parseEffects(prefabs: readonly AbilityPrefab[]): AbilityEffect[] {
  return prefabs.flatMap(({ prefab, file }) => {
    if (file.kind !== 'entity') return [];
    return file.components.flatMap(({ object }): AbilityEffect[] => {
      const duration = fieldOf(object?.sections[0] ?? [], DURATION_FIELD);
      if (object === null || duration?.kind !== 'float') return [];
      const modifiers = modifiersIn(object);
      if (modifiers.length === 0 || modifiers.includes(null)) return [];
      const stats = (modifiers as ClassModifier[]).map(toLevelStat);
      return [{ prefab, duration: duration.value > 0 ? rounded(duration.value) : null, stats }];
    });
  });
}

/**
 * Finds the files of the hits of an ability: the names of hits are the names of their files in words. The figures of a file count
 * only if its multiplier is that of the table: another one belongs to another version of the game.
 */
export function parseHits(stages: ClassAbility['stages'], prefabs: readonly AbilityPrefab[]): (AbilityHit | null)[] {
  return stages.map(({ name, multiplier }) => {
    const [found, second] = prefabs.filter(({ prefab }) => wordsOf(prefab) === name);
    if (!found || second) return null;
    const record = sectionsIn(found.file).find((section) => {
      const value = fieldOf(section, DAMAGE.multiplier);
      return DAMAGE.known.every((index) => fieldOf(section, index)) && value?.kind === 'float' && rounded(value.value) === multiplier;
    });
    if (!record) return { prefab: found.prefab };
    return {
      prefab: found.prefab,
      max_health_percent: toPercent(amountOf(fieldOf(record, DAMAGE.maxHealth))),
      crit_chance_bonus: toPercent(amountOf(fieldOf(record, DAMAGE.critChance))),
    };
  });
}

/** `abilities/bard/epic_riff_buff` is `Epic Riff Buff`. */
function wordsOf(prefab: string): string {
  const name = prefab.slice(prefab.lastIndexOf('/') + 1);
  return name.replaceAll('_', ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** Lists of modifiers inside a value, as one list; null stands for a modifier that cannot be read. */
function modifiersIn(value: BinValue): (ClassModifier | null)[] {
  const items = itemsOf(value);
  if (items.length > 0 && items.every(isModifier)) return items.map(toModifier);
  return valuesIn(value).flatMap(modifiersIn);
}

/** Stat and operation as numbers, the amount as a float, then the name of the source. */
function isModifier(item: BinValue): boolean {
  if (item.kind !== 'object' || item.sections.length !== 1) return false;
  const section = item.sections[0] ?? [];
  return fieldOf(section, 2)?.kind === 'float' && fieldOf(section, 3)?.kind === 'text' && fieldOf(section, 4)?.kind === 'fixed';
}

/** Sections of all objects of a file, at any depth, in the order of the file. */
function sectionsIn(file: BinFile): BinSection[] {
  return objectsOf(file).flatMap(sectionsInside);
}

function sectionsInside(value: BinValue): BinSection[] {
  return [...(value.kind === 'object' ? value.sections : []), ...valuesIn(value).flatMap(sectionsInside)];
}

/** 0 for a missing field. */
function amountOf(value: BinValue | null): number {
  if (value?.kind === 'float') return rounded(value.value);
  return value?.kind === 'signed' || value?.kind === 'unsigned' ? Number(value.value) : 0;
}

const rounded = (value: number) => Number(value.toFixed(DECIMALS));
const toPercent = (share: number) => Number((share * PERCENT).toFixed(DECIMALS - 2));
