import fc from 'fast-check';
import {
  COSMIC,
  ELEMENTS,
  EMPOWERED,
  LIGHT,
  MAGIC_DAMAGE,
  PHYSICAL_DAMAGE,
  type RollStatId,
  TIERS,
} from '../../src/areas/gems/gem.data.ts';
import type { Container, Gem, GemStat, ThreeStats } from '../../src/areas/gems/gem.domain.ts';
import { ELEMENT_IDS, RESTRICTION_IDS, ROLL_STAT_IDS, TIER_IDS, TYPE_IDS } from '../../src/areas/gems/gem-input.domain.ts';

/** Position in the roll range, also at its ends. */
const roll = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.5, 1));
const count = fc.integer({ min: 0, max: 12 });
const container = fc.record({ base: roll, augments: fc.tuple(count, count, count) });

const containers = fc.array(container, { minLength: 1, maxLength: 4 });

/** The augments of a container by their counts. */
export const augmentsOf = (rough: number, precise: number, superior: number): Container['augments'] => [
  { type: 1, count: rough },
  { type: 2, count: precise },
  { type: 3, count: superior },
];

/** Three different stats that a gem can have together. */
export const threeStatTypes: fc.Arbitrary<RollStatId[]> = fc
  .shuffledSubarray([...ROLL_STAT_IDS], { minLength: 3, maxLength: 3 })
  .filter((types) => !(types.includes(PHYSICAL_DAMAGE) && types.includes(MAGIC_DAMAGE)));

/** Gems that requests can contain: any kind, level and rolls, up to eleven containers. */
export const gems: fc.Arbitrary<Gem> = fc
  .record({
    tier: fc.constantFrom(...TIER_IDS),
    type: fc.constantFrom(...TYPE_IDS),
    element: fc.constantFrom(...ELEMENT_IDS),
    restriction: fc.constantFrom(...RESTRICTION_IDS),
    types: threeStatTypes,
    locked: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    containers: fc.tuple(containers, containers, containers),
    level: fc.integer({ min: 1, max: 35 }),
    ability: fc.nat(),
    karma: fc.integer({ min: 0, max: 124 }),
    attempts: fc.integer({ min: 0, max: 5000 }),
    augmentation: fc.option(roll),
  })
  .map(({ tier, type, element: anyElement, restriction, types, locked, containers: lists, level, ability, ...rest }) => {
    const element = types.includes(LIGHT) ? COSMIC : anyElement;
    const { abilities } = ELEMENTS[element];
    const stats = types.map((stat, index): GemStat => {
      const list = (lists[index] ?? []).map(({ base, augments: [rough, precise, superior] }) => ({
        base: base + 0,
        augments: augmentsOf(rough, precise, superior),
      }));
      return { type: stat, locked: locked[index] ?? false, containers: list };
    });
    return {
      id: 1,
      tier,
      type,
      element,
      restriction: type === EMPOWERED ? null : restriction,
      ability: type === EMPOWERED ? (abilities[ability % abilities.length] ?? null) : null,
      level: Math.min(level, TIERS[tier].maxLevel),
      stats: stats as ThreeStats,
      spent: {},
      ...rest,
    };
  });
