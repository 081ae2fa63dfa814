import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RollStatId, TIERS } from '../../../../src/areas/gems/gem.data.ts';
import { countContainers, progressOf, realValue, viewGem } from '../../../../src/areas/gems/gem.domain.ts';
import { countBoosts } from '../../../../src/areas/gems/gem-figures.domain.ts';
import { augmentGem, flareGem, setGemLevel, sparkCandidates, sparkGem } from '../../../../src/areas/gems/simulator/gem-changes.domain.ts';
import { deviation, even, SUSPICIOUS, tally } from '../support/chi-square.ts';
import { faultOf, invalid, refused } from '../support/errors.ts';
import { container, gemArbitrary, parse, plainGem, rolls, seeds, stat } from '../support/gems.ts';
import { PROPERTY_RUNS } from '../support/run-size.ts';

const positions = fc.constantFrom(0, 1, 2);
const cosmic = (fields: object = {}) =>
  plainGem({
    element: 4,
    stats: [{ type: 7, locked: true, containers: [container(0.5)] }, stat(1, container(0.5)), stat(3, container(0.5))],
    ...fields,
  });

describe('augmentGem', () => {
  it('fills the first container below 1, and the last focus overflows', () => {
    const gem = parse(plainGem({ stats: [stat(1, container(0.95), container(0.2)), stat(3, container(0.5)), stat(5, container(0.5))] }));
    const once = augmentGem(gem, 0, 3);
    expect(once.applied).toBe(true);
    expect(once.cost).toEqual([{ item: 'item/gem/booster/augment3', name: "Builder's Superior Focus", count: 1 }]);
    expect(once.gem.stats[0].containers[0]?.real_value).toBeCloseTo(1.075, 12);
    const twice = augmentGem(parse(once.gem), 0);
    expect(twice.gem.stats[0].containers[1]?.augments).toEqual([
      { type: 1, count: 1 },
      { type: 2, count: 0 },
      { type: 3, count: 0 },
    ]);
  });

  it('does not change a stat that is full because of the overflow of a container', () => {
    const gem = parse(
      plainGem({ stats: [stat(1, container(1, { 3: 4 }), container(0.5)), stat(3, container(1)), stat(5, container(0.5))] }),
    );
    expect(augmentGem(gem, 0, 1)).toMatchObject({ applied: false, cost: [] });
    expect(parse(augmentGem(gem, 1, 1).gem)).toEqual(gem);
  });

  it('never decreases a value and eventually fills every stat', () => {
    fc.assert(
      fc.property(gemArbitrary, positions, fc.constantFrom(1, 2, 3), (gem, position, type) => {
        const { applied, gem: after } = augmentGem(gem, position, type);
        expect(after.quality).toBeGreaterThanOrEqual(viewGem(gem).quality);
        gem.stats.forEach((before, index) => {
          const now = after.stats[index] ?? before;
          expect(progressOf(now)).toBeGreaterThanOrEqual(progressOf(before));
          for (const [slot, held] of before.containers.entries()) {
            expect(realValue(now.containers[slot] ?? held)).toBeGreaterThanOrEqual(realValue(held));
          }
        });
        expect(applied).toBe(progressOf(gem.stats[position as 0]) < 1);
      }),
      { numRuns: PROPERTY_RUNS },
    );
    let gem = parse(plainGem());
    let applied = 0;
    for (let change = augmentGem(gem, 0); change.applied; change = augmentGem(gem, 0)) {
      gem = parse(change.gem);
      applied += 1;
    }
    expect(applied).toBe(20);
  });

  it.each([
    [0, 0, refused('augment_type')],
    [0, 4, refused('augment_type')],
    [0, 1.5, invalid('augment_type')],
    [3, 1, refused('stat_position')],
    [-1, 1, invalid('stat_position')],
  ])('rejects position %d with augment %d', (position, type, fault) => {
    expect(faultOf(() => augmentGem(parse(plainGem()), position, type))).toEqual(fault);
  });
});

