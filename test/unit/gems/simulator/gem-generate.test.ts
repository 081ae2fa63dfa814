import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ELEMENTS, RESTRICTIONS, type RollStatId, TIERS } from '../../../../src/areas/gems/gem.data.ts';
import { countContainers } from '../../../../src/areas/gems/gem.domain.ts';
import { countBoosts } from '../../../../src/areas/gems/gem-figures.domain.ts';
import { type GenerateRequest, generateGem, randomRolls, rollsFor } from '../../../../src/areas/gems/gem-generate.domain.ts';
import { seededRandom } from '../../../../src/platform/kit/random.ts';
import { deviation, even, SUSPICIOUS, tally } from '../support/chi-square.ts';
import { faultOf, invalid, refused } from '../support/errors.ts';
import { parse, rolls, seeds } from '../support/gems.ts';
import { PROPERTY_RUNS } from '../support/run-size.ts';

const requests: fc.Arbitrary<GenerateRequest> = fc.record({
  tier: fc.option(fc.integer({ min: 1, max: 4 })),
  type: fc.option(fc.integer({ min: 1, max: 2 })),
  element: fc.option(fc.integer({ min: 1, max: 4 })),
  restriction: fc.option(fc.integer({ min: 1, max: 2 })),
  level: fc.option(fc.integer({ min: 1, max: 60 })),
  augmentation: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
});

