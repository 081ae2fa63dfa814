import type { CodexType } from '../../../src/areas/codexes/codex-types.data.ts';
import { happens, pick, type RandomSource, randomBelow } from '../../../src/platform/kit/random.ts';
import type { ModifierSpec, PrefabSpec } from './prefabs.ts';
import type { Naming } from './words.ts';

/** A planned entry that is not a recipe. */
export interface PlannedEntry {
  type: CodexType;
  /** Path below `prefabs/` without extension. */
  identifier: string;
  naming: Naming;
  prefab: PrefabSpec;
  /** Logical name of its model below `blueprints/`, or null. */
  model: string | null;
}

const FOLDERS: Readonly<Record<Exclude<CodexType, 'recipe'>, string>> = {
  fish: 'item/fish',
  memento: 'item/unlocker',
  ally: 'collections/pet',
  mount: 'collections/mount',
  dragon: 'collections/mount',
  badge: 'collections/badge',
  wings: 'collections/wings',
  aura: 'collections/aura',
  boat: 'collections/boat',
  sail: 'collections/sail',
  flask: 'collections/flask',
  tome: 'collections/tome',
  magrider: 'collections/magrider',
  fishingpole: 'collections/fishing',
  skin: 'skins',
  style: 'equipment',
  item: 'item/crafting',
};

const CATEGORIES: Partial<Record<CodexType, readonly string[]>> = {
  fish: ['Common Fish', 'Rare Fish', 'Legendary Fish'],
  memento: ['Mementos'],
  ally: ['Pets', 'Allies', 'Shadows'],
  badge: ['Badges', 'Profession Badges'],
  item: ['Materials', 'Currency', 'Consumables', 'Loot Boxes'],
  boat: ['Boats'],
  skin: ['Costumes'],
};

const AUTHORS = ['Kit', 'Mara', 'Oleander', 'Sam B, Jo', 'Team Nine'];
const STAT_LABELS: readonly { stat: number; label: string; operation: number; most: number }[] = [
  { stat: 0, label: 'physicaldamage', operation: 1, most: 900 },
  { stat: 1, label: 'spelldamage', operation: 1, most: 900 },
  { stat: 2, label: 'maxhealth', operation: 1, most: 5000 },
  { stat: 2, label: 'maxhealth', operation: 0, most: 1 },
  { stat: 7, label: 'criticalhitchance', operation: 1, most: 30 },
  { stat: 13, label: 'magicfind', operation: 1, most: 200 },
  { stat: 15, label: 'attackspeed', operation: 1, most: 12 },
  { stat: 21, label: 'xp', operation: 4, most: 2 },
  { stat: 39, label: 'light', operation: 1, most: 60 },
  { stat: 25, label: 'powerrank', operation: 1, most: 150 },
];
const RANK_TIERS = [600, 620, 800, 802, 804] as const;
const VISIBLE = ['burst', 'shield', 'dash', 'heal', 'spark', 'beam', 'howl', 'bloom'] as const;
const BONUS_TYPES: ReadonlySet<CodexType> = new Set([
  'ally',
  'mount',
  'dragon',
  'badge',
  'wings',
  'aura',
  'boat',
  'sail',
  'flask',
  'tome',
  'magrider',
  'fishingpole',
  'skin',
]);

/** Abilities that prefabs of the world reference, with their text keys. */
export const WORLD_ABILITIES = VISIBLE.map((name) => ({
  ref: `abilities/collectible/${name}`,
  key: `$abilities_collectible_${name}`,
  title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
}));

export const HIDDEN_ABILITY = 'abilities/flask/flask_auto_use_basic';

export function textKey(identifier: string): string {
  return `$prefabs_${identifier.replaceAll('/', '_')}_item`;
}

/** Plans an entry of a type, with a random selection of the type's optional fields. */
export function planEntry(type: Exclude<CodexType, 'recipe'>, naming: Naming, random: RandomSource): PlannedEntry {
  const stem = type === 'style' ? `${pick(random, STYLE_PREFIXES)}_${naming.stem}` : naming.stem;
  const folder = type === 'item' && happens(random, 0.1) ? 'item/currency' : FOLDERS[type];
  const identifier = `${folder}/${stem}`;
  const model = type === 'style' || happens(random, 0.9) ? modelName(type, stem, random) : null;
  return { type, identifier, naming, model, prefab: planPrefab(type, identifier, model, random) };
}

export const STYLE_PREFIXES = ['hat', 'face', 'sword', 'bow', 'staff', 'banner'] as const;

function modelName(type: CodexType, stem: string, random: RandomSource): string {
  const authors = happens(random, 0.6) ? `[${pick(random, AUTHORS)}]` : '';
  return type === 'style' ? `${stem}.blueprint` : `${type}_${stem}${authors}.blueprint`;
}

const EMPTY_MODEL = '_empty.blueprint';

/** Model without voxels, which mounts of the game name before their own. */
export function emptyModel(identifier: string): string {
  return identifier.replaceAll('/', '_') + EMPTY_MODEL;
}

export function isEmptyModel(name: string): boolean {
  return name.endsWith(EMPTY_MODEL);
}

function planPrefab(type: CodexType, identifier: string, model: string | null, random: RandomSource): PrefabSpec {
  const isPlain = type === 'style';
  const categories = CATEGORIES[type];
  const common: PrefabSpec = {
    ...(isPlain ? {} : { nameKey: `${textKey(identifier)}_name`, descriptionKey: `${textKey(identifier)}_description` }),
    ...(categories === undefined ? {} : { category: pick(random, categories) }),
    ...(happens(random, 0.3) ? {} : { tradable: happens(random, 0.6) }),
    ...(model === null || type === 'skin' ? {} : { models: type === 'mount' ? [emptyModel(identifier), model] : [model] }),
  };
  return BONUS_TYPES.has(type) ? { ...common, ...planBonuses(type, random) } : common;
}

function planBonuses(type: CodexType, random: RandomSource): PrefabSpec {
  const isMount = type === 'mount' || type === 'dragon';
  const blocks = [
    { kind: 0, modifiers: [{ stat: 8, operation: 2, amount: 80 + randomBelow(random, 60), label: 'ground_movespeed' }] },
    { kind: 2, modifiers: [{ stat: 26, operation: 1, amount: 10 + randomBelow(random, 40), label: 'glide_movespeed' }] },
    { kind: 3, modifiers: [{ stat: 19, operation: 1, amount: 1 + randomBelow(random, 9), label: 'boat_acceleration' }] },
  ];
  const abilities = [...(happens(random, 0.25) ? [pick(random, WORLD_ABILITIES).ref] : []), ...(type === 'flask' ? [HIDDEN_ABILITY] : [])];
  return {
    ...(happens(random, 0.7) ? { modifiers: planModifiers(random) } : {}),
    ...(isMount ? { blocks: blocks.slice(0, 1 + randomBelow(random, blocks.length)) } : {}),
    ...(abilities.length === 0 ? {} : { abilities }),
    ...(happens(random, 0.5) ? { powerRankTier: pick(random, RANK_TIERS) } : {}),
  };
}

function planModifiers(random: RandomSource): ModifierSpec[] {
  return Array.from({ length: 1 + randomBelow(random, 3) }, () => {
    const { stat, label, operation, most } = pick(random, STAT_LABELS);
    const amount = operation === 1 ? 1 + randomBelow(random, most) : (1 + randomBelow(random, 100 * most)) / 100;
    return { stat, operation, amount, label };
  });
}
