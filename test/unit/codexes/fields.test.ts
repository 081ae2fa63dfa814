import { describe, expect, test } from 'vitest';
import { decodeBinfab } from '../../../src/areas/codexes/format/decode-binfab.domain.ts';
import { parseIdentity, walkIdentity } from '../../../src/areas/codexes/parse/identity.domain.ts';
import { createModelIndex, parseModelRuns, resolveModel, resolvePlaceableModel } from '../../../src/areas/codexes/parse/models.domain.ts';
import { identifierOf, linkPath, nameFromStem, splitCamelCase, typeOfPath } from '../../../src/areas/codexes/paths.domain.ts';
import { encodeBinfab } from '../../support/codex/encode-binfab.ts';
import { bytesOf } from '../../support/codex/hex.ts';
import { encodePrefab } from '../../support/codex/prefabs.ts';
import { component, entity, int, text } from '../../support/codex/tree.ts';
import { ALLY_HEX } from './examples.ts';

describe('codex types', () => {
  test.each([
    ['prefabs/item/fish/a.binfab', 'fish'],
    ['prefabs/item/unlocker/a.binfab', 'memento'],
    ['prefabs/collections/pet/a.binfab', 'ally'],
    ['prefabs/collections/pet/a_npc.binfab', null],
    ['prefabs/Collections/Mount/Cat.binfab', 'mount'],
    ['prefabs/collections/fishing/a.binfab', 'fishingpole'],
    ['prefabs/skins/a.binfab', 'skin'],
    ['prefabs/equipment/a/b.binfab', 'style'],
    ['prefabs/recipes/recipe_a.binfab', 'recipe'],
    ['prefabs/item/a.binfab', 'item'],
    ['prefabs/placeable/a.binfab', null],
    ['prefabs/item/a.txt', null],
    ['item/a.binfab', null],
  ])('classify %s as %s', (path, type) => {
    expect(typeOfPath(path)).toBe(type);
  });
});

describe('names and paths', () => {
  test('derive names from file stems', () => {
    expect(nameFromStem('arrow_2nd')).toBe('Arrow 2Nd');
    expect(nameFromStem('_OLD__cat_')).toBe('Old  Cat');
  });

  test('split camel case', () => {
    expect(splitCamelCase('HealDoneMultiplier')).toBe('Heal Done Multiplier');
    expect(splitCamelCase('friends')).toBe('Friends');
    expect(splitCamelCase('STBossKilled')).toBe('ST Boss Killed');
  });

  test('normalise every form of a reference', () => {
    const forms = [
      'item/Crafting/Ore',
      'item\\crafting\\ore',
      'prefabs/item/crafting/ore',
      'prefabs/item/crafting/ore.binfab',
      'item/crafting/ore.BINFAB',
    ];
    expect(new Set(forms.map(linkPath))).toEqual(new Set(['prefabs/item/crafting/ore.binfab']));
    expect(linkPath('recipe_x')).toBe('prefabs/recipes/recipe_x.binfab');
    expect(linkPath('jetpack:jetpack_upgrade_01')).toBe('jetpack:jetpack_upgrade_01');
    expect(linkPath('blueprints/Cat.blueprint')).toBe('blueprints/cat.blueprint');
    expect(identifierOf('prefabs/Item/Ore.binfab')).toBe('item/ore');
  });
});

