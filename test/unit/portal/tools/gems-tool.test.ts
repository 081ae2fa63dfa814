import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COSMIC, EMPOWERED, FLUX, LIGHT, SPARK_COST, TIERS } from '../../../../src/areas/gems/gem.data.ts';
import { countContainers, POSITIONS } from '../../../../src/areas/gems/gem.domain.ts';
import { seededRolls } from '../../../../src/areas/gems/gem-generate.domain.ts';
import { ELEMENT_IDS, parseGem, RESTRICTION_IDS, TIER_IDS, TYPE_IDS } from '../../../../src/areas/gems/gem-input.domain.ts';
import { initialState, readState, writeState } from '../../../../src/areas/portal/tools/frame/state.domain.ts';
import {
  addToSpent,
  boostSplits,
  COST_ITEMS,
  costToMaximum,
  rollGem,
  sparkStep,
  spentRows,
  statChoices,
  viewBuilder,
  withKind,
  withRoll,
  withSplit,
  withStatType,
} from '../../../../src/areas/portal/tools/gems/gem-builder.domain.ts';
import { gemCard } from '../../../../src/areas/portal/tools/gems/gem-card.domain.ts';
import { cheapestWays, checkChoices, checkedGem, viewCheck } from '../../../../src/areas/portal/tools/gems/gem-check.domain.ts';
import { writeGem } from '../../../../src/areas/portal/tools/gems/gem-code.domain.ts';
import { SPREAD_RUNS, spreadToMaximum } from '../../../../src/areas/portal/tools/gems/gem-spread.domain.ts';
import { adjustGems, checkInputOf, gemsFields } from '../../../../src/areas/portal/tools/gems/gems-tool.domain.ts';
import { gems } from '../../../support/gem-samples.ts';

const example = initialState(gemsFields);

