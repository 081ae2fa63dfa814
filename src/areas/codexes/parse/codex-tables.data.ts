/** Base mastery of a collectible, by the first fragment contained in its identifier. */
export const MASTERY_BASES: readonly { fragment: string; base: number }[] = [
  { fragment: 'collections/wings', base: 100 },
  { fragment: 'collections/mount', base: 50 },
  { fragment: 'collections/boat', base: 50 },
  { fragment: 'collections/magrider', base: 50 },
  { fragment: 'collections/aura', base: 50 },
  { fragment: 'collections/flask', base: 25 },
  { fragment: 'collections/badge', base: 20 },
  { fragment: 'collections/tome', base: 20 },
  { fragment: 'collections/fishingpole', base: 20 },
  { fragment: 'collections/pet', base: 10 },
  { fragment: 'collections/geodecompanion', base: 10 },
  { fragment: 'item/companion', base: 10 },
  { fragment: 'collections/sail', base: 10 },
  { fragment: 'item/fish', base: 5 },
  { fragment: 'item/unlocker', base: 5 },
  { fragment: 'collections/memento', base: 5 },
  { fragment: 'recipe_', base: 2 },
  { fragment: 'equipment_', base: 1 },
  { fragment: '.blueprint', base: 1 },
  { fragment: 'collections/fishing/', base: 20 },
];

export const SKIN_MASTERY_BASE = 35;
export const STYLE_MASTERY_BASE = 1;
export const RECIPE_MASTERY_BASE = 2;
/** Base geode mastery of companions; their base mastery is in `MASTERY_BASES`. */
export const COMPANION_GEODE_BASE = 50;

export const POWER_RANK_BY_RAW_TIER: Readonly<Record<number, number>> = {
  0: 0,
  600: 50,
  620: 50,
  800: 5,
  802: 20,
  804: 75,
};

/** Rank of a file with the byte pattern of this rank. */
export const MARKED_POWER_RANK = 30;

export const RECIPE_CATEGORIES: readonly { prefix: string; category: string }[] = [
  { prefix: 'item/mount/', category: 'Mount' },
  { prefix: 'item/pet/', category: 'Ally' },
  { prefix: 'collections/pet/', category: 'Ally' },
  { prefix: 'item/unlocker/', category: 'Memento' },
  { prefix: 'item/plantseed/', category: 'Seed' },
  { prefix: 'item/consumable/titles/', category: 'Title' },
  { prefix: 'placeable/', category: 'Placeable' },
  { prefix: 'block/', category: 'Block' },
  { prefix: 'item/lootbox/newrings/', category: 'Ring' },
  { prefix: 'item/consumable/gearcrafting/', category: 'Gear' },
  { prefix: 'item/costume/', category: 'Costume' },
];

/** Prefixes of a path with a quantity. */
export const RECIPE_PATH_PREFIXES: readonly string[] = ['item/', 'placeable/', 'block/', 'collections/', 'effects/'];

/** Prefixes of a product path. */
export const RECIPE_OUTPUT_PREFIXES: readonly string[] = [
  'item/',
  'placeable/',
  'block/',
  'collections/',
  'effects/',
  'equipment/',
  'abilities/',
];

/** Quantified paths that are materials before they are products. */
export const RECIPE_MATERIAL_PREFIXES: readonly string[] = ['item/crafting/', 'item/currency/', 'item/dragon/'];

/** Folders to search for a product named by a bare token, in order. */
export const RECIPE_PRODUCT_TOKEN_ROOTS: readonly string[] = ['item/costume/', 'item/skin/', 'skins/', 'collections/costume/', 'item/'];

/** Labels of requirements by lower-case token. */
export const RECIPE_REQUIREMENT_LABELS: Readonly<Record<string, string>> = {
  activeclass: 'Active Class',
  powerrank: 'Power Rank',
  hascollection: 'Requires Collection',
  hastitle: 'Requires Title',
};

/** Family of a style that is in no catalogue, by the first token contained in its stem. */
export const STYLE_FAMILY_TOKENS: readonly { token: string; family: string }[] = [
  { token: 'banner', family: 'Banner' },
  { token: 'helm', family: 'Hat' },
  { token: 'hat', family: 'Hat' },
  { token: 'face', family: 'Face' },
  { token: 'hair', family: 'Hair' },
  { token: 'mask', family: 'Face' },
  { token: 'weapon', family: 'Weapon' },
  { token: 'sword', family: 'Weapon' },
  { token: 'staff', family: 'Weapon' },
  { token: 'bow', family: 'Weapon' },
  { token: 'gun', family: 'Weapon' },
  { token: 'pistol', family: 'Weapon' },
  { token: 'spear', family: 'Weapon' },
  { token: 'fist', family: 'Weapon' },
  { token: 'axe', family: 'Weapon' },
  { token: 'lance', family: 'Weapon' },
];

/** Family by the stem of a catalogue. */
export const STYLE_CATALOGUES: Readonly<Record<string, string>> = {
  hat: 'Hat',
  face: 'Face',
  weapon_bow: 'Weapon',
  weapon_fist: 'Weapon',
  weapon_melee: 'Weapon',
  weapon_pistol: 'Weapon',
  weapon_spear: 'Weapon',
  weapon_staff: 'Weapon',
  pvpbanner: 'Banner',
};

export const HAT_CATALOGUE = 'hat';
export const BANNER_CATALOGUE = 'pvpbanner';

export const HAT_BASE_BY_RAW_CATEGORY: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  4: 10,
};

/** Internal abilities that are not displayed in the game. */
export const HIDDEN_ABILITY_SUBSTRINGS: readonly string[] = [
  'flask_auto_use',
  '_reset_death_save',
  'equip_flask_cooldown',
  'mount_block_harvester',
];

/** Names of ranks, starting with rank 1. */
export const BADGE_RANK_NAMES: readonly string[] = ['bronze', 'silver', 'gold', 'platinum', 'diamond', 'obsidian', 'trovium'];

/** Names of difficulties, starting with 0. */
export const BOSS_DIFFICULTIES: readonly string[] = ['Normal', 'Hard', 'Ultra'];

export const BOSS_NAMES: Readonly<Record<string, string>> = {
  'quest/shadow_tower_boss_hydra.prefab': 'Shadow Hydrakken',
  'quest/shadow_tower_boss_dreadnought.prefab': 'Darknik Dreadnought',
};

export const HERO_ENTITLEMENT = 'PLAYERCLASS_CRIMEFIGHTER';
export const HERO_BADGE = 'hero_unlocked';

/** Executable of the game client, which contains the names of the player metrics. */
export const EXECUTABLE_PATH = 'trove_x64.exe';
