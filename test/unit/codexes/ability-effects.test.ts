import { describe, expect, it } from 'vitest';
import { decodeBinfab } from '../../../src/areas/codexes/format/decode-binfab.domain.ts';
import { abilityFigures, readAbility } from '../../../src/areas/codexes/indexer/class-figures.service.ts';
import { encodeBinfab } from '../../support/codex/encode-binfab.ts';
import { array, component, entity, type Fields, fixed, float, int, object, text } from '../../support/codex/tree.ts';

const ROOT = 'abilities/knight';
/** Ids of stats in files: Attack Speed and Movement Speed by percent, Jump. */
const [MOVEMENT, ATTACK_SPEED] = [8, 15];
const ADD = 1;

const effect = (duration: number, fields: Fields) => component(136, { 4: float(duration) }, fields);
const modifier = (stat: number, amount: number) =>
  object({ 0: int(stat), 1: int(ADD), 2: float(amount), 3: text('source'), 4: fixed(0n), 5: int(3) });
const modifiers = (...items: ReturnType<typeof modifier>[]) => ({ 4: object({ 0: array(items), 2: fixed(0n) }) });
const heal = (maxHealth: number, energy: number, maxEnergy: number, more: Fields = {}) =>
  component(
    235,
    {},
    { 9: object({ 0: int(0), 1: float(maxHealth), 2: int(energy), 3: float(maxEnergy), 4: int(5), 5: text(''), 6: text(''), ...more }) },
  );
const damage = (multiplier: number, maxHealth: number, critChance: number) =>
  component(
    315,
    {},
    {
      0: object({ 4: int(0), 5: float(maxHealth), 9: float(0), 12: float(multiplier), 14: float(0), 28: float(critChance) }),
    },
  );
const names = (...prefabs: string[]) => component(46, {}, { 0: array(prefabs.map((name) => text(`${ROOT}/${name}`))) });

async function figuresOf(
  files: Readonly<Record<string, ReturnType<typeof component>[]>>,
  stages: { name: string; base: number; multiplier: number }[] = [],
  others: readonly string[] = [],
) {
  const reads: string[] = [];
  const read = async (prefab: string) => {
    reads.push(prefab.slice(ROOT.length + 1));
    const parts = files[prefab.slice(ROOT.length + 1)];
    return parts ? decodeBinfab(encodeBinfab(entity(...parts))) : null;
  };
  const prefab = `${ROOT}/smash`;
  const prefabs = await readAbility(read, prefab, new Set(others.map((name) => `${ROOT}/${name}`)));
  return { reads, figures: abilityFigures({ prefab, stages }, prefabs) };
}

describe('figures of an ability', () => {
  it('are read from the prefabs that it names, breadth first, each once, without the other abilities of the class', async () => {
    const { reads } = await figuresOf(
      { smash: [names('one', 'two', 'other')], one: [names('three', 'smash')], two: [names('one', 'four')] },
      [],
      ['smash', 'other'],
    );
    expect(reads).toEqual(['smash', 'one', 'two', 'three', 'four']);
  });

  it('are read from at most 80 prefabs', async () => {
    const { reads } = await figuresOf({ smash: [names(...Array.from({ length: 200 }, (_, index) => `part_${index}`))] });
    expect(reads).toHaveLength(80);
  });

  it('have what is restored, in percent of the maximum, and nothing for a record that restores nothing', async () => {
    const { figures } = await figuresOf({
      smash: [heal(0.125, 0, 0), heal(0.125, 0, 0), heal(0, 15, 0.01), heal(0, 0, 0), names('later')],
      later: [heal(0, 0, 0, { 7: int(40) })],
    });
    expect(figures.healing).toEqual([
      { prefab: 'abilities/knight/smash', health: 0, max_health_percent: 12.5, energy: 0, max_energy_percent: 0 },
      { prefab: 'abilities/knight/smash', health: 0, max_health_percent: 0, energy: 15, max_energy_percent: 1 },
      { prefab: 'abilities/knight/later', health: 40, max_health_percent: 0, energy: 0, max_energy_percent: 0 },
    ]);
  });

  it('ignore records of leeching, which have a text in field 7', async () => {
    const leech = component(281, {}, { 2: int(1), 3: float(0.08), 4: float(0), 5: text(''), 6: text(''), 7: text('') });
    expect((await figuresOf({ smash: [leech] })).figures).toEqual({});
  });

  it('have effects with their duration and stats; an effect without an end of its own has no duration', async () => {
    const { figures } = await figuresOf({
      smash: [effect(4, modifiers(modifier(MOVEMENT, 20), modifier(ATTACK_SPEED, 100))), effect(-1, modifiers(modifier(MOVEMENT, 5)))],
    });
    expect(figures.effects).toEqual([
      {
        prefab: 'abilities/knight/smash',
        duration: 4,
        stats: [
          { name: expect.any(String), value: 20, percentage: expect.any(Boolean), absolute: false },
          { name: expect.any(String), value: 100, percentage: expect.any(Boolean), absolute: false },
        ],
      },
      { prefab: 'abilities/knight/smash', duration: null, stats: [expect.objectContaining({ value: 5 })] },
    ]);
  });

  it('leave out an effect with a stat that is not known', async () => {
    const { figures } = await figuresOf({ smash: [effect(4, modifiers(modifier(MOVEMENT, 20), modifier(9999, 1)))] });
    expect(figures.effects).toBeUndefined();
  });

  it('find the file of a hit by its name, and add figures only if its multiplier is that of the table', async () => {
    const { figures } = await figuresOf(
      {
        smash: [names('smash_bullet', 'smash_effect_dot')],
        smash_bullet: [damage(8.5, 0.015, 0.1)],
        smash_effect_dot: [damage(2, 0.05, 0)],
      },
      [
        { name: 'Smash Bullet', base: 10, multiplier: 8.5 },
        { name: 'Smash Effect Dot', base: 0, multiplier: 3.5 },
        { name: 'Smash Explosion', base: 0, multiplier: 2 },
      ],
    );
    expect(figures.hits).toEqual([
      { prefab: 'abilities/knight/smash_bullet', max_health_percent: 1.5, crit_chance_bonus: 10 },
      { prefab: 'abilities/knight/smash_effect_dot' },
      null,
    ]);
  });
});
