import {
  GAME_OFFSET_SECONDS,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
  SECONDS_PER_MINUTE,
  SECONDS_PER_WEEK,
} from '../../../platform/kit/time/clock.ts';
import type { BiomeLookup, BiomeRotationRules, FluxionRules, GardeningRules, MerchantRules } from './computed.domain.ts';
import type { Cycle, NonEmpty, ResetRules } from './cycle.domain.ts';
import type { DelveRules } from './delves.domain.ts';
import type { ChallengeRules } from './reports.domain.ts';

// Each anchor is an observed start of a cycle at 11:00:00 UTC, the time of all resets of the game. There are three week boundaries: Monday
// (weekly buff, wild mana, delves), Tuesday (chaos chest, fluxion) and Saturday (stampy).

/** Daily reset: every day at 11:00:00 UTC. */
const dailyResetCycle: Cycle = {
  anchorAt: GAME_OFFSET_SECONDS,
  periodSeconds: SECONDS_PER_DAY,
  offsetSeconds: 0,
  durationSeconds: SECONDS_PER_DAY,
};

/** Weekly buff and weekly reset: weeks from Monday 2020-03-23 11:00 UTC. */
export const weeklyBuffCycle: Cycle = {
  anchorAt: 1_584_961_200,
  periodSeconds: SECONDS_PER_WEEK,
  offsetSeconds: 0,
  durationSeconds: SECONDS_PER_WEEK,
};

export const resetRules: ResetRules = { daily: dailyResetCycle, weekly: weeklyBuffCycle };

/** Three days every two weeks from Friday 2024-03-08 11:00 UTC. */
export const corruxionRules: MerchantRules = {
  cycle: { anchorAt: 1_709_895_600, periodSeconds: 2 * SECONDS_PER_WEEK, offsetSeconds: 0, durationSeconds: 3 * SECONDS_PER_DAY },
  scheduleItems: 8,
};

/** Three days every week from Tuesday 2023-07-18 11:00 UTC, alternating between voting and selling. */
export const fluxionRules: FluxionRules = {
  cycle: { anchorAt: 1_689_678_000, periodSeconds: SECONDS_PER_WEEK, offsetSeconds: 0, durationSeconds: 3 * SECONDS_PER_DAY },
  scheduleItems: 8,
  states: ['voting', 'selling'],
};

/** Chaos chest weeks from Tuesday 2023-07-18 11:00 UTC. */
export const chaosChestWeek: Cycle = {
  anchorAt: 1_689_678_000,
  periodSeconds: SECONDS_PER_WEEK,
  offsetSeconds: 0,
  durationSeconds: SECONDS_PER_WEEK,
};

/** Growing cycles from Friday 2025-05-23 11:00 UTC; harvest is on the last day of each. */
export const gardeningRules: GardeningRules = {
  twoDay: {
    name: '2-day plants',
    cycle: {
      anchorAt: 1_747_998_000,
      periodSeconds: 2 * SECONDS_PER_DAY,
      offsetSeconds: SECONDS_PER_DAY,
      durationSeconds: SECONDS_PER_DAY,
    },
  },
  threeDay: {
    name: '3-day plants',
    cycle: {
      anchorAt: 1_747_998_000,
      periodSeconds: 3 * SECONDS_PER_DAY,
      offsetSeconds: 2 * SECONDS_PER_DAY,
      durationSeconds: SECONDS_PER_DAY,
    },
  },
  upcomingItems: 10,
};

/** Windows of 20 minutes: one per hour, two per hour during the Friday window. Names that are not listed are dungeons. */
export const challengeRules: ChallengeRules = {
  durationSeconds: 20 * SECONDS_PER_MINUTE,
  stepSeconds: SECONDS_PER_HOUR,
  fridayStepSeconds: SECONDS_PER_HOUR / 2,
  typesByName: new Map([
    ['Collection Challenge', 'collection'],
    ['RAMPAGE ALERT!', 'rampage'],
    ['Racing Challenge', 'racing'],
    ['Target Challenge', 'target'],
  ]),
};

