import type { Entry } from '../../../src/areas/codexes/codex.domain.ts';
import type { DerivedEntry } from '../../../src/areas/codexes/derive/derive-entry.domain.ts';

/** Paths of the entries, by their name in tests. */
export const PATHS = {
  ant: 'prefabs/collections/mount/ant.binfab',
  cat: 'prefabs/collections/mount/Cat.binfab',
  lion: 'prefabs/collections/mount/lion.binfab',
  pup: 'prefabs/collections/pet/pup.binfab',
  ore: 'prefabs/item/crafting/ore.binfab',
  recipe: 'prefabs/recipes/recipe_cat.binfab',
} as const;

export const SPEED = '$Stat_MovementSpeed';
export const LIGHT = '$Stat_Light';
export const POUNCE = 'abilities/mounts/pounce';
export const HOWL = 'abilities/pets/howl';

/** Fields of an entry, of which most have a default. */
type EntryFields = Pick<Entry, 'type' | 'path' | 'name'> & Partial<Entry>;

/** An entry without optional values, with overridden fields, and its rows: none by default. */
export const derivedEntry = (fields: EntryFields, rows: Partial<Omit<DerivedEntry, 'entry'>> = {}): DerivedEntry => ({
  entry: {
    category: '',
    description: '',
    tradable: null,
    mastery: null,
    masteryGeode: null,
    powerRank: null,
    blueprint: null,
    data: {},
    ...fields,
  },
  stats: [],
  abilities: [],
  links: [],
  ...rows,
});

interface Written extends EntryFields {
  stats?: [stat: string, value: number | null][];
  abilities?: string[];
  links?: [rel: 'crafts' | 'ingredient', target: string, qty: number][];
}

const STAT_NAMES: Readonly<Record<string, string>> = { [SPEED]: 'Movement Speed', [LIGHT]: 'Light' };

function written({ stats = [], abilities = [], links = [], ...entry }: Written): DerivedEntry {
  const { path } = entry;
  return derivedEntry(entry, {
    stats: stats.map(([stat, value], order) => ({
      path,
      order,
      stat,
      statName: STAT_NAMES[stat] ?? '',
      value,
      isPercent: stat === LIGHT,
      slot: null,
      level: 0,
    })),
    abilities: abilities.map((ref, order) => ({ path, order, ref, name: ref === HOWL ? 'Howl' : 'Pounce', description: `By ${ref}.` })),
    links: links.map(([rel, target, qty], order) => ({
      rel,
      source: path.toLowerCase(),
      target,
      order,
      qty,
      data: {},
      owner: path.toLowerCase(),
    })),
  });
}

/** The mount of the examples, without a path. */
export const CAT = {
  type: 'mount',
  name: 'Cat',
  category: 'Felines',
  description: 'It purrs.',
  tradable: true,
  mastery: 50,
  masteryGeode: 10,
} as const;

/** Six entries of four types. */
export const SMALL_CODEX: readonly DerivedEntry[] = [
  written({ ...CAT, path: PATHS.cat, stats: [[SPEED, 90]], abilities: [POUNCE] }),
  written({
    type: 'mount',
    path: PATHS.lion,
    name: 'Lion',
    category: 'Felines',
    description: 'King of cats.',
    tradable: false,
    powerRank: 20,
    stats: [
      [SPEED, 80],
      [SPEED, 100],
      [LIGHT, 7.5],
    ],
  }),
  written({ type: 'mount', path: PATHS.ant, name: 'ant', category: 'Insects', mastery: 5 }),
  written({
    type: 'ally',
    path: PATHS.pup,
    name: 'Pup',
    category: 'Pets',
    description: 'A 100% loyal_dog.',
    tradable: true,
    mastery: 10,
    stats: [[SPEED, null]],
    abilities: [HOWL, POUNCE],
  }),
  written({ type: 'item', path: PATHS.ore, name: 'Ore', category: 'Materials', description: 'Dug up.', tradable: true }),
  written({
    type: 'recipe',
    path: PATHS.recipe,
    name: 'Cat',
    category: 'Mounts',
    description: 'Makes a cat.',
    mastery: 2,
    links: [
      ['crafts', PATHS.cat.toLowerCase(), 1],
      ['ingredient', PATHS.ore, 5],
      ['ingredient', 'prefabs/item/crafting/unknown.binfab', 2],
    ],
  }),
];
