/** Headings of the codex types. Default: the name of the type. */
const TYPE_TITLES: Readonly<Record<string, string>> = {
  fish: 'Fish',
  memento: 'Mementos',
  ally: 'Allies',
  mount: 'Mounts',
  badge: 'Badges',
  wings: 'Wings',
  aura: 'Auras',
  boat: 'Boats',
  sail: 'Sails',
  flask: 'Flasks',
  tome: 'Tomes',
  magrider: 'Mag riders',
  fishingpole: 'Fishing poles',
  skin: 'Skins',
  style: 'Styles',
  recipe: 'Recipes',
  item: 'Items',
  dragon: 'Dragons',
};

export function typeTitle(type: string): string {
  return TYPE_TITLES[type] ?? `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}

/** Headings of the relations by direction and name, in page order. */
export const RELATION_TITLES: Readonly<Record<string, string>> = {
  'out crafts': 'Makes',
  'out ingredient': 'Ingredients',
  'out craftable_at': 'Crafted at',
  'in crafts': 'Made by',
  'in ingredient': 'Used in',
  'in craftable_at': 'Recipes crafted here',
  'out unlocks': 'Unlocks',
  'in unlocks': 'Unlocked by',
  'out member_of': 'Collection',
  'in member_of': 'Members',
  'out upgrade_cost': 'Upgrade costs',
  'in upgrade_cost': 'Upgrades that cost this',
};

/** Labels of the sort orders. The first is the default. */
export const SORT_TITLES = {
  name: 'Name',
  category: 'Category',
  '-mastery': 'Mastery, highest first',
  '-power_rank': 'Power Rank, highest first',
  '-indexed_at': 'Last changed first',
} as const;
export type SortChoice = keyof typeof SORT_TITLES;
export const SORT_CHOICES = Object.keys(SORT_TITLES) as [SortChoice, ...SortChoice[]];
export const DEFAULT_SORT: SortChoice = 'name';

export const CHANGE_TITLES = { added: 'Added in', modified: 'Changed in', removed: 'Removed in' } as const;