/** Delve week 1 began on Monday 2025-11-03 11:00 UTC. */
export const delveRules: DelveRules = {
  cycle: { anchorAt: 1_762_167_600, periodSeconds: SECONDS_PER_WEEK, offsetSeconds: 0, durationSeconds: SECONDS_PER_WEEK },
  firstWeekId: 1,
};

/** Sub-biomes: name, name on the map, icon token. */
const SUB_BIOMES: readonly (readonly [name: string, finalName: string, icon: string])[] = [
  ['Data Spires', 'Neon City', 'neon'],
  ['Luminopolis', 'Luminopolis', 'neon'],
  ['The Lost Isles', 'The Lost Isles', 'pirate'],
  ['Sundered Uplands', 'Sundered Uplands', 'giantland'],
  ["Dragon's Teeth", 'Dragonfire Peaks', 'dragon'],
  ['Volcanic Fields', 'Dragonfire Peaks', 'dragon'],
  ['Blazing Emberlands', 'Dragonfire Peaks', 'dragon'],
  ['Sugar Steppes', 'Candoria', 'candy'],
  ['Cupcake Canyon', 'Candoria', 'candy'],
  ['Cocoa Craters', 'Candoria', 'candy'],
  ['Deep Forest', 'Medieval Highlands', 'forest'],
  ['Firefly Party', 'Medieval Highlands', 'forest'],
  ["Frigga's Fjord", 'Medieval Highlands', 'forest'],
  ['Cursed Vale', 'Cursed Vale', 'undead'],
  ['Bewitching Wood', 'Fae Forest', 'fae'],
  ['Spellbound Thicket', 'Fae Forest', 'fae'],
  ['Uncanny Valley', 'Fae Forest', 'fae'],
  ['Abandoned Boneyard', 'Desert Frontier', 'frontier'],
  ['Alkali Flats', 'Desert Frontier', 'frontier'],
  ['Desert of Secrets', 'Desert Frontier', 'frontier'],
  ['Frozen Wastes', 'Permafrost', 'tundra'],
  ['Dead of Winter', 'Permafrost', 'tundra'],
  ['Primal Preserve', 'Primal Preserve', 'dinosaur'],
  ['Saurian Swamp', 'Saurian Swamp', 'dinosaur'],
  ['Viking Burial Grounds', 'Cursed Vale', 'undead'],
  ['Ancient Heights', 'Forbidden Spires', 'spires'],
  ['Restless Range', 'Forbidden Spires', 'spires'],
  ['Hollow Dunes', 'Hollow Dunes', 'dunes'],
  ['Weathered Wastelands', 'Weathered Wastelands', 'wasteland'],
  ['Cerise Sandsea', 'Cerise Sandsea', 'sandsea'],
];

/** Parent biomes: name (also on the map), icon token. */
const PARENT_BIOMES: readonly (readonly [name: string, icon: string])[] = [
  ['Candoria', 'candy'],
  ['Cursed Vale', 'undead'],
  ['Desert Frontier', 'frontier'],
  ['Dragonfire Peaks', 'dragon'],
  ['Fae Forest', 'fae'],
  ['Forbidden Spires', 'spires'],
  ['Geode Topside', 'dunes'],
  ['Jurassic Jungle', 'dinosaur'],
  ['Medieval Highlands', 'forest'],
  ['Neon City', 'neon'],
  ['Permafrost', 'tundra'],
  ['Sundered Uplands', 'giantland'],
  ['The Lost Isles', 'pirate'],
];

/** For the 3-hour rotation, which uses sub-biomes. */
export const subBiomes: BiomeLookup = new Map(SUB_BIOMES.map(([name, finalName, icon]) => [name, { name, final_name: finalName, icon }]));

/** For wild mana and stampy, which use parent biomes. */
export const parentBiomes: BiomeLookup = new Map(PARENT_BIOMES.map(([name, icon]) => [name, { name, final_name: name, icon }]));

/**
 * Slots of three hours from Tuesday 2024-06-18 11:00 UTC; 16 upcoming slots are 48 hours. The three lists have different lengths, so the
 * pattern repeats every 924 slots. Repeated names in a list are intended.
 */
