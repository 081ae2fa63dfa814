import fc from 'fast-check';
import { expect } from 'vitest';
import type { BuildRequest } from '../../../../src/areas/gems/builds/builds-request.domain.ts';
import { ELEMENTS, type ElementId, type RollStatId, TIERS, type TierId, type TypeId } from '../../../../src/areas/gems/gem.data.ts';
import type { Container, Gem, GemStat } from '../../../../src/areas/gems/gem.domain.ts';
import { type Rolls, seededRolls } from '../../../../src/areas/gems/gem-generate.domain.ts';
import { parseGem } from '../../../../src/areas/gems/gem-input.domain.ts';
import { augmentsOf } from '../../../support/gem-samples.ts';

/** Container of a request, without unused augments. */
export const container = (base: number, augments: Record<number, number> = {}) => ({
  base,
  augments: Object.entries(augments).map(([type, count]) => ({ type: Number(type), count })),
});

export const stat = (type: number, ...containers: object[]) => ({ type, containers });

/** Documented example: Empowered Mystic Cosmic, ability 12, level 6. */
export const exampleGem = {
  id: 17_000_000_000_123,
  tier: 4,
  type: 2,
  element: 4,
  ability: 12,
  level: 6,
  stats: [
    { type: 7, locked: true, containers: [container(0.4)] },
    stat(1, container(0.9, { 3: 1 }), container(0.25)),
    stat(3, container(0.6)),
  ],
};

/** The documented star chart, `SC:Jnc`. */
export const exampleStarChart = {
  stats: {
    'Magic Damage': { flat: 0, pct: 3 },
    'Critical Damage': { flat: 15, pct: 0 },
    'Critical Hit': { flat: 10, pct: 0 },
    Light: { flat: 50, pct: 0 },
    'Attack Speed': { flat: 0, pct: 3 },
    'Flask Capacity': { flat: 1, pct: 0 },
  },
  paths_count: 10,
  bounty_hunt: { available: false, name: null, physical: 0, magic: 0 },
};

/** The documented builds: kind, request, number of results, and the first results. Only that of Light is complete. */
export const exampleBuilds: readonly [kind: string, request: BuildRequest, count: number, best: readonly unknown[]][] = [
  [
    'Light',
    { character: 'Vanguardian', subclass: 'Lunar Lancer', food: 'zephyr_rune' },
    190,
    [
      {
        rank: 1,
        layout: '9/0/2/16',
        base_dmg: 420_667.1,
        crit_dmg: 5093.3,
        light: 12_994.5,
        bonus_dmg: 114.999994,
        crit_bonus: 0,
        total_dmg: 904_434.24,
        class_bonus: 0,
        coefficient: 46_969_983.26,
        boosts: { empowered: [9, 0], lesser: [2, 16], cosmic_empowered: [0, 0, 3], cosmic_lesser: [0, 0, 6] },
      },
      expect.objectContaining({ rank: 2, layout: '9/0/3/15', coefficient: 46_960_147.24 }),
    ],
  ],
  [
    'Farm',
    { build_type: 'Farm', character: 'Knight', subclass: 'Ice Sage', light: 10_000 },
    200,
    [
      expect.objectContaining({ layout: '9/0/0/18 + 2/0/1/3/2/1', light: 9987, coefficient: 53_041_429.84 }),
      expect.objectContaining({ layout: '9/0/1/17 + 2/0/1/2/3/1', light: 9987, coefficient: 53_041_429.84 }),
    ],
  ],
  [
    'Health',
    { build_type: 'Health', character: 'Vanguardian', subclass: 'Bard' },
    190,
    [
      expect.objectContaining({
        layout: '3/6/10/8 + 0/0/0/0',
        base_dmg: 1_284_003.5,
        crit_dmg: 12_750.2,
        light: 5439.5,
        class_bonus: null,
        coefficient: 164_996_375.76,
      }),
    ],
  ],
];

/** The documented splits of health lines: request, class values, number of results, and the first of them. */
export const exampleHealth = {
  request: { character: 'Shadow Hunter', hat_health: true },
  base: { critical_hit: 32.3, maximum_health: 131_250, maximum_health_per: 859 },
  count: 155,
  best: {
    rank: 1,
    layout: '0/0/3 3/3/0',
    critical_hit: 111.5,
    maximum_health: 318_360,
    maximum_health_per: 2903.35,
    health: 9_561_465.06,
    empowered: { critical_hit: 0, maximum_health: 0, maximum_health_per: 3 },
    lesser: { critical_hit: 3, maximum_health: 3, maximum_health_per: 0 },
  },
};

/** The documented range of a stat of a Lesser Crystal gem of level 12 with two boosts. */
export const exampleStatRange = {
  stat_type: 1,
  stat_display_name: 'Physical Damage',
  element: 1,
  containers: 3,
  min_value: 11_088,
  max_value: 14_448,
  stat_base: 16,
  thresholds: [210, 280],
};