describe('sparkGem', () => {
  it.each<[string, object, RollStatId[]]>([
    ['a Fierce gem', plainGem(), [4, 6]],
    ['an Arcane gem with a foreign damage stat', plainGem({ restriction: 2 }), [4, 6]],
    ['an unrestricted gem', plainGem({ restriction: null }), [4, 6]],
    [
      'an unrestricted gem without damage',
      plainGem({ restriction: null, stats: [stat(3, container(0.5)), stat(4, container(0.5)), stat(5, container(0.5))] }),
      [1, 2, 6],
    ],
    ['a Cosmic Empowered gem with Light', cosmic({ type: 2, restriction: null }), [4, 5, 6]],
    ['a Cosmic Empowered gem without Light', plainGem({ type: 2, element: 4 }), [4, 6, 7]],
  ])('has the remaining stats of the pool as candidates for %s', (_, gem, types) => {
    expect(sparkCandidates(parse(gem))).toEqual(types);
  });

  it('does not change locked stats', () => {
    const gem = parse(cosmic());
    expect(sparkGem(gem, 0, rolls())).toMatchObject({ applied: false, cost: [] });
    expect(parse(sparkGem(gem, 0, rolls()).gem)).toEqual(gem);
  });

  it('does not change containers and augments, and returns the cost', () => {
    const gem = parse(plainGem({ stats: [stat(1, container(0.3, { 2: 3 })), stat(3, container(0.5)), stat(5, container(0.5))] }));
    const { applied, cost, gem: after } = sparkGem(gem, 0, rolls());
    expect(applied).toBe(true);
    expect(cost.map(({ name, count }) => [name, count])).toEqual([
      ['Glim', 75],
      ['Contained Chaos Spark', 1],
    ]);
    expect(parse(after).stats[0].containers).toEqual(gem.stats[0].containers);
  });

  it('returns a valid gem and never changes one damage type to the other', () => {
    fc.assert(
      fc.property(gemArbitrary, positions, seeds, (gem, position, seed) => {
        const { gem: after } = sparkGem(gem, position, rolls(seed));
        expect(() => parse(after)).not.toThrow();
        const [was, is] = [gem.stats[position as 0].type, after.stats[position as 0].type];
        expect([was, is].sort()).not.toEqual([1, 2]);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('selects candidates uniformly', () => {
    const source = rolls('spark');
    const gem = parse(cosmic({ type: 2, restriction: null }));
    const counts = tally([4, 5, 6], 5000, () => sparkGem(gem, 1, source).gem.stats[1].type);
    expect(deviation(counts, even(3))).toBeLessThan(SUSPICIOUS);
  });
});

describe('flareGem', () => {
  const giving = plainGem({
    stats: [stat(1, container(0.1), container(0.2), container(0.3, { 1: 2 })), stat(3, container(0.5)), stat(5, container(0.6))],
  });

  it('moves the last boost unchanged', () => {
    const gem = parse(giving);
    const { applied, gem: after } = flareGem(gem, 0, rolls());
    expect(applied).toBe(true);
    const receiver = after.stats[1].containers.length === 2 ? 1 : 2;
    expect(parse(after).stats[0].containers).toEqual(gem.stats[0].containers.slice(0, 2));
    expect(parse(after).stats[receiver].containers).toEqual([...gem.stats[receiver].containers, gem.stats[0].containers[2]]);
  });

  it('moves nothing from a stat with one container, and moves boosts between locked stats', () => {
    expect(flareGem(parse(plainGem()), 1, rolls()).applied).toBe(false);
    const locked = plainGem({ stats: parse(giving).stats.map((entry) => ({ ...entry, locked: true })) });
    expect(flareGem(parse(locked), 0, rolls()).applied).toBe(true);
  });

  it('does not change the number of containers', () => {
    fc.assert(
      fc.property(gemArbitrary, positions, seeds, (gem, position, seed) => {
        const { gem: after } = flareGem(gem, position, rolls(seed));
        return countContainers(after.stats) === countContainers(gem.stats) && after.stats.every((entry) => entry.containers.length > 0);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('selects one of the other stats uniformly', () => {
    const source = rolls('flare');
    const gem = parse(giving);
    const receiver = () => flareGem(gem, 0, source).gem.stats.findIndex((entry, index) => index > 0 && entry.containers.length === 2);
    expect(deviation(tally([1, 2], 5000, receiver), even(2))).toBeLessThan(SUSPICIOUS);
  });
});

describe('setGemLevel', () => {
  it('adjusts the containers to the level', () => {
    fc.assert(
      fc.property(gemArbitrary, fc.integer({ min: 1, max: 50 }), seeds, (gem, level, seed) => {
        const { applied, gem: after } = setGemLevel(gem, level, rolls(seed));
        const wanted = Math.min(level, TIERS[gem.tier].maxLevel);
        expect(applied).toBe(wanted !== gem.level);
        expect(after.level).toBe(wanted);
        expect([after.attempts, after.spent]).toEqual([gem.attempts, gem.spent]);
        if (applied) {
          expect(after.karma).toBe(0);
          expect(countContainers(after.stats)).toBe(3 + countBoosts(wanted));
        } else {
          expect(parse(after)).toEqual(gem);
        }
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('does not change a gem at the maximum level if the target is above the maximum', () => {
    const gem = parse(plainGem({ level: 23, karma: 60 }));
    expect(setGemLevel(gem, 99, rolls())).toMatchObject({ applied: false, gem: { karma: 60, level: 23 } });
  });

  it('removes surplus containers uniformly from stats with more than one', () => {
    const stats = [stat(1, container(0.1), container(0.2)), stat(3, container(0.1), container(0.2)), stat(5, container(0.5))];
    const gem = parse(plainGem({ level: 12, stats }));
    const source = rolls('surplus');
    const counts = tally([0, 1], 5000, () => setGemLevel(gem, 9, source).gem.stats.findIndex((entry) => entry.containers.length === 1));
    expect(deviation(counts, even(2))).toBeLessThan(SUSPICIOUS);
  });

  it.each([0, -1, 2.5, Number.NaN, 1e308])('rejects level %d', (level) => {
    expect(faultOf(() => setGemLevel(parse(plainGem()), level, rolls()))).toEqual(invalid('level'));
  });
});
