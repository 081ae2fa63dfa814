import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EvaluateRequest, evaluateGem } from '../../../../src/areas/gems/evaluator/evaluate.domain.ts';
import { evaluateSimple } from '../../../../src/areas/gems/evaluator/evaluate-simple.domain.ts';
import { createFocusPlan } from '../../../../src/areas/gems/evaluator/focus-plan.domain.ts';
import { generateGem } from '../../../../src/areas/gems/gem-generate.domain.ts';
import { calculateStatRange } from '../../../../src/areas/gems/simulator/gem-tables.domain.ts';
import { faultOf, invalid, refused } from '../support/errors.ts';
import { exampleEvaluation, exampleSimpleEvaluation, exampleStatRange, exampleStats, rolls, seeds } from '../support/gems.ts';
import { PROPERTY_RUNS } from '../support/run-size.ts';

const three = exampleStats;
const example: EvaluateRequest = exampleEvaluation.request;

describe('evaluateGem', () => {
  it('returns the documented example', () => {
    const result = evaluateGem(example);
    expect(result).toMatchObject({
      ...exampleEvaluation.fields,
      type_name: 'Lesser',
      element: 1,
      restriction: 1,
    });
    expect(result.stats.map((stat) => [stat.progress, stat.raw_progress, stat.is_within_range, stat.estimated_pr_contribution])).toEqual(
      exampleEvaluation.stats,
    );
    const { optimized_all: all, optimized_precise_rough: precise, rough_only: rough } = result.focus_totals;
    expect([all.superior, all.precise, all.rough, all.total]).toEqual([10, 1, 0, 11]);
    expect([precise.superior, precise.precise, precise.rough]).toEqual([0, 26, 0]);
    expect(rough.rough).toBe(52);
    expect(result.headline_cost).toEqual(precise);
  });

  it('derives the split of the documented example', () => {
    expect(evaluateGem({ ...example, auto_guess_procs: true })).toEqual(evaluateGem(example));
    const unsplit = three.map(({ type, value }) => ({ type, value }));
    expect(evaluateGem({ ...example, stats: unsplit }).guessed_distribution).toEqual([1, 0, 0]);
  });

  it('reports values outside of their range as issues', () => {
    const result = evaluateGem({
      tier: 3,
      level: 1,
      stats: [
        { type: 2, value: 1 },
        { type: 3, value: 9999 },
        { type: 7, value: 230 },
      ],
    });
    expect(result.issues).toHaveLength(2);
    expect(result.issues[0]).toMatch(/^Magic Damage is below the minimum/);
    expect(result.issues[1]).toMatch(/^Critical Damage is above the maximum/);
    expect(result).toMatchObject({ has_issues: true, element: 4, restriction: 2, restriction_name: 'Arcane' });
    expect(result.stats.map((stat) => stat.is_within_range)).toEqual([false, false, true]);
  });

  it.each([
    [3300, false],
    [3310, true],
    [4530, true],
    [4540, false],
  ])('tolerates a twentieth of the range outside of 3360 to 4480: value %i within range: %s', (value, isWithin) => {
    const others = [
      { type: 3, value: 40 },
      { type: 5, value: 12250 },
    ];
    expect(evaluateGem({ tier: 3, stats: [{ type: 1, value }, ...others] })).toMatchObject({
      has_issues: !isWithin,
      stats: [{ is_within_range: isWithin }, {}, {}],
    });
  });

  it('has no restriction without a damage stat', () => {
    const stats = [
      { type: 3, value: 40 },
      { type: 4, value: 4 },
      { type: 5, value: 12250 },
    ];
    expect(evaluateGem({ tier: 3, stats })).toMatchObject({ restriction: null, restriction_name: 'Any', quality: 0 });
  });

  it('treats a level below 1 as 1 and defaults to Lesser Mystic', () => {
    expect(evaluateGem({ level: -3, stats: three })).toMatchObject({ level: 1, tier: 4, type: 1 });
  });

  it('calculates the rank, quality and split of any generated gem', () => {
    const requests = fc.record({
      tier: fc.integer({ min: 1, max: 4 }),
      type: fc.integer({ min: 1, max: 2 }),
      level: fc.integer({ min: 1, max: 23 }),
    });
    fc.assert(
      fc.property(requests, fc.integer({ min: 1, max: 3 }), seeds, (kind, element, seed) => {
        const gem = generateGem({ ...kind, element }, rolls(seed));
        const stats = gem.stats.map(({ type, containers }, index) => {
          return { type, value: Object.values(gem.stat_values[index] ?? {})[0] ?? 0, extra_containers: containers.length - 1 };
        });
        const result = evaluateGem({ ...kind, stats });
        expect(result.has_issues).toBe(false);
        expect(result.guessed_distribution).toEqual(stats.map((stat) => stat.extra_containers));
        expect(Math.abs(result.calculated_power_rank - gem.power_rank)).toBeLessThanOrEqual(1);
        expect(result.quality).toBeCloseTo(gem.quality, 2);
        expect(evaluateGem({ ...kind, stats, auto_guess_procs: true }).quality_percent).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('returns a quality of 0 to 100 % for arbitrary values', () => {
    const value = fc.double({ min: -1e12, max: 1e12, noNaN: true });
    const types = fc.shuffledSubarray([1, 3, 4, 5, 6, 7], { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(types, fc.tuple(value, value, value), fc.integer({ min: 1, max: 35 }), (chosen, values, level) => {
        const result = evaluateGem({ level, stats: chosen.map((type, index) => ({ type, value: values[index] ?? 0 })) });
        const [a, b, c] = result.guessed_distribution;
        expect(a + b + c).toBe(result.available_extra_containers);
        return result.quality_percent >= 0 && result.quality_percent <= 100 && Number.isSafeInteger(result.calculated_power_rank);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it.each<[string, object, unknown]>([
    ['two stats', { stats: three.slice(0, 2) }, refused('stats')],
    ['four stats', { stats: [...three, { type: 5, value: 1 }] }, refused('stats')],
    ['a stat twice', { stats: [three[0], three[0], three[1]] }, refused('stats')],
    ['both damage stats', { stats: [three[0], { type: 2, value: 1 }, three[1]] }, refused('stats')],
    ['a stat without figures', { stats: [{ type: 8, value: 1 }, three[1], three[2]] }, refused('stats.0.type')],
    ['an unknown stat', { stats: [three[0], { type: 11, value: 1 }, three[2]] }, refused('stats.1.type')],
    ['a negative boost', { stats: [three[0], { ...three[1], extra_containers: -1 }, three[2]] }, refused('stats.1.extra_containers')],
    ['half a boost', { stats: [three[0], { ...three[1], extra_containers: 0.5 }, three[2]] }, invalid('stats.1.extra_containers')],
    ['NaN', { stats: [{ type: 1, value: Number.NaN }, three[1], three[2]] }, invalid('stats.0.value')],
    ['infinity', { stats: [{ type: 1, value: Number.POSITIVE_INFINITY }, three[1], three[2]] }, invalid('stats.0.value')],
    ['1e308', { stats: [{ type: 1, value: 1e308 }, three[1], three[2]] }, invalid('stats.0.value')],
    ['a level above the last', { level: 31 }, refused('level')],
    ['tier 5', { tier: 5 }, refused('tier')],
    ['type 0', { type: 0 }, refused('type')],
  ])('rejects %s', (_, fields, fault) => {
    expect(faultOf(() => evaluateGem({ ...example, ...fields } as EvaluateRequest))).toEqual(fault);
  });
});

describe('evaluateSimple', () => {
  it('returns the documented example', () => {
    expect(evaluateSimple(exampleSimpleEvaluation.request)).toMatchObject(exampleSimpleEvaluation.fields);
  });

  it.each([
    [737, 0, true, 0],
    [922, 1, true, 0],
    [930, 1, false, 8],
    [700, 0.5135, true, 0],
    [600, 0.8018, true, 0],
    [623, 0, false, 114],
    [100, 0, false, 637],
  ])('evaluates Power Rank %d', (powerRank, quality, inside, distance) => {
    const result = evaluateSimple({ tier: 1, type: 2, level: 11, power_rank: powerRank });
    expect([result.quality, result.is_within_range, result.distance]).toEqual([quality, inside, distance]);
  });

  it('assumes fewer boosts for a Power Rank below the band', () => {
    const place = (powerRank: number) => evaluateSimple({ tier: 1, type: 2, level: 11, power_rank: powerRank });
    expect(place(700)).toMatchObject({ boosts: 1, containers: 4, min_power_rank: 624, max_power_rank: 772 });
    expect(place(600)).toMatchObject({ boosts: 0, containers: 3, min_power_rank: 511, max_power_rank: 622 });
    expect(place(623)).toMatchObject({ boosts: 2, containers: 5, min_power_rank: 737 });
    expect(place(500)).toMatchObject({ boosts: 2, containers: 5, distance: 237 });
  });

  it('returns a quality of 0 without input', () => {
    expect(evaluateSimple({})).toMatchObject({ tier: 4, type: 1, level: 1, power_rank: 0, quality: 0, distance: 600, boosts: 0 });
  });

  it.each([
    [{ tier: 5 }, refused('tier')],
    [{ level: 36 }, refused('level')],
    [{ level: 1.5 }, invalid('level')],
    [{ power_rank: 1e308 }, invalid('power_rank')],
    [{ power_rank: Number.NaN }, invalid('power_rank')],
  ])('rejects %j', (request, fault) => {
    expect(faultOf(() => evaluateSimple(request))).toEqual(fault);
  });
});

describe('createFocusPlan', () => {
  it('returns no focuses for full containers', () => {
    const plan = createFocusPlan([{ containers: 6, progress: 1 }]);
    expect(plan.headline_cost).toEqual({
      key: 'optimized_precise_rough',
      label: 'Precise + Rough',
      superior: 0,
      precise: 0,
      rough: 0,
      total: 0,
      recipe_totals: {},
    });
  });

  it('fills an empty container with 40 units in every strategy', () => {
    const { focus_totals: totals } = createFocusPlan([{ containers: 1, progress: 0 }]);
    expect(totals.optimized_all).toMatchObject({ superior: 8, precise: 0, rough: 0 });
    expect(totals.optimized_all.recipe_totals).toEqual({ bound_brilliance: 8, diamond_dragonite: 240, titan_soul: 24, flux: 400_000 });
    expect(totals.optimized_precise_rough).toMatchObject({ precise: 20, rough: 0 });
    expect(totals.rough_only.recipe_totals).toEqual({ bound_brilliance: 40, heart_of_darkness: 160, flux: 48_000 });
  });

  it('tolerates rounding errors above an integer number of units', () => {
    expect(createFocusPlan([{ containers: 1, progress: 0.97499999 }]).focus_totals.rough_only.rough).toBe(1);
    expect(createFocusPlan([{ containers: 2, progress: 0.9749 }]).focus_totals.optimized_precise_rough).toMatchObject({
      precise: 2,
      rough: 0,
    });
  });
});

describe('calculateStatRange', () => {
  it('returns the documented example', () => {
    expect(calculateStatRange({ tier: 3, type: 1, stat_type: 1, level: 12, extra_containers: 2 })).toEqual(exampleStatRange);
  });

  it('defaults to Cosmic for Light and caps the level at the maximum of the tier', () => {
    expect(calculateStatRange({ tier: 2, type: 2, stat_type: 7 })).toMatchObject({ element: 4, min_value: 200, max_value: 266 });
    const last = calculateStatRange({ tier: 2, type: 2, stat_type: 7, level: 25 });
    expect(calculateStatRange({ tier: 2, type: 2, stat_type: 7, level: 1e6 })).toEqual(last);
  });

  it('returns a different Max Health % for a Cosmic Empowered Mystic gem', () => {
    const range = (element: number) => calculateStatRange({ tier: 4, type: 2, stat_type: 6, element });
    expect(range(2).min_value).toBeCloseTo(232.5, 9);
    expect(range(4).min_value).toBeCloseTo(236.25, 9);
    expect(range(2).max_value).toBe(range(4).max_value);
  });

  it.each([
    [{ tier: 5, type: 1, stat_type: 1 }, refused('tier')],
    [{ tier: 1, type: 1, stat_type: 8 }, refused('stat_type')],
    [{ tier: 1, type: 1, stat_type: 11 }, refused('stat_type')],
    [{ tier: 1, type: 1, stat_type: 7, element: 2 }, refused('element')],
    [{ tier: 1, type: 1, stat_type: 1, element: 5 }, refused('element')],
    [{ tier: 1, type: 1, stat_type: 1, level: 0 }, invalid('level')],
    [{ tier: 1, type: 1, stat_type: 1, extra_containers: -1 }, invalid('extra_containers')],
    [{ tier: 1, type: 1, stat_type: 1, extra_containers: 1e308 }, invalid('extra_containers')],
  ])('rejects %j', (request, fault) => {
    expect(faultOf(() => calculateStatRange(request))).toEqual(fault);
  });
});