describe('the gem builder', () => {
  it('keeps every gem valid whatever is changed', () => {
    const change = fc.record(
      {
        tier: fc.constantFrom(...TIER_IDS),
        type: fc.constantFrom(...TYPE_IDS),
        element: fc.constantFrom(...ELEMENT_IDS),
        restriction: fc.constantFrom(...RESTRICTION_IDS),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(gems, change, fc.nat(), (gem, changes, seed) => {
        const changed = withKind(gem, changes, seededRolls(seed));
        expect(parseGem(changed, () => 1)).toEqual(changed);
        expect(changed).toMatchObject({ ...changes, ...(changed.type === EMPOWERED ? { restriction: null } : {}) });
        expect(changed.element !== COSMIC || changed.stats.some(({ type }) => type === LIGHT)).toBe(true);
        for (const position of POSITIONS)
          for (const type of statChoices(changed, position))
            expect(() => parseGem(withStatType(changed, position, type), () => 1)).not.toThrow();
        for (const split of boostSplits(changed)) {
          const moved = withSplit(changed, split);
          expect(moved.stats.map(({ containers }) => containers.length - 1)).toEqual(split);
          expect(countContainers(moved.stats)).toBe(countContainers(changed.stats));
        }
      }),
    );
  });

  it('shows each value between its minimum and its maximum', () => {
    fc.assert(
      fc.property(gems, (gem) => {
        for (const { value, min, max, progress } of viewBuilder(gem, null).stats) {
          expect(value).toBeGreaterThanOrEqual(min - 1e-6);
          expect(value).toBeLessThanOrEqual(max + 1e-6);
          expect(progress).toBeCloseTo((value - min) / (max - min), 6);
        }
      }),
    );
  });

  it('gives every container of a stat the roll that a person sets', () => {
    const gem = withRoll(example.gem, 1, 0.75);
    expect(viewBuilder(gem, null).stats[1]).toMatchObject({ progress: 0.75, isMaxed: false });
    expect(viewBuilder(withRoll(gem, 1, 1), null).stats[1]).toMatchObject({ progress: 1, isMaxed: true });
  });

  it('rolls gems of the shown kind', () => {
    const { gem } = rollGem({ ...example.gem, tier: 2, level: 7 }, seededRolls(1));
    const { type, element, restriction } = example.gem;
    expect(gem).toMatchObject({ tier: 2, type, element, restriction, level: 7, id: 1, attempts: 0 });
  });

  it('adds up materials by item', () => {
    const step = sparkStep(example.gem, 0, seededRolls(1));
    const twice = addToSpent(addToSpent({}, step.cost), step.cost);
    expect(spentRows(twice)).toEqual(SPARK_COST.map((row) => ({ ...row, count: row.count * 2 })));
    expect(addToSpent({}, [{ item: '', name: 'Unknown', count: 1 }])).toEqual({});
    expect(COST_ITEMS[0]).toBe(FLUX);
  });
});

describe('the state of the tool', () => {
  it('keeps a gem and its materials in a link', () => {
    fc.assert(
      fc.property(gems, (gem) => {
        const state = { ...example, gem, spent: { 0: 210, 3: 389 } };
        expect(readState(gemsFields, writeState(gemsFields, state))).toEqual({ state, ignored: [] });
      }),
    );
  });

  it('lowers levels to those of the tier', () => {
    const state = adjustGems({ ...example, tier: 1, level: 35, gem: { ...example.gem, tier: 1, level: 23 }, to: 35 });
    expect([state.level, state.to]).toEqual([TIERS[1].maxLevel, TIERS[1].maxLevel]);
    expect(adjustGems({ ...example, to: 1 }).to).toBe(example.gem.level + 1);
  });
});

describe('the evaluator', () => {
  it('places the example between minimum and maximum', () => {
    const view = viewCheck(checkInputOf(example));
    expect(view.issues).toEqual([]);
    expect(view.boosts).toBe(3);
    for (const { value, min, max } of view.stats) expect(value >= min && value <= max).toBe(true);
  });

  it('states the range of a Power Rank that no gem has', () => {
    const view = viewCheck({ ...checkInputOf(example), by: 'rank', rank: 9000 });
    expect(view.band?.isWithin).toBe(false);
    expect(view.issues).toHaveLength(1);
  });

  it('opens a gem in the simulator with the same quality', () => {
    const input = checkInputOf(example);
    const { quality } = viewCheck(input);
    expect(viewBuilder(checkedGem(input), null).gem.quality).toBeCloseTo(quality, 2);
  });

  it('offers each stat once, and never a second damage', () => {
    expect(checkChoices([1, 3, 5], 0)).not.toContain(3);
    expect(checkChoices([1, 3, 5], 0)).toEqual(expect.arrayContaining([1, 2]));
    expect(checkChoices([1, 3, 5], 1)).not.toContain(2);
  });

  it('finds the entered percentages and boosts again', () => {
    const view = viewCheck({ ...checkInputOf(example), by: 'percent', percents: [80, 65.5, 40], boosts: [2, 0, 1], level: 15 });
    expect(view.stats.map(({ progress, boosts }) => [progress, boosts])).toEqual([
      [0.8, 2],
      [0.655, 0],
      [0.4, 1],
    ]);
    // Each percentage counts once for every container of its stat.
    expect(view.quality).toBeCloseTo((0.8 * 3 + 0.655 + 0.4 * 2) / 6, 4);
    expect(view.issues).toEqual([]);
  });

  it('keeps as many boosts as the level has', () => {
    expect(adjustGems({ ...example, level: 4, boosts: [1, 1, 1] }).boosts).toEqual([0, 0, 0]);
    expect(adjustGems({ ...example, level: 10, boosts: [1, 1, 1] }).boosts).toEqual([1, 1, 0]);
    expect(adjustGems({ ...example, level: 15, boosts: [0, 0, 1] }).boosts).toEqual([2, 0, 1]);
  });

  it('marks the ways with the least flux and the fewest focuses', () => {
    const ways = cheapestWays(viewCheck(checkInputOf(example)).ways);
    const flux = ways.map(({ recipe_totals: totals }) => totals.flux ?? 0);
    expect(ways.filter(({ isCheapest }) => isCheapest).map(({ recipe_totals: totals }) => totals.flux)).toEqual([Math.min(...flux)]);
    expect(ways.find(({ isFewest }) => isFewest)?.key).toBe('optimized_all');
  });
});

describe('spreadToMaximum', () => {
  it('counts every run once and returns the same for the same seed', () => {
    const run = () => spreadToMaximum({ gem: example.gem, booster: 'booster5' }, seededRolls('spread').random);
    const spreads = run();
    expect(spreads[0]?.name).toBe('Attempts');
    for (const { bars, p10, p50, p90 } of spreads) {
      expect(bars.reduce((sum, { runs }) => sum + runs, 0)).toBe(SPREAD_RUNS);
      expect(p10 <= p50 && p50 <= p90).toBe(true);
    }
    expect(run()).toEqual(spreads);
  });

  it('has the exact mean of the level costs', () => {
    const gem = { ...example.gem, level: 30, karma: 0 };
    const [attempts] = spreadToMaximum({ gem, booster: null }, seededRolls('spread').random);
    const exact = costToMaximum(gem, null).exact_attempts;
    expect(Math.abs((attempts?.mean ?? 0) - exact) / exact).toBeLessThan(0.03);
  });
});

describe('gemCard', () => {
  it('describes the gem of a link', () => {
    const card = gemCard(writeGem(example.gem));
    expect(card).toMatchObject({
      kind: 'Water Lesser Gem',
      title: 'Fierce Mystic Gem',
      facts: ['Level 15', 'Quality 32.1 %', 'Power Rank 1,613'],
    });
    expect(gemCard('nonsense')).toBeNull();
  });
});
