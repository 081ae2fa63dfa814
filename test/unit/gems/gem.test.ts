import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIERS } from '../../../src/areas/gems/gem.data.ts';
import { viewGem } from '../../../src/areas/gems/gem.domain.ts';
import { container, exampleGem, gemArbitrary, parse, plainGem, stat } from './support/gems.ts';
import { PROPERTY_RUNS } from './support/run-size.ts';

describe('viewGem', () => {
  it('computes the documented example', () => {
    const gem = viewGem(parse(exampleGem));
    const boosted = gem.stats[1];
    expect(boosted.containers[0]).toMatchObject({ increase: 0.125, real_value: 1.025, value: 1 });
    expect(boosted.augmentation_progress).toBeCloseTo(0.6375, 12);
    expect(gem.quality).toBe(0.562);
    expect(gem.power_rank).toBe(1304);
    expect([gem.gem_name, gem.ability_name]).toEqual(['Vampirian Vanquisher', 'Vampirian Vanquisher']);
    expect(gem.stat_values.map((value) => Object.keys(value))).toEqual([['Light'], ['Physical Damage'], ['Critical Damage']]);
    const [light, physical, critical] = gem.stat_values.map((value) => Object.values(value)[0]);
    expect(light).toBeCloseTo(325, 9);
    expect(physical).toBeCloseTo(15981, 9);
    expect(critical).toBeCloseTo(95, 9);
  });

  it('returns every field in the documented order', () => {
    expect(Object.keys(viewGem(parse(plainGem())))).toEqual([
      ...['id', 'tier', 'type', 'element', 'restriction', 'ability', 'level', 'stats', 'augmentation', 'attempts', 'karma', 'spent'],
      ...['ability_name', 'gem_name', 'is_max_level', 'quality', 'power_rank', 'stat_values'],
    ]);
  });

  it.each([
    [{ restriction: 2, tier: 3 }, 'Arcane Crystal Gem'],
    [{ restriction: null, tier: 1 }, 'Radiant Gem'],
    [{ type: 2, ability: null }, null],
    [{ type: 2, ability: 5 }, 'Stunburst'],
  ])('returns the name of %j: %s', (fields, name) => {
    expect(viewGem(parse(plainGem(fields))).gem_name).toBe(name);
  });

  it('caps each container at 1 for quality, but only the mean for progress', () => {
    const overflowing = stat(1, container(1, { 3: 4 }), container(0.5));
    const gem = viewGem(parse(plainGem({ level: 5, stats: [overflowing, stat(3, container(0.5)), stat(5, container(0.5))] })));
    expect(gem.stats[0].augmentation_progress).toBe(1);
    expect(gem.quality).toBe(0.625);
  });

  it('sets is_max_level at the maximum level of each tier', () => {
    for (const tier of [1, 2, 3, 4] as const) {
      const { maxLevel } = TIERS[tier];
      expect(viewGem(parse(plainGem({ tier, level: maxLevel }))).is_max_level).toBe(true);
      expect(viewGem(parse(plainGem({ tier, level: maxLevel - 1 }))).is_max_level).toBe(false);
    }
  });

  it('returns the same gem after a round trip through a client', () => {
    fc.assert(
      fc.property(gemArbitrary, (gem) => {
        const view = viewGem(gem);
        expect(parse(JSON.parse(JSON.stringify(view)))).toEqual(gem);
        expect(viewGem(parse(JSON.parse(JSON.stringify(view))))).toEqual(view);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('returns a quality of 0 to 100 %, and a Power Rank within the band for a full gem', () => {
    fc.assert(
      fc.property(gemArbitrary, (gem) => {
        const { quality, power_rank: rank } = viewGem(gem);
        return quality >= 0 && quality <= 1 && Number.isInteger(rank) && rank > 0;
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});