describe('identity', () => {
  const wanted = { nameKey: '$x_name', category: 'Pets', descriptionKey: '$x_description', tradable: false };

  test('matches the documented example, by structure and by bytes', () => {
    const bytes = bytesOf(ALLY_HEX);
    expect(parseIdentity(bytes, decodeBinfab(bytes))).toEqual(wanted);
    expect(walkIdentity(bytes)).toEqual(wanted);
  });

  test.each([true, false, undefined])('tradable %s', (tradable) => {
    const bytes = encodePrefab({ nameKey: '$a_name', tradable });
    expect(walkIdentity(bytes).tradable).toBe(tradable ?? null);
    expect(parseIdentity(bytes, decodeBinfab(bytes)).tradable).toBe(tradable ?? null);
  });

  test('is found by structure after another component', () => {
    const bytes = encodeBinfab(
      entity(component(12, { 1: text('base') }, { 1: text('wrong') }), component(49, { 0: int(3) }, { 1: text('$right_name') })),
    );
    expect(parseIdentity(bytes, decodeBinfab(bytes)).nameKey).toBe('$right_name');
  });

  test('never returns other data for truncated bytes', () => {
    const bytes = bytesOf(ALLY_HEX);
    const whole: Record<string, unknown> = { ...walkIdentity(bytes) };
    for (let length = 0; length < bytes.length; length += 1) {
      const found = Object.entries(walkIdentity(bytes.subarray(0, length)));
      for (const [field, value] of found) expect([null, whole[field]], `${field} of ${length} bytes`).toContainEqual(value);
    }
  });
});

describe('models', () => {
  const models = createModelIndex([
    'blueprints/cat.blueprint',
    'blueprints/Cat_UI[Sam B, Jo].blueprint',
    'blueprints/dog[Kit].blueprint',
    'blueprints/deco_lamp[Kit].blueprint',
    'blueprints/fw_wall.blueprint',
    'blueprints/twin[A].blueprint',
    'blueprints/twin[B].blueprint',
    'ui/bird.blueprint',
  ]);
  const find = (latin1: string, path = 'prefabs/item/a.binfab') => resolveModel(parseModelRuns(latin1, path), models);

  test.each([
    ['\x08\x03cat\x1e', 'cat.blueprint'],
    ['\x08\x0dCAT.blueprint\x1e', 'cat.blueprint'],
    ['\x08\x08dog[Kit]', 'dog[Kit].blueprint'],
    ['dog', null],
    ['bird', null],
    ['\x00abcdcat', 'cat.blueprint'],
    ['\x00abcdecat', null],
    ['cat\x00cat_ui[Sam B, Jo].blueprint', 'Cat_UI[Sam B, Jo].blueprint'],
    ['dog[Kit]\x00cat', 'dog[Kit].blueprint'],
  ])('%j', (latin1, model) => {
    expect(find(latin1)).toBe(model);
  });

  test('drop an attached length byte', () => {
    const name = 'dog[Kit].blueprint';
    expect(find(`abc\x00${String.fromCharCode(name.length)}${name}`)).toBe(name);
    const long = `long_${'x'.repeat(43)}`;
    const index = createModelIndex([`blueprints/${long}.blueprint`]);
    expect(resolveModel(parseModelRuns(`\x080${long}`, 'prefabs/item/a.binfab'), index)).toBe(`${long}.blueprint`);
  });

  test('are absent for skins and equipment unlockers', () => {
    expect(find('cat', 'prefabs/item/skin/a.binfab')).toBeNull();
    expect(find('cat\x00equipment_hat', 'prefabs/item/unlocker/a.binfab')).toBeNull();
    expect(find('cat', 'prefabs/item/unlocker/a.binfab')).toBe('cat.blueprint');
  });

  test('of placeables come from the table, then from a single match by convention', () => {
    const table = new Map([
      ['placeable/deco/mirror_left', 'dog'],
      ['block/stone', 'twin'],
    ]);
    expect(resolvePlaceableModel('placeable/deco/mirror_left', table, models)).toBe('dog[Kit].blueprint');
    expect(resolvePlaceableModel('placeable/deco/lamp', table, models)).toBe('deco_lamp[Kit].blueprint');
    expect(resolvePlaceableModel('placeable/frameworks/wall', table, models)).toBe('fw_wall.blueprint');
    expect(resolvePlaceableModel('block/stone', table, models)).toBeNull();
    expect(resolvePlaceableModel('placeable/deco/none', table, models)).toBeNull();
  });
});
