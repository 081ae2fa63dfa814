import { describe, expect, it } from 'vitest';
import { countBoosts, countSteps } from '../../../../src/areas/gems/gem-figures.domain.ts';
import { createGemLookups } from '../../../../src/areas/gems/simulator/gem-tables.domain.ts';

describe('createGemLookups', () => {
  const lookups = createGemLookups();

  it('lists every enumeration', () => {
    expect(lookups.tiers.map(({ id, name, max_level: level }) => [id, name, level])).toEqual([
      [1, 'Radiant', 23],
      [2, 'Stellar', 25],
      [3, 'Crystal', 30],
      [4, 'Mystic', 35],
    ]);
    expect(lookups.types.map(({ name }) => name)).toEqual(['Lesser', 'Empowered']);
    expect(lookups.elements.map(({ name }) => name)).toEqual(['Water', 'Fire', 'Air', 'Cosmic']);
    expect(lookups.restrictions.map(({ name }) => name)).toEqual(['Fierce', 'Arcane']);
    expect(lookups.stat_types).toHaveLength(10);
    expect(lookups.augment_types.map((augment) => augment.increase_percent)).toEqual([2.5, 5, 12.5]);
    expect(lookups.abilities).toHaveLength(12);
    expect(lookups.abilities_by_element).toEqual({
      Water: [1, 2, 3, 4, 5, 6, 7, 8],
      Fire: [1, 2, 3, 4, 5, 6, 7, 8],
      Air: [1, 2, 3, 4, 5, 6, 7, 8],
      Cosmic: [9, 10, 11, 12],
    });
    expect(lookups.karma_max).toBe(125);
    expect(lookups.boosters).toContainEqual({ id: 'booster5_mystic', name: 'Tenth Life', chance_multiplier: 55, double_multiplier: 10 });
  });

  it('lists each Empowered gem once per element, sorted', () => {
    const gems = lookups.empowered_gems;
    const count = (element: string) => gems.filter((gem) => gem.element === element).length;
    expect([gems.length, count('Air'), count('Cosmic'), count('Fire'), count('Prismatic'), count('Water')]).toEqual([92, 29, 4, 29, 1, 29]);
    const keys = gems.map(({ element, name }) => `${element}\n${name}`);
    expect(keys).toEqual([...keys].sort());
  });

  it('derives the prefabs of a gem from its stats, then its stages', () => {
    const surge = lookups.empowered_gems.find(({ element, name }) => element === 'Fire' && name === 'Spirit Surge');
    expect(surge).toMatchObject({
      slug: 'nova_dot',
      tiers: [1, 2, 3, 4],
      ability_id: 3,
      class_name: null,
      prefabs: ['abilities/gems/nova_dot_effect', 'abilities/gems/nova_dot_bullet'],
    });
    expect(lookups.empowered_gems.find(({ name }) => name === 'Plant Power')).toMatchObject({
      class_name: 'Chloromancer',
      tiers: [2, 3, 4],
      prefabs: [],
      ability_id: null,
    });
  });
});

describe('countSteps', () => {
  it('sums the stat steps up to a level', () => {
    expect([1, 5, 10, 15, 20, 25, 30, 35].map((level) => countSteps(4, level))).toEqual([0, 3, 7, 11, 24, 37, 50, 63]);
    expect(countSteps(1, 99)).toBe(30);
  });
});

describe('countBoosts', () => {
  it('adds a container at 5, 10 and 15', () => {
    expect([1, 4, 5, 9, 10, 14, 15, 35].map(countBoosts)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });
});
