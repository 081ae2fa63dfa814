import { describe, expect, it } from 'vitest';
import { toStatItem } from '../../../src/areas/codexes/derive/derive-entry.domain.ts';
import { fileBytes } from '../../../src/areas/codexes/format/bytes.domain.ts';
import { decodeBinfab } from '../../../src/areas/codexes/format/decode-binfab.domain.ts';
import {
  createMultipliers,
  createPowerRanks,
  geodeMasteryOf,
  masteryBase,
  masteryId,
  masteryOf,
  parseMultipliers,
  parsePowerRank,
  parsePowerRankTable,
  resolvePowerRank,
} from '../../../src/areas/codexes/parse/mastery-and-rank.domain.ts';
import { findAbilityRefs, parseModifiers, toAbilityItems } from '../../../src/areas/codexes/parse/prefab-parse.domain.ts';
import { bytesOf, latin1Bytes } from '../../support/codex/hex.ts';
import { encodePrefab, type ModifierSpec, type PrefabSpec } from '../../support/codex/prefabs.ts';
import { encodeMultipliers, encodePowerRanks } from '../../support/codex/tables.ts';
import { ALLY_HEX } from './examples.ts';

const noTexts = () => null;

function modifiersOf(spec: PrefabSpec, withStructure: boolean) {
  const bytes = encodePrefab(spec);
  return parseModifiers(fileBytes(bytes), withStructure ? decodeBinfab(bytes) : null);
}

describe('parseModifiers and toStatItem', () => {
  it('reads the documented example: attack speed, Add, 6.5', () => {
    const [item, ...more] = parseModifiers(fileBytes(bytesOf(ALLY_HEX)), null).map((modifier) => toStatItem(modifier, noTexts));
    expect(more).toEqual([]);
    expect(item).toEqual({
      stat: '$Stat_AttackSpeed',
      stat_id: 15,
      stat_name: 'Attack Speed',
      operation: 'Add',
      amount: 6.5,
      value: 6.5,
      is_percent: true,
      label: 'as',
      slot: null,
      component: 1,
      level: 0,
    });
  });

  it.each([
    [0, 2, 0.3, '$Stat_MaxHealthBonus', 'Maximum Health Bonus', 'MultiplySum', 30, true],
    [0, 4, 0.25, '$Stat_HealthRegenBonus_controller', 'Health Regen Bonus', 'MultiplySum', 25, true],
    [1, 2, 500, '$Stat_MaxHealth', 'Maximum Health', 'Add', 500, false],
    [1, 7, 25, '$Stat_CriticalHitChance', 'Critical Hit', 'Add', 2.5, true],
    [1, 22, 12, '$Stat_CriticalHitDamage', 'Critical Damage', 'Add', 12, true],
    [2, 8, 90, '$Stat_MovementSpeed', 'Movement Speed', 'Set', 90, false],
    [3, 8, 1, '$Stat_MovementSpeed', 'Movement Speed', 'Nullify', 1, false],
    [4, 21, 1.5, '$Stat_ExperienceBoost', 'Experience Boost', 'Multiply', 50, true],
    [5, 9, 2, '$Stat_Jump', 'Jump', 'Minimum', 2, false],
    [6, 45, 3, '$Stat_HealDoneMultiplier', 'Heal Done Multiplier', 'Maximum', 3, false],
  ])('reads operation %i on stat %i with amount %f', (operation, stat, amount, key, name, operationName, value, isPercent) => {
    const [parsed] = modifiersOf({ modifiers: [{ stat, operation, amount, label: 'x' }] }, true);
    expect(parsed && toStatItem(parsed, noTexts)).toMatchObject({
      stat: key,
      stat_id: stat,
      stat_name: name,
      operation: operationName,
      value,
      is_percent: isPercent,
    });
  });

  it('uses names of the language table before built-in names', () => {
    const [parsed] = modifiersOf({ modifiers: [{ stat: 2, operation: 0, amount: 1, label: 'x' }] }, true);
    const texts = (key: string) => (key === '$Stat_MaxHealth' ? 'Vigour' : null);
    expect(parsed && toStatItem(parsed, texts).stat_name).toBe('Vigour Bonus');
  });

  it.each([
    ['physicaldamage', '$Stat_PhysicalDamage'],
    ['pet_critdamage', '$Stat_CriticalHitDamage'],
    ['ground_movespeed', '$Stat_MovementSpeed'],
    ['mount_wing_movespeed', '$Stat_MovementSpeed'],
    ['glide_movespeed', '$Stat_Glide'],
  ])('derives an unknown stat from the label %s', (label, stat) => {
    expect(modifiersOf({ modifiers: [{ stat: 60, operation: 1, amount: 1, label }] }, true)).toMatchObject([{ stat, statId: null }]);
  });

  it('skips unknown stats without a known label, excessive amounts and unknown operations', () => {
    const kept = { stat: 2, operation: 1, amount: 3, label: 'ok' };
    const modifiers = [
      { stat: 60, operation: 1, amount: 1, label: 'other' },
      { stat: 2, operation: 1, amount: 2_000_000, label: 'big' },
      { stat: 2, operation: 1, amount: Number.NaN, label: 'nan' },
      { stat: 2, operation: 9, amount: 1, label: 'op' },
      kept,
    ];
    expect(modifiersOf({ modifiers }, true)).toMatchObject([{ label: 'ok', amount: 3 }]);
  });

  it('searches outside the window of description and model only if the window contains no modifier', () => {
    const far = { stat: 2, operation: 1, amount: 1, label: 'far' };
    const spec = { nameKey: '$a_name', descriptionKey: '$a_description', models: ['cat.blueprint'] };
    expect(modifiersOf({ ...spec, modifiers: [far] }, true)).toHaveLength(1);
    const behind = new Uint8Array([...encodePrefab({ ...spec, modifiers: [] }), ...encodePrefab({ modifiers: [far] })]);
    expect(parseModifiers(fileBytes(behind), null)).toMatchObject([{ label: 'far' }]);
    const both = new Uint8Array([
      ...encodePrefab({ ...spec, modifiers: [{ ...far, label: 'near' }] }),
      ...encodePrefab({ modifiers: [far] }),
    ]);
    expect(parseModifiers(fileBytes(both), null)).toMatchObject([{ label: 'near' }]);
  });
});

