import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateGem } from '../../../src/areas/gems/evaluator/evaluate.domain.ts';
import { evaluateSimple } from '../../../src/areas/gems/evaluator/evaluate-simple.domain.ts';
import { viewGem } from '../../../src/areas/gems/gem.domain.ts';
import { roundTo } from '../../../src/platform/kit/values/numbers.ts';
import { type EnteredStat, referenceEvaluation, referenceSimple, referenceView, roundExactly } from './support/gem-reference.ts';
import { gemArbitrary } from './support/gems.ts';
import { PROPERTY_RUNS } from './support/run-size.ts';

const RUNS = { numRuns: PROPERTY_RUNS * 2, ...(process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {}) };
const tier = fc.constantFrom(1, 2, 3, 4);
const MAX_LEVELS = [0, 23, 25, 30, 35];

const countsOf = ({ superior, precise, rough }: { superior: number; precise: number; rough: number }) => [superior, precise, rough];
const plansOf = (plan: ReturnType<typeof evaluateGem>['focus_totals']) =>
  Object.fromEntries(Object.entries(plan).map(([key, totals]) => [key, countsOf(totals)]));

describe('the figures of gems, beside a reference', () => {
  it('has the rounding of the reference', () => {
    const nearTies = fc.tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.constantFrom(2, 4, 8, 16, 1000)).map(([a, b]) => a / b);
    const numbers = fc.oneof(nearTies, fc.double({ min: -1e9, max: 1e9, noNaN: true }));
    fc.assert(
      fc.property(numbers, fc.constantFrom(0, 1, 2, 4, 6, 9), (value, decimals) => {
        expect(roundTo(value, decimals) + 0).toBe(roundExactly(value, decimals) + 0);
      }),
      RUNS,
    );
  });

  it('computes values, quality, Power Rank and names of any gem', () => {
    fc.assert(
      fc.property(gemArbitrary, (gem) => {
        const view = viewGem(gem);
        const { values, progress, ...expected } = referenceView(gem);
        expect(view).toMatchObject(expected);
        expect(view.stats.map((stat) => stat.augmentation_progress)).toEqual(progress);
        expect(view.stat_values.flatMap((value) => Object.entries(value))).toEqual(values);
      }),
      RUNS,
    );
  });

  it('evaluates displayed values, guesses splits and plans focuses', () => {
    const input = fc.record({ tier, type: fc.constantFrom(1, 2), guesses: fc.boolean(), seed: fc.nat(1000) }).chain(({ tier, ...rest }) => {
      const types = fc
        .shuffledSubarray([1, 2, 3, 4, 5, 6, 7], { minLength: 3, maxLength: 3 })
        .filter((chosen) => !(chosen.includes(1) && chosen.includes(2)));
      const level = fc.integer({ min: 1, max: MAX_LEVELS[tier] ?? 1 });
      const extras = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3));
      return fc.record({
        tier: fc.constant(tier),
        level,
        types,
        extras,
        rest: fc.constant(rest),
        scale: fc.array(fc.double({ min: -0.3, max: 1.3, noNaN: true }), { minLength: 3, maxLength: 3 }),
      });
    });
    fc.assert(
      fc.property(input, ({ tier, level, types, extras, rest, scale }) => {
        const { type, guesses } = rest;
        // Values in and around the possible range, as the game shows them.
        const element = types.includes(7) ? 4 : 1;
        const atProgress = (stat: number, extra: number, progress: number) => {
          const containers = Array.from({ length: 1 + extra }, () => ({ base: progress, augments: [] }));
          const gem = { tier, type, element, restriction: null, ability: null, level, stats: [{ type: stat, containers }] };
          return referenceView(gem).values[0]?.[1] ?? 0;
        };
        const stats: EnteredStat[] = types.map((stat, index) => ({
          type: stat,
          value: roundExactly(
            Math.max(0, atProgress(stat, extras[index] ?? 0, scale[index] ?? 0)),
            stat === 3 || stat === 4 || stat === 6 ? 1 : 0,
          ),
          extra_containers: extras[index] ?? 0,
        }));
        const found = evaluateGem({ tier, type, level, stats, auto_guess_procs: guesses });
        const expected = referenceEvaluation(tier, type, level, stats, guesses);
        expect(found).toMatchObject({
          element: expected.element,
          quality: expected.quality,
          quality_percent: expected.quality_percent,
          calculated_power_rank: expected.power_rank,
          guessed_distribution: expected.split,
          stats: expected.stats,
          has_issues: expected.stats.some(({ is_within_range: isInside }) => !isInside),
        });
        expect(plansOf(found.focus_totals)).toEqual(expected.focuses);
      }),
      RUNS,
    );
  });

  it('evaluates a Power Rank alone', () => {
    const input = tier.chain((tier) =>
      fc.record({
        tier: fc.constant(tier),
        type: fc.constantFrom(1, 2),
        level: fc.integer({ min: 1, max: MAX_LEVELS[tier] ?? 1 }),
        rank: fc.integer({ min: 0, max: 4000 }),
      }),
    );
    fc.assert(
      fc.property(input, ({ tier, type, level, rank }) => {
        const found = evaluateSimple({ tier, type, level, power_rank: rank });
        const { min, max, boosts, quality, distance, focuses } = referenceSimple(tier, type, level, rank);
        expect(found).toMatchObject({ min_power_rank: min, max_power_rank: max, boosts, quality, distance });
        expect(plansOf(found.focus_totals)).toEqual(focuses);
      }),
      RUNS,
    );
  });
});
