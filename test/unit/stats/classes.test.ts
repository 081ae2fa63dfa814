import { describe, expect, it } from 'vitest';
import { CLASS_NAMES, CLASSES, classBonus, classByName, classByTechName, classStat } from '../../../src/game/classes.domain.ts';

const named = (name: string) => {
  const found = classByName(name);
  if (found === undefined) throw new Error(`no class ${name}`);
  return found;
};
const statOf = (name: string, stat: string) => named(name).stats.find((row) => row.name === stat)?.value;

describe('CLASSES', () => {
  it('contains 18 classes, sorted by display name', () => {
    expect(CLASSES).toHaveLength(18);
    expect(CLASS_NAMES).toEqual([...CLASS_NAMES].sort());
  });

  it('has technical names derived from the display names, except for five', () => {
    const others = CLASSES.filter(({ name, tech_name: techName }) => techName !== name.toLowerCase().replaceAll(' ', ''));
    expect(Object.fromEntries(others.map(({ name, tech_name: techName }) => [techName, name]))).toEqual({
      adventurer: 'Boomeranger',
      crimefighter: 'Vanguardian',
      spirittank: 'Revenant',
      piratelord: 'Pirate Captain',
      icemage: 'Ice Sage',
    });
  });

  it('is searched by exact name only', () => {
    expect(classByTechName('icemage')?.name).toBe('Ice Sage');
    for (const name of ['Icemage', 'Ice Sage', '', 'constructor', '__proto__']) expect(classByTechName(name)).toBeUndefined();
    expect(classByName('ice sage')).toBeUndefined();
  });

  it('has null for missing values', () => {
    expect(['Boomeranger', 'Dino Tamer', 'Revenant'].map((name) => [statOf(name, 'Energy'), statOf(name, 'Energy Regen')])).toEqual(
      Array(3).fill([null, null]),
    );
    expect([statOf('Pirate Captain', 'Energy'), statOf('Pirate Captain', 'Energy Regen')]).toEqual([100, null]);
    expect([statOf('Dracolyte', 'Attack Speed'), statOf('Tomb Raiser', 'Attack Speed')]).toEqual([null, null]);
    expect(classStat(named('Revenant'), 'Energy')).toBe(0);
    const endless = CLASSES.filter(({ attributes }) => attributes.includes('Infinite Attack Speed'));
    expect(endless.map(({ name }) => name)).toEqual(['Dracolyte', 'Shadow Hunter', 'Tomb Raiser']);
  });

  it('has percentage health as a separate row', () => {
    expect(named('Bard').stats.map(({ name }) => name)).toContain('Maximum Health %');
    expect(classStat(named('Bard'), 'Maximum Health')).toBe(4850);
    expect(named('Chloromancer').subclass.level[30]).toEqual([{ name: 'Maximum Health', value: 15, percentage: true, absolute: false }]);
  });

  it('has absolute subclass values for one class only', () => {
    const absolute = CLASSES.filter(({ subclass }) => Object.values(subclass.level).some((rows) => rows.some((row) => row.absolute)));
    expect(absolute.map(({ name }) => name)).toEqual(['Fae Trickster']);
  });

  it('marks every value as absolute or relative', () => {
    const [fae] = CLASSES.filter(({ tech_name: techName }) => techName === 'faetrickster');
    const rows = Object.values(fae?.subclass.level ?? {}).flat();
    expect(rows.map(({ name, value, absolute }) => [name, value, absolute])).toEqual(
      [101, 102, 103, 104, 105, 110].map((value) => ['Flying Speed', value, true]),
    );
    for (const { stats, bonuses } of CLASSES) for (const { absolute } of [...stats, ...bonuses]) expect(absolute).toBe(false);
  });

  it('has ascending subclass ranks with their values in the text', () => {
    for (const { subclass } of CLASSES) {
      expect(Object.keys(subclass.level)).toEqual(['1', '10', '15', '20', '25', '30']);
      expect(Object.keys(subclass.power)).toEqual(['1', '5000', '10000', '15000', '20000', '25000', '30000', '35000', '40000']);
      for (const text of Object.values(subclass.power)) expect(text).not.toMatch(/#|undefined/);
    }
    expect(named('Solarion').subclass.power[40000]).toBe(
      '40% chance per damage dealt; 350% of Physical Damage, then 100% every 0.5 s for 2.5 s',
    );
  });

  it('has damage bonuses of 0, 10 or 30 %', () => {
    const bonuses = Object.fromEntries(CLASSES.map((entry) => [entry.name, classBonus(entry, `${entry.damage_type} Damage`)]));
    const raised = Object.entries(bonuses).filter(([, bonus]) => bonus > 0);
    expect(raised).toEqual([
      ['Boomeranger', 10],
      ['Candy Barbarian', 30],
      ['Lunar Lancer', 30],
      ['Solarion', 10],
    ]);
  });

  it('lists abilities with stages, including unused ones', () => {
    const abilities = CLASSES.flatMap((entry) => entry.abilities);
    expect(abilities).toHaveLength(101);
    expect(named('Candy Barbarian').abilities[2]).toEqual({
      ...{
        name: 'Sugar Crash',
        prefab: 'abilities/candybarbarian/sugarcrash',
        icon: 'ico_barbarian_crash_01',
        type: 'Active',
        active: true,
      },
      stages: [
        { name: 'Sugarcrash', base: 10, multiplier: 6.5 },
        { name: 'Sugarcrash', base: 10, multiplier: 0 },
      ],
    });
    expect(named('Ice Sage').abilities.at(-1)).toEqual({
      ...{
        name: 'Pain Freeze',
        prefab: 'abilities/icemage/passive_icewalking_highlightslot',
        icon: '',
        type: '',
        active: false,
        stages: [],
      },
    });
    expect(abilities.filter(({ prefab }) => prefab === null)).toHaveLength(5);
  });
});