describe('slot of a modifier', () => {
  const of = (stat: number, label: string): ModifierSpec => ({ stat, operation: 1, amount: 5, label });

  it.each([true, false])('is read from the blocks of a mount, with decoded structure: %s', (withStructure) => {
    const blocks = [
      { kind: 0, modifiers: [{ stat: 8, operation: 2, amount: 90, label: 'speed' }] },
      { kind: 2, modifiers: [of(26, 'glide')] },
      { kind: 3, modifiers: [of(19, 'accel'), of(20, 'turn')] },
    ];
    expect(modifiersOf({ blocks }, withStructure).map(({ label, slot }) => [label, slot])).toEqual([
      ['speed', '$EquipmentSlot_Mount'],
      ['glide', '$EquipmentSlot_Wings'],
      ['accel', '$EquipmentSlot_Boat'],
      ['turn', '$EquipmentSlot_Boat'],
    ]);
  });

  it.each([true, false])('comes with the number of modifiers in the array, with decoded structure: %s', (withStructure) => {
    const blocks = [
      { kind: 0, modifiers: [of(8, 'speed')] },
      { kind: 3, modifiers: [of(19, 'accel'), of(20, 'turn'), of(9, 'jump')] },
    ];
    const found = modifiersOf({ modifiers: [of(2, 'health'), of(4, 'regen')], blocks }, withStructure);
    expect(found.map(({ label, component }) => [label, component])).toEqual([
      ['health', 2],
      ['regen', 2],
      ['speed', 1],
      ['accel', 3],
      ['turn', 3],
      ['jump', 3],
    ]);
  });

  it('is read beyond the third block and from other kinds of blocks by structure', () => {
    const blocks = [1, 0, 2, 3, 1].map((kind) => ({ kind, modifiers: [{ stat: 9, operation: 4, amount: 2, label: `k${kind}` }] }));
    const slots = ['Cart', 'Mount', 'Wings', 'Boat', 'Cart'].map((slot) => `$EquipmentSlot_${slot}`);
    expect(modifiersOf({ blocks }, true).map(({ slot }) => slot)).toEqual(slots);
  });

  it('is null outside of blocks; the label of a modifier overrides the block', () => {
    const blocks = [{ kind: 3, modifiers: [of(8, 'ground_movespeed'), of(8, 'wing_movespeed'), of(9, 'jump')] }];
    expect(modifiersOf({ modifiers: [of(2, 'health')], blocks }, true).map(({ slot }) => slot)).toEqual([
      null,
      '$EquipmentSlot_Mount',
      '$EquipmentSlot_Wings',
      '$EquipmentSlot_Boat',
    ]);
  });

  it('has the name of the language table, otherwise a built-in name', () => {
    const [parsed] = modifiersOf({ blocks: [{ kind: 1, modifiers: [of(9, 'jump')] }] }, true);
    expect(parsed && toStatItem(parsed, noTexts).slot_name).toBe('Cart');
    expect(parsed && toStatItem(parsed, () => 'Kart').slot_name).toBe('Kart');
  });
});