export const biomesRules: BiomeRotationRules = {
  cycle: { anchorAt: 1_718_708_400, periodSeconds: 3 * SECONDS_PER_HOUR, offsetSeconds: 0, durationSeconds: 3 * SECONDS_PER_HOUR },
  upcomingItems: 16,
  tracks: [
    {
      shift: 0,
      sequence: [
        'Sundered Uplands',
        'Cerise Sandsea',
        'Deep Forest',
        'Alkali Flats',
        'Dead of Winter',
        'Sundered Uplands',
        'Firefly Party',
        'Desert of Secrets',
        'Weathered Wastelands',
        'Frozen Wastes',
        "Frigga's Fjord",
        'Abandoned Boneyard',
      ],
    },
    {
      shift: 0,
      sequence: [
        'Cursed Vale',
        'Hollow Dunes',
        'Bewitching Wood',
        'Primal Preserve',
        'Hollow Dunes',
        'Ancient Heights',
        'Viking Burial Grounds',
        'Spellbound Thicket',
        'Saurian Swamp',
        'Restless Range',
        'Uncanny Valley',
      ],
    },
    {
      shift: 0,
      sequence: [
        'Sugar Steppes',
        'Volcanic Fields',
        'The Lost Isles',
        'Luminopolis',
        'The Lost Isles',
        'Blazing Emberlands',
        'Cocoa Craters',
        'Data Spires',
        'The Lost Isles',
        'Cupcake Canyon',
        "Dragon's Teeth",
        'Luminopolis',
        'The Lost Isles',
        'Data Spires',
      ],
    },
  ],
  lookup: subBiomes,
};

const WILD_MANA_SEQUENCE: NonEmpty<string> = [
  'Neon City',
  'Jurassic Jungle',
  'Dragonfire Peaks',
  'Forbidden Spires',
  'Sundered Uplands',
  'Medieval Highlands',
  'Permafrost',
  'Cursed Vale',
  'Desert Frontier',
  'Fae Forest',
  'Candoria',
];

/** Weeks from Monday 2023-11-20 11:00 UTC. A biome lasts three weeks: each week has the newest entry and the two before it. */
export const wildManaRules: BiomeRotationRules = {
  cycle: { anchorAt: 1_700_478_000, periodSeconds: SECONDS_PER_WEEK, offsetSeconds: 0, durationSeconds: SECONDS_PER_WEEK },
  upcomingItems: 7,
  tracks: [
    { shift: 0, sequence: WILD_MANA_SEQUENCE },
    { shift: -1, sequence: WILD_MANA_SEQUENCE },
    { shift: -2, sequence: WILD_MANA_SEQUENCE },
  ],
  lookup: parentBiomes,
};

/** 48 hours every week from Saturday 2023-09-30 11:00 UTC, as specified. */
export const stampyRules: BiomeRotationRules = {
  cycle: { anchorAt: 1_696_071_600, periodSeconds: SECONDS_PER_WEEK, offsetSeconds: 0, durationSeconds: 2 * SECONDS_PER_DAY },
  upcomingItems: 7,
  tracks: [
    {
      shift: 0,
      sequence: [
        'Desert Frontier',
        'The Lost Isles',
        'Geode Topside',
        'Neon City',
        'Dragonfire Peaks',
        'Permafrost',
        'Candoria',
        'Cursed Vale',
        'Forbidden Spires',
        'Fae Forest',
        'Medieval Highlands',
        'Jurassic Jungle',
        'Sundered Uplands',
      ],
    },
  ],
  lookup: parentBiomes,
};

/** As players report: every two weeks from Monday 2023-09-25 11:00 UTC, with the same length and list. */
const fortnightlyStampyRules: BiomeRotationRules = {
  ...stampyRules,
  cycle: { ...stampyRules.cycle, anchorAt: 1_695_639_600, periodSeconds: 2 * SECONDS_PER_WEEK },
};

/** Values of the setting `stampy_period`. */
export const STAMPY_PERIODS = ['weekly', 'fortnightly'] as const;
export type StampyPeriod = (typeof STAMPY_PERIODS)[number];

export const stampyRulesOf: Readonly<Record<StampyPeriod, BiomeRotationRules>> = {
  weekly: stampyRules,
  fortnightly: fortnightlyStampyRules,
};
