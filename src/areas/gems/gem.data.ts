export type TierId = 1 | 2 | 3 | 4;
export type TypeId = 1 | 2;
export type ElementId = 1 | 2 | 3 | 4;
export type RestrictionId = 1 | 2;
export type StatId = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;
/** Stats with figures; Movement Speed and Jump are on no gem. */
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
export const HEALTH_REGEN = 10;

/** Stats of old gems that the game no longer rolls. */
export const RETIRED_STATS: readonly StatId[] = [HEALTH_REGEN];

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
  10: 'Health Regen',
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

/** Values of a stat in display units: one container at roll 0, one container at roll 1, and the gain per stat step. */
export type Roll = readonly [min: number, max: number, step: number];

/** Stats with the same figures share a kind, such as Physical and Magic Damage. */
type RollKind = 'damage' | 'criticalDamage' | 'criticalHit' | 'maxHealth' | 'maxHealthPercent' | 'light' | 'healthRegen';

export const ROLL_KINDS: Record<RollStatId, RollKind> = {
  1: 'damage',
  2: 'damage',
  3: 'criticalDamage',
  4: 'criticalHit',
  5: 'maxHealth',
  6: 'maxHealthPercent',
  7: 'light',
  10: 'healthRegen',
};

/**
 * Rolls by type, then tier. Light rolls only on Cosmic gems. Health Regen is 0.7 times Max Health in every group of the game files, which
 * have it up to Stellar; for Crystal and Mystic it is inferred from that ratio.
 */
export const ROLLS: Record<TypeId, Record<TierId, Record<RollKind, Roll>>> = {
  1: {
    1: {
      damage: [1190, 1582, 42],
      criticalDamage: [17, 22.6, 0.6],
      criticalHit: [1.7, 2.26, 0.06],
      maxHealth: [4250, 5650, 150],
      maxHealthPercent: [42.5, 56.5, 1.5],
      light: [85, 113, 3],
      healthRegen: [2975, 3955, 105],
    },
    2: {
      damage: [2100, 2800, 70],
      criticalDamage: [30, 40, 1],
      criticalHit: [3, 4, 0.1],
      maxHealth: [7500, 10000, 250],
      maxHealthPercent: [75, 100, 2.5],
      light: [150, 200, 5],
      healthRegen: [5250, 7000, 175],
    },
    3: {
      damage: [3360, 4480, 112],
      criticalDamage: [40, 55, 1.5],
      criticalHit: [4, 5.5, 0.15],
      maxHealth: [12250, 15750, 350],
      maxHealthPercent: [122.5, 157.5, 3.5],
      light: [200, 275, 5],
      healthRegen: [8575, 11025, 245],
    },
    4: {
      damage: [5040, 6720, 168],
      criticalDamage: [52, 82.5, 2.5],
      criticalHit: [5.2, 8.25, 0.25],
      maxHealth: [18375, 23625, 525],
      maxHealthPercent: [183.75, 236.25, 5.25],
      light: [275, 325, 5],
      healthRegen: [12862.5, 16537.5, 367.5],
    },
  },
  2: {
    1: {
      damage: [1582, 2100, 42],
      criticalDamage: [22.6, 30, 0.6],
      criticalHit: [2.26, 3, 0.06],
      maxHealth: [5650, 7500, 150],
      maxHealthPercent: [56.5, 75, 1.5],
      light: [113, 150, 3],
      healthRegen: [3955, 5250, 105],
    },
    2: {
      damage: [2800, 3724, 70],
      criticalDamage: [40, 53.2, 1],
      criticalHit: [4, 5.32, 0.1],
      maxHealth: [10000, 13300, 250],
      maxHealthPercent: [100, 133, 2.5],
      light: [200, 266, 5],
      healthRegen: [7000, 9310, 175],
    },
    3: {
      damage: [3920, 5600, 112],
      criticalDamage: [50, 65, 1.5],
      criticalHit: [5, 6.5, 0.15],
      maxHealth: [15750, 19250, 350],
      maxHealthPercent: [157.5, 192.5, 3.5],
      light: [250, 300, 5],
      healthRegen: [11025, 13475, 245],
    },
    4: {
      damage: [5880, 8400, 252],
      criticalDamage: [70, 95, 2.5],
      criticalHit: [7, 9.5, 0.25],
      maxHealth: [23625, 28875, 525],
      maxHealthPercent: [232.5, 288.75, 5.25],
      light: [275, 350, 5],
      healthRegen: [16537.5, 20212.5, 367.5],
    },
  },
};

/** The only roll that depends on the element: Max Health % of a Cosmic Empowered Mystic gem. */
export const COSMIC_EMPOWERED_MYSTIC_MAX_HEALTH_PERCENT: Roll = [236.25, 288.75, 5.25];

/** Steps that every stat gains at a level, from level 1; the same for all gems. */
export const STAT_STEPS = [
  0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 2, 2, 2, 2, 5, 2, 2, 2, 2, 5, 2, 2, 2, 2, 5, 2, 2, 2, 2, 5,
] as const;

/** Levels that add a container instead of a step. */
export const BOOST_LEVELS = [5, 10, 15] as const;

/** Relative weights of the stats in the pool when a gem is generated; Light is never drawn, a retired stat only on request. */
export const ROLL_WEIGHTS: Record<TypeId, Record<RollStatId, number>> = {
  1: { 1: 0.143, 2: 0.143, 3: 0.143, 4: 0.143, 5: 0.096, 6: 0.047, 7: 0, 10: 0.143 },
  2: { 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 0, 10: 1 },
};
