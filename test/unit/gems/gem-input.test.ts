import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPosition, parseGem } from '../../../src/areas/gems/gem-input.domain.ts';
import { InputError } from '../../../src/platform/kit/errors/input-error.ts';
import { faultOf, invalid, refused } from './support/errors.ts';
import { container, exampleGem, parse, plainGem, stat } from './support/gems.ts';

const [first, second, third] = plainGem().stats;
const withStat = (entry: unknown) => plainGem({ stats: [entry, second, third] });
const many = (count: number) => Array.from({ length: count }, () => container(0.5));

describe('parseGem', () => {
  it('sets defaults of optional fields and ignores read-only fields', () => {
    const gem = parse({ ...exampleGem, id: null, quality: 0.99, power_rank: 9999, colour: 'red', restriction: 1 });
    expect(gem).toMatchObject({ id: 7, restriction: null, ability: 12, augmentation: null, attempts: 0, karma: 0, spent: {} });
    expect(gem.stats[1].locked).toBe(false);
    expect(gem.stats[1].containers[0]?.augments).toEqual([
      { type: 1, count: 0 },
      { type: 2, count: 0 },
      { type: 3, count: 1 },
    ]);
    expect(Object.keys(gem)).not.toContain('quality');
  });

  it('sets fields to null that do not apply to the type', () => {
    expect(parse(plainGem({ ability: 3 })).ability).toBeNull();
    expect(parse({ ...exampleGem, restriction: 2 }).restriction).toBeNull();
  });

  it.each([
    ['a damage stat foreign to the restriction', plainGem({ restriction: 2 })],
    ['fewer containers than the level implies', plainGem({ level: 20 })],
    ['more containers than the level implies', withStat(stat(1, ...many(14)))],
    ['Light that is not locked', plainGem({ element: 4, stats: [stat(7, container(0.1)), second, third] })],
    ['a Cosmic gem without Light', plainGem({ element: 4 })],
    ['a base roll of 1', withStat(stat(1, container(1)))],
    ['ids far beyond other amounts', plainGem({ id: 2 ** 53 - 1 })],
  ])('accepts %s', (_, gem) => {
    expect(() => parse(gem)).not.toThrow();
  });

  it.each([
    ['gem', 'gem'],
    ['gem', null],
    ['gem', []],
    ['gem.tier', plainGem({ tier: 5 })],
    ['gem.tier', plainGem({ tier: '4' })],
    ['gem.tier', plainGem({ tier: undefined })],
    ['gem.type', plainGem({ type: 3 })],
    ['gem.element', plainGem({ element: 0 })],
    ['gem.restriction', plainGem({ restriction: 3 })],
    ['gem.ability', { ...exampleGem, ability: 1 }],
    ['gem.ability', plainGem({ type: 2, ability: 9 })],
    ['gem.id', plainGem({ id: 1.5 })],
    ['gem.id', plainGem({ id: '1' })],
    ['gem.level', plainGem({ level: 0 })],
    ['gem.level', plainGem({ level: 24 })],
    ['gem.level', plainGem({ level: 4.5 })],
    ['gem.level', plainGem({ level: null })],
    ['gem.stats', plainGem({ stats: undefined })],
    ['gem.stats', plainGem({ stats: [first, second] })],
    ['gem.stats', plainGem({ stats: [first, second, third, stat(4, container(0.5))] })],
    ['gem.stats', plainGem({ stats: [stat(1, ...many(6)), stat(3, ...many(6)), stat(5, ...many(5))] })],
    ['gem.stats.0', withStat(null)],
    ['gem.stats.0.type', withStat(stat(8, container(0.5)))],
    ['gem.stats.0.type', withStat(stat(11, container(0.5)))],
    ['gem.stats.1.type', plainGem({ stats: [first, stat(1, container(0.5)), third] })],
    ['gem.stats.1.type', plainGem({ stats: [first, stat(2, container(0.5)), third] })],
    ['gem.stats.0.type', withStat(stat(7, container(0.5)))],
    ['gem.stats.0.locked', withStat({ ...stat(1, container(0.5)), locked: 1 })],
    ['gem.stats.0.containers', withStat(stat(1))],
    ['gem.stats.0.containers', withStat(stat(1, ...many(17)))],
    ['gem.stats.0.containers', withStat({ type: 1 })],
    ['gem.stats.0.containers.0.base', withStat(stat(1, container(1.01)))],
    ['gem.stats.0.containers.0.base', withStat(stat(1, container(-0.01)))],
    ['gem.stats.0.containers.0.base', withStat(stat(1, container(Number.NaN)))],
    ['gem.stats.0.containers.0.base', withStat(stat(1, container(Number.POSITIVE_INFINITY)))],
    ['gem.stats.0.containers.0.augments', withStat(stat(1, { base: 0.5, augments: {} }))],
    ['gem.stats.0.containers.0.augments.0.type', withStat(stat(1, container(0.5, { 4: 1 })))],
    ['gem.stats.0.containers.0.augments.0.count', withStat(stat(1, container(0.5, { 1: -1 })))],
    ['gem.stats.0.containers.0.augments.0.count', withStat(stat(1, container(0.5, { 1: 1001 })))],
    ['gem.stats.0.containers.0.augments.1.type', withStat(stat(1, { base: 0.5, augments: [{ type: 1 }, { type: 1 }] }))],
    ['gem.augmentation', plainGem({ augmentation: 1.1 })],
    ['gem.attempts', plainGem({ attempts: -1 })],
    ['gem.attempts', plainGem({ attempts: 1e308 })],
    ['gem.karma', plainGem({ karma: 126 })],
    ['gem.karma', plainGem({ karma: -1 })],
    ['gem.spent', plainGem({ spent: [] })],
    ['gem.spent.Flux', plainGem({ spent: { Flux: -1 } })],
    ['gem.spent.Flux', plainGem({ spent: { Flux: 0.5 } })],
  ])('throws with the path of the invalid field %s', (path, gem) => {
    expect(faultOf(() => parse(gem))).toEqual(invalid(path));
  });

  it('accepts any item name in `spent`, including names of object properties', () => {
    const spent = JSON.parse('{"__proto__": 3, "constructor": 1}');
    const gem = parse(plainGem({ spent }));
    expect(Object.entries(gem.spent)).toEqual([
      ['__proto__', 3],
      ['constructor', 1],
    ]);
    expect(Object.getPrototypeOf(gem.spent)).toBe(Object.prototype);
  });

  it('returns a gem or throws with the path of a field for any input', () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.record({ tier: fc.nat(5), type: fc.nat(3), element: fc.nat(5), level: fc.nat(40), stats: fc.jsonValue() }),
      fc.record({ ...recordOf(plainGem()), stats: fc.array(fc.record({ type: fc.nat(9), containers: fc.array(fc.jsonValue()) })) }),
    );
    fc.assert(
      fc.property(anything, (value) => {
        try {
          parseGem(value, () => 1);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('checkPosition', () => {
  it('accepts 0, 1 and 2 only', () => {
    expect([0, 1, 2].map(checkPosition)).toEqual([0, 1, 2]);
    expect(faultOf(() => checkPosition(3))).toEqual(refused('stat_position'));
    expect(faultOf(() => checkPosition(-1))).toEqual(invalid('stat_position'));
    expect(faultOf(() => checkPosition(1.5))).toEqual(invalid('stat_position'));
  });
});

/** Arbitrary of an object with constant fields. */
function recordOf(fields: object): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fc.constant(value)]));
}
