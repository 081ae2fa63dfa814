export type TierId = 1 | 2 | 3 | 4;
export type TypeId = 1 | 2;
export type ElementId = 1 | 2 | 3 | 4;
export type RestrictionId = 1 | 2;
export type StatId = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** Stats that roll on gems; Movement Speed and Jump never do. */
export type RollStatId = Exclude<StatId, 8 | 9>;
export type AugmentId = 1 | 2 | 3;
export type AbilityId = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;
export type BoosterId = 'booster2' | 'booster4' | 'booster5' | 'booster5_mystic';

export const LESSER = 1;
export const EMPOWERED = 2;
export const WATER = 1;
export const COSMIC = 4;
export const FIERCE = 1;
export const ARCANE = 2;
export const PHYSICAL_DAMAGE = 1;
export const MAGIC_DAMAGE = 2;
export const CRITICAL_DAMAGE = 3;
export const CRITICAL_HIT = 4;
export const MAX_HEALTH = 5;
export const MAX_HEALTH_PERCENT = 6;
export const LIGHT = 7;

/** Karma of failed level-ups at which the level is granted. */
export const KARMA_MAX = 125;

export interface Item {
  item: string;
  name: string;
}

export interface Tier {
  name: string;
  maxLevel: number;
  /** Power Rank per step of a stat. */
  rankPerStep: number;
  /** Power Rank of one container at roll 0 and at roll 1, by gem type. Measured by players, not from the game files. */
  rankPerContainer: Record<TypeId, readonly [lo: number, hi: number]>;
}

export const TIERS: Record<TierId, Tier> = {
  1: { name: 'Radiant', maxLevel: 23, rankPerStep: 3, rankPerContainer: { 1: [85, 113], 2: [113, 150] } },
  2: { name: 'Stellar', maxLevel: 25, rankPerStep: 5, rankPerContainer: { 1: [150, 200], 2: [200, 266] } },
  3: { name: 'Crystal', maxLevel: 30, rankPerStep: 7, rankPerContainer: { 1: [175, 250], 2: [220, 280] } },
  4: { name: 'Mystic', maxLevel: 35, rankPerStep: 9, rankPerContainer: { 1: [200, 260], 2: [240, 300] } },
};

export const TYPES: Record<TypeId, string> = { 1: 'Lesser', 2: 'Empowered' };

/** Power Rank of a gem of the type in addition to its stats. */
export const TYPE_RANK: Record<TypeId, number> = { 1: 0, 2: 100 };

export const ELEMENTS: Record<ElementId, { name: string; dust: Item; spark: Item; abilities: readonly AbilityId[] }> = {
  1: {
    name: 'Water',
    dust: { item: 'item/crafting/gemdust_blue', name: 'Water Gem Dust' },
    spark: { item: 'item/crafting/gemamber_blue', name: 'Water Gem Spark' },
    abilities: [1, 2, 3, 4, 5, 6, 7, 8],
  },
  2: {
    name: 'Fire',
    dust: { item: 'item/crafting/gemdust_red', name: 'Fire Gem Dust' },
    spark: { item: 'item/crafting/gemamber_red', name: 'Fire Gem Spark' },
    abilities: [1, 2, 3, 4, 5, 6, 7, 8],
  },
  3: {
    name: 'Air',
    dust: { item: 'item/crafting/gemdust_yellow', name: 'Air Gem Dust' },
    spark: { item: 'item/crafting/gemamber_yellow', name: 'Air Gem Spark' },
    abilities: [1, 2, 3, 4, 5, 6, 7, 8],
  },
  4: {
    name: 'Cosmic',
    dust: { item: 'item/crafting/gemdust_opal', name: 'Cosmic Gem Dust' },
    spark: { item: 'item/crafting/gemamber_opal', name: 'Cosmic Gem Spark' },
    abilities: [9, 10, 11, 12],
  },
};

/** Pools of stats of restricted Lesser gems. */
export const RESTRICTIONS: Record<RestrictionId, { name: string; pool: readonly RollStatId[] }> = {
  1: { name: 'Fierce', pool: [1, 3, 4, 5, 6] },
  2: { name: 'Arcane', pool: [2, 3, 4, 5, 6] },
};

export const STATS: Record<StatId, string> = {
  1: 'Physical Damage',
  2: 'Magic Damage',
  3: 'Critical Damage',
  4: 'Critical Hit',
  5: 'Max Health',
  6: 'Max Health %',
  7: 'Light',
  8: 'Movement Speed',
  9: 'Jump',
};

/** `percent`: share of the roll range that one focus adds to a container. */
export const AUGMENTS: Record<AugmentId, { name: string; percent: number; focus: Item }> = {
  1: { name: 'Rough Focus', percent: 2.5, focus: { item: 'item/gem/booster/augment1', name: "Builder's Rough Focus" } },
  2: { name: 'Precise Focus', percent: 5, focus: { item: 'item/gem/booster/augment2', name: "Builder's Precise Focus" } },
  3: { name: 'Superior Focus', percent: 12.5, focus: { item: 'item/gem/booster/augment3', name: "Builder's Superior Focus" } },
};

export const ABILITIES: Record<AbilityId, string> = {
  1: 'Stinging Curse',
  2: 'Volatile Velocity',
  3: 'Spirit Surge',
  4: 'Mired Mojo',
  5: 'Stunburst',
  6: 'Pyrodisc',
  7: 'Explosive Epilogue',
  8: 'Cubic Curtain',
  9: 'Berserk Battler',
  10: 'Empyrean Barrier',
  11: 'Flower Power',
  12: 'Vampirian Vanquisher',
};

/** Multipliers of the chance of a level-up and of the chance that it counts for two levels. */
export const BOOSTERS: Record<BoosterId, Item & { chance: number; double: number }> = {
  booster2: { item: 'item/gem/booster/booster2', name: 'Glittering Horseshoe', chance: 1.5, double: 1 },
  booster4: { item: 'item/gem/booster/booster4', name: 'Lapis Luckbug', chance: 3, double: 5 },
  booster5: { item: 'item/gem/booster/booster5', name: 'Ninth Life', chance: 55, double: 10 },
  booster5_mystic: { item: 'item/gem/booster/booster5_mystic', name: 'Tenth Life', chance: 55, double: 10 },
};

export const FLUX: Item = { item: 'item/crafting/flux', name: 'Flux' };
export const PRIMAL_SHARD: Item = { item: 'item/crafting/gemspark_primal', name: 'Primal Gem Shard' };
export const MYSTIC_SHARD: Item = { item: 'item/crafting/gemspark_mystic', name: 'Mystic Gem Shard' };

/** Cost of rerolling a stat, the same for every gem. */
export const SPARK_COST: readonly (Item & { count: number })[] = [
  { item: 'item/crafting/warpseed', name: 'Glim', count: 75 },
  { item: 'item/gem/booster/chaosspark', name: 'Contained Chaos Spark', count: 1 },
];
