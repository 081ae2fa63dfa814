import { describe, expect, it } from 'vitest';
import { type BoosterId, KARMA_MAX, TIERS } from '../../../../src/areas/gems/gem.data.ts';
import { BOOSTER_IDS, ELEMENT_IDS, TIER_IDS, TYPE_IDS } from '../../../../src/areas/gems/gem-input.domain.ts';
import {
  calculateLevelCosts,
  type GemKind,
  getLevelStep,
  type LevelCostsRequest,
  listLevelSteps,
} from '../../../../src/areas/gems/levels/level-costs.domain.ts';
import { levelUpTo } from '../../../../src/areas/gems/levels/level-up.domain.ts';
import { faultOf, invalid, refused } from '../support/errors.ts';
import { exampleTotals, parse, plainGem, rolls } from '../support/gems.ts';

const countsOf = (rows: { name: string; count: number }[]) => Object.fromEntries(rows.map(({ name, count }) => [name, count]));

/** Mean number of attempts of a Markov chain with one state per level and karma. */
function attemptsByChain(
  kind: GemKind,
  fromLevel: number,
  booster: BoosterId | null,
  level = fromLevel,
  karma = 0,
  known = new Map<string, number>(),
): number {
  const step = getLevelStep(kind, level + 1, booster);
  if (step === null) return 0;
  const key = `${level} ${karma}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const after = (nextLevel: number, nextKarma: number) => attemptsByChain(kind, fromLevel, booster, nextLevel, nextKarma, known);
  const double = level + 2 <= TIERS[kind.tier].maxLevel ? step.doubleChance : 0;
  const success = (1 - double) * after(level + 1, 0) + (double > 0 ? double * after(level + 2, 0) : 0);
  const failure =
    step.chance >= 1 ? 0 : karma + step.karmaPerFail >= KARMA_MAX ? after(level + 1, 0) : after(level, karma + step.karmaPerFail);
  const mean = 1 + step.chance * success + (1 - step.chance) * failure;
  known.set(key, mean);
  return mean;
}

describe('calculateLevelCosts', () => {
  it('returns the documented Radiant example', () => {
    const costs = calculateLevelCosts({ tier: 1, type: 1, element: 3, from_level: 20 });
    expect(costs.levels.map((row) => [row.level, row.karma_per_fail, row.expected_attempts, row.max_attempts])).toEqual([
      [21, 10, 7.46, 13],
      [22, 8, 9.21, 16],
      [23, 4, 18.23, 32],
    ]);
    expect(countsOf(costs.expected_total)).toEqual({ Flux: 3350, 'Air Gem Dust': 14479 });
    expect(costs.exact_attempts).toBe(34.79);
    expect(costs.levels.reduce((sum, row) => sum + row.expected_attempts, 0)).toBeCloseTo(34.9, 9);
  });

  it('returns the documented Crystal example with a booster', () => {
    const costs = calculateLevelCosts({ tier: 3, type: 1, element: 2, booster: 'booster2', from_level: 27 });
    expect(costs.booster).toBe('booster2');
    costs.levels.forEach((row, index) => {
      expect(row.chance).toBeCloseTo([0.06, 0.02835, 0.01905][index] ?? 0, 12);
    });
    expect(costs.levels[0]?.cost).toEqual([
      { item: 'item/crafting/gemdust_red', name: 'Fire Gem Dust', count: 2750 },
      { item: 'item/crafting/gemamber_red', name: 'Fire Gem Spark', count: 6 },
      { item: 'item/gem/booster/booster2', name: 'Glittering Horseshoe', count: 1 },
    ]);
    expect(costs.expected_total.map(({ name, count }) => [name, count])).toEqual(Object.entries(exampleTotals.boosted));
  });

  it('defaults to a Lesser Mystic Water gem', () => {
    const costs = calculateLevelCosts({});
    expect(costs).toMatchObject({ tier: 4, type: 1, element: 1, booster: null, from_level: 1 });
    expect(costs.levels).toHaveLength(34);
    expect(countsOf(costs.expected_total)).toEqual(exampleTotals.mystic);
  });

  it('includes double level-ups with a booster as documented', () => {
    const costs = calculateLevelCosts({ tier: 1, type: 1, element: 3, from_level: 10, booster: 'booster4' });
    expect(costs.exact_attempts).toBe(25.55);
    expect(costs.levels.reduce((sum, row) => sum + row.expected_attempts, 0)).toBeCloseTo(26.07, 1);
  });

  it('returns the mean of the full Markov chain for every kind, booster and start', () => {
    for (const tier of TIER_IDS) {
      for (const type of TYPE_IDS) {
        for (const element of ELEMENT_IDS) {
          for (const booster of [null, ...BOOSTER_IDS]) {
            for (const from of [1, 12, TIERS[tier].maxLevel - 1]) {
              const { exact_attempts: exact } = calculateLevelCosts({ tier, type, element, booster, from_level: from });
              expect(exact).toBeCloseTo(attemptsByChain({ tier, type, element }, from, booster), 1);
              expect(Math.abs(exact - attemptsByChain({ tier, type, element }, from, booster))).toBeLessThan(0.00500001);
            }
          }
        }
      }
    }
  });

  it('returns the simulated mean of a thousand gems', () => {
    const gem = parse(plainGem({ tier: 4, type: 2, element: 2, level: 25 }));
    const source = rolls('mean');
    const attempts = Array.from({ length: 1000 }, () => levelUpTo(gem, 35, 'booster4', null, source).attempts);
    const mean = attempts.reduce((sum, count) => sum + count, 0) / attempts.length;
    const { exact_attempts: exact } = calculateLevelCosts({ tier: 4, type: 2, element: 2, booster: 'booster4', from_level: 25 });
    expect(mean / exact).toBeGreaterThan(0.97);
    expect(mean / exact).toBeLessThan(1.03);
  });

  it('returns no quantile above the maximum attempts of a level', () => {
    for (const booster of [null, ...BOOSTER_IDS]) {
      for (const row of calculateLevelCosts({ tier: 4, type: 2, booster }).levels) {
        const { 50: half, 90: most, 99: nearly } = row.attempt_quantiles;
        const succeeds = (attempts: number) => 1 - (1 - row.chance) ** attempts;
        expect(half <= most && most <= nearly && nearly <= row.max_attempts).toBe(true);
        if (nearly < row.max_attempts) expect(succeeds(nearly)).toBeGreaterThanOrEqual(0.99);
        if (nearly > 1) expect(succeeds(nearly - 1)).toBeLessThan(0.99);
      }
    }
  });

  it('returns one attempt for a level with a chance of 100 %', () => {
    const [row] = calculateLevelCosts({ tier: 2 }).levels;
    expect(row).toMatchObject({ level: 2, chance: 1, double_chance: 0, karma_per_fail: 100, expected_attempts: 1, max_attempts: 1 });
    expect(row?.attempt_quantiles).toEqual({ 50: 1, 90: 1, 99: 1 });
  });

  it('counts attempts that reach a probability exactly', () => {
    const row = calculateLevelCosts({ tier: 1, type: 1 }).levels.find(({ level }) => level === 5);
    expect([row?.chance, row?.attempt_quantiles]).toEqual([0.9, { 50: 1, 90: 1, 99: 2 }]);
  });

  it('returns a higher chance at level 35 than at level 34 for elemental Empowered Mystic gems', () => {
    const steps = listLevelSteps({ tier: 4, type: 2, element: 1 }, 33, null);
    expect(steps.map(({ chance }) => chance)).toEqual([0.009937, 0.0795]);
  });

  it.each([35, 36, 1e12])('returns no rows from level %d on', (from) => {
    expect(calculateLevelCosts({ from_level: from })).toMatchObject({ levels: [], expected_total: [], exact_attempts: 0, exact_total: [] });
  });

  it.each<[LevelCostsRequest, ReturnType<typeof invalid> | ReturnType<typeof refused>]>([
    [{ tier: 5 }, refused('tier')],
    [{ type: 0 }, refused('type')],
    [{ element: 5 }, refused('element')],
    [{ booster: 'booster1' }, refused('booster')],
    [{ from_level: 0 }, invalid('from_level')],
    [{ from_level: Number.POSITIVE_INFINITY }, invalid('from_level')],
  ])('rejects %j', (request, fault) => {
    expect(faultOf(() => calculateLevelCosts(request))).toEqual(fault);
  });
});
