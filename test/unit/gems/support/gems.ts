import fc from 'fast-check';
import { ELEMENTS, type ElementId, type RollStatId, TIERS, type TierId, type TypeId } from '../../../../src/areas/gems/gem.data.ts';
import type { Container, Gem, GemStat } from '../../../../src/areas/gems/gem.domain.ts';
import { type Rolls, seededRolls } from '../../../../src/areas/gems/gem-generate.domain.ts';
import { parseGem } from '../../../../src/areas/gems/gem-input.domain.ts';

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

/** The documented evaluation of three stats of a Lesser Fierce Water gem: fields of the result, and a row of figures per stat. */
export const exampleEvaluation = {
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
    augments: [
      { type: 1, count: rough },
      { type: 2, count: precise },
      { type: 3, count: superior },
    ],
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