describe('findAbilityRefs and toAbilityItems', () => {
  it('returns distinct normalised references in file order', () => {
    expect(findAbilityRefs('\x05abilities/a/b.\x00abilities\\x abilities/c\\d/ abilities/a/b')).toEqual(['abilities/a/b', 'abilities/c/d']);
  });

  it('hides internal abilities, and a flask ability with a dummy variant', () => {
    const refs = [
      'abilities/flask/flask_auto_use_1',
      'abilities/f/use_flask_health_big',
      'abilities/f/use_flask_dummyhealth_big',
      'abilities/f/use_flask_health_small',
    ];
    const items = toAbilityItems(refs, () => ({ name: 'N' }));
    expect(items.map(({ hidden }) => hidden)).toEqual([true, true, false, false]);
    expect(items[0]).toEqual({ ref: refs[0], hidden: true });
    expect(items[3]).toEqual({ ref: refs[3], hidden: false, name: 'N' });
  });
});

describe('parsePowerRank and resolvePowerRank', () => {
  const rankOf = (latin1: string, rows: readonly (readonly [number, number])[] = []) =>
    resolvePowerRank(parsePowerRank(fileBytes(latin1Bytes(latin1))), createPowerRanks(rows));

  it('returns 30 for a file with the byte pattern of rank 30, regardless of tiers', () => {
    expect(rankOf('\x30\xa4\x06\x40\x01..\x2e\x00\x08\x30\x00\x40\x01\x1e\xe2\x05')).toBe(30);
  });

  it('returns the rank of the first known tier, including 0', () => {
    expect(rankOf('\x30\x00\x40\x01')).toBe(0);
    expect(rankOf('\x30\x63\x40\x01\x30\xa4\x06\x40\x01')).toBe(75);
    expect(rankOf('\x30\x63\x40\x01')).toBeNull();
    expect(rankOf('nothing')).toBeNull();
  });

  it('uses the first row of the table before the built-in rank', () => {
    const table = parsePowerRankTable(
      fileBytes(
        encodePowerRanks([
          [600, 70],
          [900, 12],
          [600, 80],
        ]),
      ),
    );
    expect(table).toEqual([
      [600, 70],
      [900, 12],
      [600, 80],
    ]);
    expect(createPowerRanks(table).get(600)).toBe(70);
    expect(createPowerRanks(table).get(804)).toBe(75);
    const bytes = encodePrefab({ powerRankTier: 900 });
    expect(resolvePowerRank(parsePowerRank(fileBytes(bytes)), createPowerRanks(table))).toBe(12);
  });
});

describe('mastery', () => {
  const wings = Array.from({ length: 200 }, (_, index) => `collections/wings/w${index}`);
  const table = {
    0: ['collections/pet/none'],
    1: ['collections/sail/plain'],
    2: wings,
    3: ['falcon', 'recipe_x'],
    5: ['item/companion/owl'],
  } as const;

  it('is read from the rows of all groups with the factor of the group', () => {
    const rows = parseMultipliers(fileBytes(encodeMultipliers(table)));
    expect(rows).toEqual([
      ['collections/pet/none', 0],
      ['collections/sail/plain', 1],
      ...wings.map((id) => [id, 2]),
      ['falcon', 3],
      ['recipe_x', 3],
      ['item/companion/owl', 5],
    ]);
    const factors = createMultipliers(rows);
    expect(factors.get('collections/skin/falcon')).toBe(3);
    expect(factors.get('recipe_x')).toBe(3);
  });

  it('is read past empty groups', () => {
    expect(parseMultipliers(fileBytes(encodeMultipliers({ 5: ['collections/mount/dragon'] })))).toEqual([['collections/mount/dragon', 5]]);
  });

  it('is the base of the identifier times the factor of the row', () => {
    expect(masteryBase('collections/wings/a')).toBe(100);
    expect(masteryBase('collections/fishing/a')).toBe(20);
    expect(masteryBase(masteryId('skins/a'))).toBe(35);
    expect(masteryBase('collections/costume/a')).toBe(0);
    expect(masteryOf(undefined, 50)).toBe(50);
    expect(masteryOf(undefined, 0)).toBeNull();
    expect(masteryOf(0, 50)).toBe(0);
    expect(masteryOf(3, 50)).toBe(150);
  });

  it('includes geode mastery only with a row in the geode table', () => {
    expect(geodeMasteryOf('collections/pet/a', undefined, 10)).toBeNull();
    expect(geodeMasteryOf('collections/pet/a', 2, 10)).toBe(20);
    expect(geodeMasteryOf('item/companion/owl', 2, 10)).toBe(100);
    expect(geodeMasteryOf('collections/pet/a', 0, 10)).toBe(10);
    expect(geodeMasteryOf('recipe_x', 0, 2)).toBe(0);
  });
});