describe('generateGem', () => {
  it('returns a valid gem with the requested properties', () => {
    fc.assert(
      fc.property(requests, seeds, (request, seed) => {
        const gem = generateGem(request, rolls(seed));
        const types = gem.stats.map((stat) => stat.type);
        expect(parse(JSON.parse(JSON.stringify(gem)))).toMatchObject({ id: gem.id, level: gem.level });
        for (const field of ['tier', 'type', 'element'] as const) expect(gem[field]).toBe(request[field] ?? gem[field]);
        expect(gem.level).toBe(Math.min(request.level ?? 1, TIERS[gem.tier].maxLevel));
        expect(countContainers(gem.stats)).toBe(3 + countBoosts(gem.level));
        expect(types.filter((type) => type === 7)).toHaveLength(gem.element === 4 ? 1 : 0);
        expect(gem.stats.filter((stat) => stat.locked).map((stat) => stat.type)).toEqual(gem.element === 4 ? [7] : []);
        expect(gem).toMatchObject({ attempts: 0, karma: 0, spent: {}, augmentation: request.augmentation ?? null });
        if (gem.type === 2) {
          expect(gem.restriction).toBeNull();
          expect(ELEMENTS[gem.element].abilities).toContain(gem.ability);
        } else {
          expect(gem.ability).toBeNull();
          const pool: readonly RollStatId[] = [...RESTRICTIONS[gem.restriction ?? 1].pool, 7];
          expect(types.every((type) => pool.includes(type))).toBe(true);
        }
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('starts every container at `augmentation`', () => {
    const gem = generateGem({ level: 15, augmentation: 0.25 }, rolls());
    expect(gem.stats.flatMap((stat) => stat.containers.map((container) => container.base))).toEqual(Array(6).fill(0.25));
    expect(gem.quality).toBe(0.25);
  });

  it('returns the same gem, including its id, for the same seed', () => {
    expect(generateGem({}, rolls('a'))).toEqual(generateGem({}, rolls('a')));
    expect(generateGem({}, rolls('a'))).not.toEqual(generateGem({}, rolls('b')));
  });

  it.each(['', 'x'.repeat(65), 1.5, Number.NaN, 2 ** 53])('rejects the seed %j', (seed) => {
    expect(faultOf(() => rolls(seed))).toEqual(invalid('seed'));
  });

  it.each(['x', 'x'.repeat(64), 1 - 2 ** 53, 2 ** 53 - 1])('accepts the seed %j', (seed) => {
    expect(generateGem({}, rolls(seed))).toEqual(generateGem({}, rolls(seed)));
  });

  it('returns a different gem each time without a seed', () => {
    const source = seededRandom('caller');
    const gems = ['a', null, undefined, 'a'].map((seed) => generateGem({}, rollsFor(seed, source, 1_800_000_000)));
    expect(gems[0]).toEqual(gems[3]);
    expect(gems[1]).not.toEqual(gems[2]);
  });

  it('ignores the restriction of an Empowered gem', () => {
    expect(generateGem({ type: 2, restriction: 99 }, rolls()).restriction).toBeNull();
  });

  it.each([
    [{ tier: 5 }, refused('tier')],
    [{ tier: 0 }, refused('tier')],
    [{ tier: 1.5 }, invalid('tier')],
    [{ type: 3 }, refused('type')],
    [{ element: -1 }, refused('element')],
    [{ restriction: 3 }, refused('restriction')],
    [{ type: 1, restriction: 0 }, refused('restriction')],
    [{ level: 0 }, invalid('level')],
    [{ level: 1.5 }, invalid('level')],
    [{ level: 1e308 }, invalid('level')],
    [{ level: Number.NaN }, invalid('level')],
    [{ augmentation: 1.01 }, invalid('augmentation')],
    [{ augmentation: -0.01 }, invalid('augmentation')],
    [{ augmentation: Number.POSITIVE_INFINITY }, invalid('augmentation')],
  ])('rejects %j', (request, fault) => {
    expect(faultOf(() => generateGem(request, rolls()))).toEqual(fault);
  });
});

describe('id of a generated gem', () => {
  it('consists of Unix seconds and six random digits', () => {
    const { newId } = randomRolls(seededRandom(1), 1_800_000_000);
    const ids = Array.from({ length: 100 }, newId);
    for (const id of ids) expect(Math.floor(id / 1e6)).toBe(1_800_000_000);
    expect(new Set(ids).size).toBeGreaterThan(95);
    expect(Math.max(...ids)).toBeLessThan(2 ** 53);
  });
});

describe('distribution of generateGem results', () => {
  /** Enough for `SUSPICIOUS` when a weight of a stat is wrong by 15 %, or one of two values has 53 %. */
  const draws = 10_000;

  it('is uniform over tier, type, element, restriction and ability, and over [0, 1) for bases', () => {
    const source = rolls('even');
    const made = Array.from({ length: draws }, () => generateGem({}, source));
    const count = <Key>(keys: readonly Key[], keyOf: (gem: (typeof made)[number]) => Key, among = made) => {
      const queue = [...among];
      return deviation(
        tally(keys, queue.length, () => keyOf(queue.pop() as (typeof made)[number])),
        even(keys.length),
      );
    };
    const lesser = made.filter((gem) => gem.type === 1);
    const cosmic = made.filter((gem) => gem.type === 2 && gem.element === 4);
    const fire = made.filter((gem) => gem.type === 2 && gem.element === 2);
    expect(count([1, 2, 3, 4], (gem) => gem.tier)).toBeLessThan(SUSPICIOUS);
    expect(count([1, 2], (gem) => gem.type)).toBeLessThan(SUSPICIOUS);
    expect(count([1, 2, 3, 4], (gem) => gem.element)).toBeLessThan(SUSPICIOUS);
    expect(count([1, 2], (gem) => gem.restriction, lesser)).toBeLessThan(SUSPICIOUS);
    expect(count([9, 10, 11, 12], (gem) => gem.ability, cosmic)).toBeLessThan(SUSPICIOUS);
    expect(count([1, 2, 3, 4, 5, 6, 7, 8], (gem) => gem.ability, fire)).toBeLessThan(SUSPICIOUS);
    expect(count([0, 1, 2], (gem) => gem.stats.findIndex((stat) => stat.type === 7), cosmic)).toBeLessThan(SUSPICIOUS);
    const tenthOf = (gem: (typeof made)[number]) => Math.floor(10 * (gem.stats[1].containers[0]?.base ?? 1));
    expect(count([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], tenthOf)).toBeLessThan(SUSPICIOUS);
  });

  it('has the weights of stats, drawn without replacement', () => {
    const weights: Record<number, number> = { 1: 0.143, 3: 0.143, 4: 0.143, 5: 0.096, 6: 0.047 };
    const triples = Object.keys(weights).flatMap((a) =>
      Object.keys(weights).flatMap((b) => Object.keys(weights).map((c) => [a, b, c].map(Number))),
    );
    const distinct = triples.filter((triple) => new Set(triple).size === 3);
    const weightOf = (type: number | undefined) => weights[type ?? 0] ?? 0;
    const probabilities = distinct.map(([a, b, c]) => {
      const all = 0.572;
      return ((weightOf(a) / all) * weightOf(b) * weightOf(c)) / ((all - weightOf(a)) * (all - weightOf(a) - weightOf(b)));
    });
    expect(probabilities.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    const source = rolls('weights');
    const keys = distinct.map((triple) => triple.join());
    const counts = tally(keys, draws, () =>
      generateGem({ type: 1, element: 1, restriction: 1 }, source)
        .stats.map((stat) => stat.type)
        .join(),
    );
    expect(deviation(counts, probabilities)).toBeLessThan(SUSPICIOUS);
  });

  it('includes both pools for Empowered gems, with uniform stats', () => {
    const source = rolls('pools');
    const draw = () => generateGem({ type: 2, element: 3 }, source).stats[0].type;
    const counts = tally([1, 2, 3, 4, 5, 6] as RollStatId[], draws, draw);
    expect(deviation(counts, [0.1, 0.1, 0.2, 0.2, 0.2, 0.2])).toBeLessThan(SUSPICIOUS);
  });

  it('is uniform over stats for boosts', () => {
    const source = rolls('boosts');
    const splits = ['300', '030', '003', '210', '201', '120', '021', '102', '012', '111'];
    const counts = tally(splits, draws, () =>
      generateGem({ level: 15, element: 1 }, source)
        .stats.map((stat) => stat.containers.length - 1)
        .join(''),
    );
    const shares = [1, 1, 1, 3, 3, 3, 3, 3, 3, 6].map((ways) => ways / 27);
    expect(deviation(counts, shares)).toBeLessThan(SUSPICIOUS);
  });
});
