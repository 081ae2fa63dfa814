import { describe, expect, it } from 'vitest';
import { decodeBinfab } from '../../../src/areas/codexes/format/decode-binfab.domain.ts';
import { createModelIndex, parseModelRuns, resolveModel, resolvePlaceableModel } from '../../../src/areas/codexes/parse/models.domain.ts';
import { parseIdentity, readIdentityBytes } from '../../../src/areas/codexes/parse/prefab-parse.domain.ts';
import { identifierOf, linkPath, nameFromStem, splitCamelCase, typeOfPath } from '../../../src/areas/codexes/paths.domain.ts';
import { encodeBinfab } from '../../support/codex/encode-binfab.ts';
import { bytesOf } from '../../support/codex/hex.ts';
import { encodePrefab } from '../../support/codex/prefabs.ts';
import { component, entity, int, text } from '../../support/codex/tree.ts';
import { ALLY_HEX } from './examples.ts';

describe('typeOfPath', () => {
  it.each([
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
  ])('classifies %s as %s', (path, type) => {
    expect(typeOfPath(path)).toBe(type);
  });
});

describe('nameFromStem', () => {
  it('derives a name from a file stem', () => {
    expect(nameFromStem('arrow_2nd')).toBe('Arrow 2Nd');
    expect(nameFromStem('_OLD__cat_')).toBe('Old  Cat');
  });
});

describe('splitCamelCase', () => {
  it('separates the words of an identifier', () => {
    expect(splitCamelCase('HealDoneMultiplier')).toBe('Heal Done Multiplier');
    expect(splitCamelCase('friends')).toBe('Friends');
    expect(splitCamelCase('STBossKilled')).toBe('ST Boss Killed');
  });
});

describe('linkPath', () => {
  it('normalises every form of a reference', () => {
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

describe('parseIdentity', () => {
  const wanted = { nameKey: '$x_name', category: 'Pets', descriptionKey: '$x_description', tradable: false };

  it('reads the documented example, by structure and by bytes', () => {
    const bytes = bytesOf(ALLY_HEX);
    expect(parseIdentity(bytes, decodeBinfab(bytes))).toEqual(wanted);
    expect(readIdentityBytes(bytes)).toEqual(wanted);
  });

  it.each([true, false, undefined])('reads tradable %s', (tradable) => {
    const bytes = encodePrefab({ nameKey: '$a_name', tradable });
    expect(readIdentityBytes(bytes).tradable).toBe(tradable ?? null);
    expect(parseIdentity(bytes, decodeBinfab(bytes)).tradable).toBe(tradable ?? null);
  });

  it('finds the identity component after another component by structure', () => {
    const bytes = encodeBinfab(
      entity(component(12, { 1: text('base') }, { 1: text('wrong') }), component(49, { 0: int(3) }, { 1: text('$right_name') })),
    );
    expect(parseIdentity(bytes, decodeBinfab(bytes)).nameKey).toBe('$right_name');
  });

  it('returns no wrong data for truncated bytes', () => {
    const bytes = bytesOf(ALLY_HEX);
    const whole: Record<string, unknown> = { ...readIdentityBytes(bytes) };
    for (let length = 0; length < bytes.length; length += 1) {
      const found = Object.entries(readIdentityBytes(bytes.subarray(0, length)));
      for (const [field, value] of found) expect([null, whole[field]], `${field} of ${length} bytes`).toContainEqual(value);
    }
  });
});

const models = createModelIndex(
  [
    'blueprints/cat.blueprint',
    'blueprints/Cat_UI[Sam B, Jo].blueprint',
    'blueprints/dog[Kit].blueprint',
    'blueprints/deco_lamp[Kit].blueprint',
    'blueprints/fw_wall.blueprint',
    'blueprints/twin[A].blueprint',
    'blueprints/twin[B].blueprint',
    'ui/bird.blueprint',
  ].map((path) => ({ path, size: 100 })),
);

describe('parseModelRuns and resolveModel', () => {
  const find = (latin1: string, path = 'prefabs/item/a.binfab') =>
    resolveModel({ models: [], modelRuns: parseModelRuns(latin1, path) }, models);

  it.each([
    ['\x08\x03cat\x1e', 'cat.blueprint'],
    ['\x08\x0dCAT.blueprint\x1e', 'cat.blueprint'],
    ['\x08\x08dog[Kit]', 'dog[Kit].blueprint'],
    ['dog', null],
    ['bird', null],
    ['\x00abcdcat', 'cat.blueprint'],
    ['\x00abcdecat', null],
    ['cat\x00cat_ui[Sam B, Jo].blueprint', 'Cat_UI[Sam B, Jo].blueprint'],
    ['dog[Kit]\x00cat', 'dog[Kit].blueprint'],
  ])('resolves %j to %s', (latin1, model) => {
    expect(find(latin1)).toBe(model);
  });

  it('ignores a length byte before a name', () => {
    const name = 'dog[Kit].blueprint';
    expect(find(`abc\x00${String.fromCharCode(name.length)}${name}`)).toBe(name);
    const long = `long_${'x'.repeat(43)}`;
    const index = createModelIndex([{ path: `blueprints/${long}.blueprint`, size: 100 }]);
    expect(resolveModel({ models: [], modelRuns: parseModelRuns(`\x080${long}`, 'prefabs/item/a.binfab') }, index)).toBe(
      `${long}.blueprint`,
    );
  });

  it('returns null for skins and equipment unlockers', () => {
    expect(find('cat', 'prefabs/item/skin/a.binfab')).toBeNull();
    expect(find('cat\x00equipment_hat', 'prefabs/item/unlocker/a.binfab')).toBeNull();
    expect(find('cat', 'prefabs/item/unlocker/a.binfab')).toBe('cat.blueprint');
  });
});

describe('resolvePlaceableModel', () => {
  it('uses the block table, otherwise the only model that matches the naming convention', () => {
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