/** The documented totals of levels, in the order of the response: of a Lesser Mystic Water gem, and of a Fire gem with a booster. */
export const exampleTotals = {
  mystic: { Flux: 15_732, 'Water Gem Dust': 93_146, 'Water Gem Spark': 7013, 'Primal Gem Shard': 14, 'Mystic Gem Shard': 253 },
  boosted: { 'Fire Gem Dust': 33_335, 'Fire Gem Spark': 824, 'Glittering Horseshoe': 74, 'Primal Gem Shard': 62 },
};

/** The documented evaluation by Power Rank. */
export const exampleSimpleEvaluation = {
  request: { tier: 1, type: 2, level: 11, power_rank: 800 },
  fields: {
    tier_name: 'Radiant',
    type_name: 'Empowered',
    containers: 5,
    boosts: 2,
    min_power_rank: 737,
    max_power_rank: 922,
    quality: 0.3405,
    quality_percent: 34.05,
    is_within_range: true,
    distance: 0,
  },
};

/** Three stats as entered for the documented evaluation. */
export const exampleStats = [
  { type: 1, value: 8400, extra_containers: 1 },
  { type: 3, value: 63 },
  { type: 6, value: 165 },
];

/** The documented evaluation of three stats of a Lesser Fierce Water gem: fields of the result, and a row of figures per stat. */
export const exampleEvaluation = {
  request: { tier: 3, type: 1, level: 7, stats: exampleStats },
  fields: {
    element_name: 'Water',
    restriction_name: 'Fierce',
    quality: 0.6786,
    quality_percent: 67.86,
    calculated_power_rank: 1009,
    has_issues: false,
    issues: [],
    available_extra_containers: 1,
    guessed_distribution: [1, 0, 0],
  },
  /** Progress, raw progress, whether the value is within its range, and the estimated share of the power rank. */
  stats: [
    [0.5, 0.5, true, 425],
    [1, 1.0333, true, 250],
    [0.7143, 0.7143, true, 228.57],
  ],
};

/** A Lesser Radiant gem of level 1, with overridden fields. */
export const plainGem = (fields: object = {}) => ({
  id: 1,
  tier: 1,
  type: 1,
  element: 1,
  restriction: 1,
  level: 1,
  stats: [stat(1, container(0.5)), stat(3, container(0.5)), stat(5, container(0.5))],
  ...fields,
});

export const parse = (gem: unknown): Gem => parseGem(gem, () => 7);

export const rolls = (seed: number | string = 'test'): Rolls => seededRolls(seed);

export const seeds = fc.string({ minLength: 1, maxLength: 64 });

const containerArbitrary: fc.Arbitrary<Container> = fc
  .record({ base: fc.double({ min: 0, max: 1, noNaN: true }), counts: fc.tuple(fc.nat(30), fc.nat(10), fc.nat(4)) })
  .map(({ base, counts: [rough, precise, superior] }) => ({
    base,
    augments: augmentsOf(rough, precise, superior),
  }));

/** Three possible stats of a gem of the element. */
function typesArbitrary(element: ElementId): fc.Arbitrary<RollStatId[]> {
  const types: RollStatId[] = element === 4 ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 4, 5, 6];
  return fc.shuffledSubarray(types, { minLength: 3, maxLength: 3 }).filter((chosen) => !(chosen.includes(1) && chosen.includes(2)));
}

/** Any valid gem, including gems that are never rolled. */
export const gemArbitrary: fc.Arbitrary<Gem> = fc
  .record({
    tier: fc.constantFrom<TierId>(1, 2, 3, 4),
    type: fc.constantFrom<TypeId>(1, 2),
    element: fc.constantFrom<ElementId>(1, 2, 3, 4),
  })
  .chain(({ tier, type, element }) =>
    fc
      .record({
        id: fc.nat(),
        restriction: fc.constantFrom(null, 1, 2),
        ability: fc.constantFrom(null, ...ELEMENTS[element].abilities),
        level: fc.integer({ min: 1, max: TIERS[tier].maxLevel }),
        types: typesArbitrary(element),
        containers: fc.tuple(...([0, 1, 2] as const).map(() => fc.array(containerArbitrary, { minLength: 1, maxLength: 5 }))),
        locks: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
        augmentation: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        attempts: fc.nat(),
        karma: fc.integer({ min: 0, max: 125 }),
      })
      .map(({ types, containers, locks, ...rest }) => {
        const stats = types.map((statType, index) => ({ type: statType, locked: locks[index], containers: containers[index] }));
        return parse({ tier, type, element, ...rest, stats: stats as GemStat[] });
      }),
  );
