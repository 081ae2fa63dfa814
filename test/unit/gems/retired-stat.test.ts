import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateGem } from '../../../src/areas/gems/evaluator/evaluate.domain.ts';
import { viewGem } from '../../../src/areas/gems/gem.domain.ts';
import { generateGem } from '../../../src/areas/gems/gem-generate.domain.ts';
import { sparkCandidates, sparkGem } from '../../../src/areas/gems/simulator/gem-changes.domain.ts';
import { calculateStatRange, createGemLookups } from '../../../src/areas/gems/simulator/gem-tables.domain.ts';
import { deviation, even, SUSPICIOUS, tally } from './support/chi-square.ts';
import { container, parse, plainGem, rolls, seeds, stat } from './support/gems.ts';

const HEALTH_REGEN = 10;

describe('Health Regen, which the game no longer rolls', () => {
  it('is the only retired stat of the lookups', () => {
    const { stat_types: stats } = createGemLookups();
    expect(stats.filter(({ retired }) => retired)).toEqual([{ id: 10, name: 'Health Regen', retired: true }]);
    expect(stats[3]).toEqual({ id: 4, name: 'Critical Hit', retired: false });
  });

  it.each([
    [1, 1, 1, 0, [2975, 3955]],
    [2, 1, 1, 0, [5250, 7000]],
    [1, 2, 1, 0, [3955, 5250]],
    [2, 2, 1, 0, [7000, 9310]],
    [3, 1, 1, 0, [8575, 11_025]],
    [4, 2, 1, 0, [16_537.5, 20_212.5]],
    // Two containers, and the seven steps up to level 10.
    [2, 1, 10, 1, [11_725, 15_225]],
  ])('has the range of tier %i, type %i at level %i with %i boosts', (tier, type, level, extra, [min, max]) => {
    const range = calculateStatRange({ tier, type, stat_type: HEALTH_REGEN, level, extra_containers: extra });
    expect(range).toMatchObject({ stat_type: 10, stat_display_name: 'Health Regen', element: 1, min_value: min, max_value: max });
  });

  it('is evaluated', () => {
    const stats = [
      { type: HEALTH_REGEN, value: 6125 },
      { type: 4, value: 3.5 },
      { type: 1, value: 2100 },
    ];
    const { stats: evaluated, quality } = evaluateGem({ tier: 2, type: 1, level: 1, stats });
    expect(evaluated[0]).toMatchObject({ display_name: 'Health Regen', progress: 0.5, quality_percent: 50, is_within_range: true });
    expect(quality).toBe(0.3333);
  });

  it('is accepted on a gem of a request', () => {
    const gem = parse(
      plainGem({ tier: 2, level: 4, stats: [stat(HEALTH_REGEN, container(0.5)), stat(4, container(0)), stat(1, container(1))] }),
    );
    const view = viewGem(gem);
    // 6125 and three steps of 175.
    expect(view.stat_values[0]).toEqual({ 'Health Regen': 6650 });
  });

  it('is never made by a spark, and can be replaced by one', () => {
    for (const restriction of [1, null]) {
      const gem = parse(
        plainGem({ restriction, stats: [stat(HEALTH_REGEN, container(0.5)), stat(4, container(0)), stat(1, container(1))] }),
      );
      expect(sparkCandidates(gem)).toEqual([3, 5, 6]);
      expect([3, 5, 6]).toContain(sparkGem(gem, 0, rolls('x')).gem.stats[0].type);
    }
  });

  it('is rolled only on request', () => {
    const typesOf = (seed: number | string, retired: boolean | null) =>
      generateGem({ retired_stats: retired }, rolls(seed)).stats.map(({ type }) => type);
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const retired of [false, null]) expect(typesOf(seed, retired)).not.toContain(HEALTH_REGEN);
        expect(generateGem({}, rolls(seed))).toEqual(generateGem({ retired_stats: false }, rolls(seed)));
      }),
    );
    expect(Array.from({ length: 50 }, (_, seed) => typesOf(seed, true)).flat()).toContain(HEALTH_REGEN);
  });

  it('is as likely as Critical Hit', () => {
    let seed = 0;
    const draw = (): number => {
      seed += 1;
      const { stats } = generateGem({ type: 1, element: 1, retired_stats: true }, rolls(`retired ${seed}`));
      const [type, ...others] = stats.map((rolled) => rolled.type).filter((found) => found === HEALTH_REGEN || found === 4);
      return type === undefined || others.length > 0 ? draw() : type;
    };
    expect(deviation(tally([HEALTH_REGEN, 4], 3000, draw), even(2))).toBeLessThan(SUSPICIOUS);
  });
});
