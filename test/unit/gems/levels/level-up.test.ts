import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOOSTERS, TIERS } from '../../../../src/areas/gems/gem.data.ts';
import { countContainers, type Gem } from '../../../../src/areas/gems/gem.domain.ts';
import { calculateKarma, countMaxAttempts, getLevelStep } from '../../../../src/areas/gems/levels/level-costs.domain.ts';
import { levelUp, levelUpTo } from '../../../../src/areas/gems/levels/level-up.domain.ts';
import { deviation, even, SUSPICIOUS, tally } from '../support/chi-square.ts';
import { faultOf, invalid, refused } from '../support/errors.ts';
import { container, gemArbitrary, parse, plainGem, rolls, seeds, stat } from '../support/gems.ts';
import { PROPERTY_RUNS } from '../support/run-size.ts';

const boosters = fc.constantFrom(null, ...Object.keys(BOOSTERS));

/** Rolls with fixed results for the draws of probabilities, and the lowest value for all other draws. */
function scripted(...words: number[]) {
  return { random: () => words.shift() ?? 0, newId: () => 1 };
}
const HIT = [0, 0];
const MISS = [2 ** 32 - 1, 2 ** 32 - 1];

describe('levelUp', () => {
  it('gains a level on success and empties the karma bar', () => {
    const gem = parse(plainGem({ tier: 1, level: 20, karma: 50, attempts: 4, spent: { Flux: 4 } }));
    const result = levelUp(gem, null, scripted(...HIT, ...MISS));
    expect(result).toMatchObject({
      applied: true,
      outcome: 'success',
      chance: 0.1,
      double_chance: 0.005,
      guaranteed: false,
      karma_gained: 0,
    });
    expect(result.cost).toEqual([
      { item: 'item/crafting/flux', name: 'Flux', count: 96 },
      { item: 'item/crafting/gemdust_blue', name: 'Water Gem Dust', count: 322 },
    ]);
    expect(result.gem).toMatchObject({ level: 21, karma: 0, attempts: 5, spent: { Flux: 100, 'Water Gem Dust': 322 } });
  });

  it('gains two levels on a double, with the containers of both', () => {
    const gem = parse(plainGem({ level: 13 }));
    const result = levelUp(gem, 'booster4', scripted(...HIT, ...HIT));
    expect(result).toMatchObject({ outcome: 'double', gem: { level: 15 } });
    expect(result.double_chance).toBeCloseTo(0.025, 12);
    expect(countContainers(result.gem.stats)).toBe(4);
  });

  it('gains one level on a double below the maximum level', () => {
    expect(levelUp(parse(plainGem({ level: 22 })), null, scripted(...HIT, ...HIT))).toMatchObject({
      outcome: 'success',
      gem: { level: 23 },
    });
  });

  it('gains karma on failure, and the level when the bar is full', () => {
    const failed = levelUp(parse(plainGem({ level: 20, karma: 114 })), null, scripted(...MISS));
    expect(failed).toMatchObject({
      applied: false,
      outcome: 'failed',
      karma_gained: 10,
      guaranteed: false,
      gem: { karma: 124, level: 20 },
    });
    const forced = levelUp(parse(plainGem({ level: 20, karma: 115 })), null, scripted(...MISS));
    expect(forced).toMatchObject({
      applied: true,
      outcome: 'success',
      karma_gained: 10,
      guaranteed: true,
      gem: { karma: 0, level: 21, attempts: 1 },
    });
  });

  it('adds containers at the fixed roll of the gem, and none to a full gem', () => {
    const grown = levelUp(parse(plainGem({ level: 4, augmentation: 0.75 })), 'booster5', scripted(...HIT, ...MISS));
    expect(grown.gem.stats[0].containers.map(({ base }) => base)).toEqual([0.5, 0.75]);
    const slots = Array.from({ length: 14 }, () => container(0.5));
    const full = plainGem({ level: 4, stats: [stat(1, ...slots), stat(3, container(0.5)), stat(5, container(0.5))] });
    expect(countContainers(levelUp(parse(full), 'booster5', scripted(...HIT, ...MISS)).gem.stats)).toBe(16);
  });

  it('does not change a gem at its last level', () => {
    const gem = parse(plainGem({ level: 23, karma: 9 }));
    const result = levelUp(gem, 'booster2', rolls());
    expect(result).toMatchObject({
      applied: false,
      outcome: 'max_level',
      chance: 0,
      double_chance: 0,
      cost: [],
      guaranteed: false,
      karma_gained: 0,
    });
    expect(parse(result.gem)).toEqual(gem);
  });

  it('rejects an invalid booster at the last level', () => {
    expect(faultOf(() => levelUp(parse(plainGem({ level: 23 })), 'booster3', rolls()))).toEqual(refused('booster'));
  });

  it('includes the booster in the cost and returns unrounded chances', () => {
    const result = levelUp(parse(plainGem({ tier: 3, level: 29 })), 'booster2', scripted(...MISS));
    expect(result.chance).toBe(0.0127 * 1.5);
    expect(result.gem.spent).toEqual({ 'Primal Gem Shard': 1, 'Water Gem Spark': 15, 'Glittering Horseshoe': 1 });
  });

  it('returns a valid gem with counters within bounds and karma below the maximum', () => {
    fc.assert(
      fc.property(gemArbitrary, boosters, seeds, (gem, booster, seed) => {
        const { gem: after, applied } = levelUp(gem, booster, rolls(seed));
        expect(() => parse(JSON.parse(JSON.stringify(after)))).not.toThrow();
        expect(after.karma).toBeLessThanOrEqual(gem.level === after.level ? 125 : 0);
        expect(after.level > gem.level).toBe(applied);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('caps the counters at the maximum accepted in a request', () => {
    const gem = parse(plainGem({ attempts: 1e12, spent: { Flux: 1e12 } }));
    expect(levelUp(gem, null, rolls()).gem).toMatchObject({ attempts: 1e12, spent: { Flux: 1e12 } });
  });
});

describe('calculateKarma', () => {
  it.each([
    [0.24, 0.05, 29],
    [0.29, 0, 29],
    [0.009937, 0.005, 1],
    [1, 0.05, 105],
  ])('returns the integer percent of %d + %d: %d', (chance, double, karma) => {
    expect(calculateKarma(chance, double)).toBe(karma);
  });
});

describe('countMaxAttempts', () => {
  it('returns at most 125 attempts for any gem and booster', () => {
    for (const tier of [1, 2, 3, 4] as const) {
      for (const type of [1, 2] as const) {
        for (const element of [1, 4] as const) {
          for (let level = 2; level <= TIERS[tier].maxLevel; level += 1) {
            const step = getLevelStep({ tier, type, element }, level, null);
            expect(step?.level).toBe(level);
            expect(step && countMaxAttempts(step)).toBeLessThanOrEqual(125);
          }
          expect(getLevelStep({ tier, type, element }, TIERS[tier].maxLevel + 1, null)).toBeNull();
        }
      }
    }
  });

  it('is never exceeded by attempts of levelUp, and karma never exceeds 125', () => {
    let gem: Gem = parse(plainGem({ tier: 4, type: 2, level: 1 }));
    const source = rolls('bounds');
    let here = 0;
    while (gem.level < 35) {
      const step = getLevelStep(gem, gem.level + 1, null);
      const result = levelUp(gem, null, source);
      here += 1;
      expect(here).toBeLessThanOrEqual(step ? countMaxAttempts(step) : 0);
      expect(result.gem.karma).toBeLessThan(125);
      if (result.applied) here = 0;
      gem = parse(result.gem);
    }
  });
});

describe('levelUpTo', () => {
  it('returns the result of repeated single attempts', () => {
    const gem = parse(plainGem({ tier: 2, level: 10 }));
    const result = levelUpTo(gem, 20, 'booster2', null, rolls('many'));
    const source = rolls('many');
    let single = gem;
    const outcomes = { success: 0, double: 0, failed: 0 };
    while (single.level < 20) {
      const step = levelUp(single, 'booster2', source);
      if (step.outcome !== 'max_level') outcomes[step.outcome] += 1;
      single = parse(step.gem);
    }
    expect(parse(result.gem)).toEqual(single);
    expect(result).toMatchObject({ applied: true, reached: true, attempts: single.attempts, outcomes });
    expect(Object.fromEntries(result.cost.map(({ name, count }) => [name, count]))).toEqual(single.spent);
  });

  it('stops at max_attempts', () => {
    const result = levelUpTo(parse(plainGem({ tier: 4, level: 33 })), 35, null, 3, rolls('few'));
    expect(result).toMatchObject({ attempts: 3, reached: false });
  });

  it('makes no attempt if the target is not above the level of the gem', () => {
    const result = levelUpTo(parse(plainGem({ level: 20 })), 20, null, null, rolls());
    expect(result).toMatchObject({
      applied: false,
      reached: true,
      attempts: 0,
      guaranteed: 0,
      cost: [],
      outcomes: { success: 0, double: 0, failed: 0 },
    });
  });

  it('always reaches the target with enough attempts', () => {
    fc.assert(
      fc.property(gemArbitrary, boosters, seeds, (gem, booster, seed) => {
        const { maxLevel } = TIERS[gem.tier];
        const result = levelUpTo(gem, maxLevel, booster, null, rolls(seed));
        return result.reached && result.gem.level === maxLevel && result.attempts <= 34 * 125;
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    [24, null, null, refused('level')],
    [0, null, null, invalid('level')],
    [10, 'booster1', null, refused('booster')],
    [10, null, 0, invalid('max_attempts')],
    [10, null, 5001, invalid('max_attempts')],
    [10, null, 1.5, invalid('max_attempts')],
  ])('rejects level %s, booster %s, attempts %s', (level, booster, attempts, fault) => {
    expect(faultOf(() => levelUpTo(parse(plainGem()), level, booster, attempts, rolls()))).toEqual(fault);
  });
});

describe('distribution of levelUp results', () => {
  it('has the chances of success and double', () => {
    const gem = parse(plainGem({ level: 18 }));
    const source = rolls('outcomes');
    const { chance, double_chance: double } = levelUp(gem, 'booster4', rolls());
    const counts = tally(['success', 'double', 'failed'], 20_000, () => levelUp(gem, 'booster4', source).outcome as string);
    expect(deviation(counts, [chance * (1 - double), chance * double, 1 - chance])).toBeLessThan(SUSPICIOUS);
  });

  it('is uniform over stats for new containers', () => {
    const gem = parse(plainGem({ level: 4 }));
    const source = rolls('containers');
    const counts = tally([0, 1, 2], 5000, () =>
      levelUp(gem, 'booster5', source).gem.stats.findIndex((entry) => entry.containers.length === 2),
    );
    expect(deviation(counts, even(3))).toBeLessThan(SUSPICIOUS);
  });

  it('is a truncated geometric distribution for the number of attempts', () => {
    const gem = parse(plainGem({ level: 20 }));
    const source = rolls('attempts');
    const attempts = Array.from({ length: 13 }, (_, index) => index + 1);
    const counts = tally(attempts, 8000, () => levelUpTo(gem, 21, null, null, source).attempts);
    const shares = attempts.map((count) => (count < 13 ? 0.1 * 0.9 ** (count - 1) : 0.9 ** 12));
    expect(deviation(counts, shares)).toBeLessThan(SUSPICIOUS);
  });
});
