import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GEM_SLOTS } from '../../../../src/areas/gems/builds/gem-set.domain.ts';
import { COSMIC, EMPOWERED, LIGHT, MAGIC_DAMAGE, PHYSICAL_DAMAGE, TIERS } from '../../../../src/areas/gems/gem.data.ts';
import { countBoosts } from '../../../../src/areas/gems/gem-figures.domain.ts';
import { TIER_IDS } from '../../../../src/areas/gems/gem-input.domain.ts';
import { initialState } from '../../../../src/areas/portal/tools/frame/state.domain.ts';
import { setField, setStatChoices } from '../../../../src/areas/portal/tools/gems/gem-set-link.domain.ts';
import {
  atLevel,
  atTier,
  copiedToType,
  mapStats,
  perfected,
  setJson,
  slotName,
  viewSet,
  withDamage,
} from '../../../../src/areas/portal/tools/gems/gem-set-tool.domain.ts';
import { gemsFields } from '../../../../src/areas/portal/tools/gems/gems-tool.domain.ts';

const example = initialState(gemsFields);
const boostsOf = (gem: (typeof example.set)[number]) => gem.stats.reduce((sum, { boosts }) => sum + boosts, 0);

describe('a set in a link', () => {
  it('reads every set that can be made again', () => {
    const change = fc.record({
      place: fc.nat(GEM_SLOTS.length - 1),
      tier: fc.constantFrom(...TIER_IDS),
      level: fc.nat(34),
      progress: fc.nat(1000),
      stat: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        let set = example.set;
        for (const { place, tier, level, progress, stat } of changes) {
          const gem = atLevel(atTier(set[place] ?? fail(), tier), Math.min(level + 1, TIERS[tier].maxLevel));
          const position = stat % 3;
          const choices = setStatChoices(gem, position);
          const type = choices[stat % choices.length] ?? LIGHT;
          set = set.with(
            place,
            mapStats(gem, (own, index) => (index === position ? { ...own, type, progress: progress / 1000 } : own)),
          );
        }
        const read = setField.read(setField.write(set));
        expect(read?.map(({ stats, ...gem }) => gem)).toEqual(set.map(({ stats, ...gem }) => gem));
        for (const [place, gem] of set.entries()) {
          expect(boostsOf(gem)).toBe(countBoosts(gem.level));
          for (const [index, { progress, ...stat }] of gem.stats.entries()) {
            expect(read?.[place]?.stats[index]).toMatchObject(stat);
            expect(read?.[place]?.stats[index]?.progress).toBeCloseTo(progress, 6);
          }
        }
      }),
    );
  });

  it('refuses gems that no place can have', () => {
    const good = setField.write(example.set);
    const [first = '', ...rest] = good.split('~');
    const withFirst = (text: string) => setField.read([text, ...rest].join('~'));
    expect(withFirst(first)).toEqual(example.set);
    for (const text of [
      '',
      'x',
      first.replace('-25-', '-36-'),
      first.replace('300', '301'),
      first.replace('-1-3-', '-7-3-'),
      first.replace('-1-3-', '-3-3-'),
      `${first}-1`,
      first.replace(/75$/, '101'),
    ])
      expect(withFirst(text), text).toBeUndefined();
    expect(setField.read(rest.join('~'))).toBeUndefined();
  });
});

describe('the set tool', () => {
  it('names every place', () => {
    expect(GEM_SLOTS.map((_, place) => slotName(place)).slice(0, 4)).toEqual([
      'Water, Empowered',
      'Water, Lesser 1',
      'Water, Lesser 2',
      'Fire, Empowered',
    ]);
  });

  it('tells which gems have damage that the class does not use, and changes it', () => {
    const magic = { ...example, character: 'class=Ice%20Sage' };
    expect([viewSet(example).unused, viewSet(magic).unused]).toEqual([0, GEM_SLOTS.length]);
    const set = example.set.map((gem) => withDamage(gem, 'Magic'));
    expect(viewSet({ ...magic, set }).unused).toBe(0);
    expect(set.flatMap(({ stats }) => stats.map(({ type }) => type))).not.toContain(PHYSICAL_DAMAGE);
    expect(viewSet({ ...magic, set }).figures.coefficient).toBeGreaterThan(viewSet(magic).figures.coefficient);
    expect(viewSet({ ...magic, set }).stats.map(({ type }) => type)).toContain(MAGIC_DAMAGE);
  });

  it('copies a gem to the places of its type, Cosmic gems apart', () => {
    const changed = example.set.with(0, perfected(example.set[0] ?? fail()));
    const copied = copiedToType(changed, 0);
    for (const gem of copied) {
      const isCopy = gem.type === EMPOWERED && gem.element !== COSMIC;
      expect(gem.level).toBe(isCopy ? 35 : 25);
      expect(gem.stats[0].type === LIGHT).toBe(gem.element === COSMIC);
    }
    expect(copied.map(({ element }) => element)).toEqual(GEM_SLOTS.map(({ element }) => element));
  });

  it('raises quality and Power Rank to the maximum with perfect gems', () => {
    const json = setJson(viewSet({ ...example, set: example.set.map(perfected) }));
    expect(json).toMatchObject({ quality: 1, power_rank: 44_540 });
    expect(json.gems).toHaveLength(GEM_SLOTS.length);
  });
});

function fail(): never {
  throw new Error('no gem');
}
