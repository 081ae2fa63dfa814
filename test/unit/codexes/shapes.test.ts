import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildCodex } from '../../support/codex/build-codex.ts';
import { encodeListedBlueprint, encodePackedBlueprint } from '../../support/codex/encode-blueprint.ts';
import { encodeCostume, encodePrefab } from '../../support/codex/prefabs.ts';
import { encodeCollection, encodeLanguageTable } from '../../support/codex/tables.ts';
import { component, fixed, int, text } from '../../support/codex/tree.ts';

/* Files in the shapes of those of the game, with invented names. */

type Files = Readonly<Record<string, Uint8Array>>;

function buildOf(files: Files) {
  return buildCodex(Object.entries(files).map(([path, bytes]) => ({ path, hash: path, size: bytes.length, bytes: () => bytes })));
}

/** Files of a folder of `test/fixtures/codexes`. */
function fixture(name: string): Files {
  const folder = join(import.meta.dirname, '../../fixtures/codexes', name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name: file }) => {
      const path = join(parentPath, file);
      return [path.slice(folder.length + 1).replaceAll('\\', '/'), new Uint8Array(readFileSync(path))];
    }),
  );
}

const namesOf = ({ entries }: ReturnType<typeof buildOf>) =>
  Object.fromEntries(entries.map(({ path, name }) => [path.replace(/^.*\/|\.binfab$/g, ''), name]));

describe('identity', () => {
  it('is the only section of its component, behind other components', () => {
    const { entries, failures } = buildOf(fixture('identity'));
    expect(failures).toEqual([]);
    expect(entries).toMatchObject([
      { type: 'sail', name: 'Sail of Alpha', category: 'Sails', description: 'First.', tradable: true },
      { type: 'sail', name: 'Sail of Beta', category: 'Sails', description: 'Second.', tradable: true },
    ]);
  });

  it('is the leaf section of a component with several', () => {
    const identity = component(49, { 0: int(3), 1: text('base') }, { 1: text('$name'), 2: text('Pets'), 14: int(0) });
    const prefab = encodePrefab({ before: [component(23, { 1: text('wrong') }, { 1: fixed() }), identity] });
    const { entries } = buildOf({
      'prefabs/collections/pet/cat.binfab': prefab,
      'languages/en/a.binfab': encodeLanguageTable([['$name', 'Cat of Leaves']]),
    });
    expect(entries).toMatchObject([{ name: 'Cat of Leaves', category: 'Pets', tradable: false }]);
  });

  it('has the name of the file if the game has no text for the key', () => {
    const { entries } = buildOf({ 'prefabs/item/blue_egg.binfab': encodePrefab({ nameKey: '$none', category: 'Items' }) });
    expect(entries).toMatchObject([{ name: 'Blue Egg', category: 'Items' }]);
  });

  it('is absent from a prefab without the component, whose other texts are not those of an entry', () => {
    const prefab = encodePrefab({}).slice();
    const others = buildOf({
      'prefabs/collections/fishing/red_pole.binfab': prefab,
      'prefabs/collections/fishing/red_bobber.binfab': prefab,
    });
    expect(namesOf(others)).toEqual({ red_pole: 'Red Pole' });
    const helpers = ['fishing/red_bobber_projectile', 'fishing/red_bobber_explosion', 'boat/ship_cannon_projectile', 'mount/gun_explosion'];
    expect(buildOf(Object.fromEntries(helpers.map((path) => [`prefabs/collections/${path}.binfab`, prefab]))).entries).toEqual([]);
  });
});

describe('costume', () => {
  const SKIN = 'prefabs/skins/knight_red.binfab';
  const FOOT = 'C_P_knight_red_foot_L';
  const of = (image: string, models: readonly string[] = []) =>
    buildOf({
      [SKIN]: encodeCostume({ image, nameKey: '$red_name', descriptionKey: '$red_description', parts: [FOOT] }),
      ...Object.fromEntries([FOOT, ...models].map((name) => [`blueprints/${name}.blueprint`, new Uint8Array(100)])),
      'languages/en/a.binfab': encodeLanguageTable([
        ['$red_name', 'Knight of Rust'],
        ['$red_description', 'Once it was silver.'],
      ]),
    }).entries[0];

  it('has name, description and image in fields of its own', () => {
    expect(of('C_P_knight_red_ui[Kit].blueprint', ['C_P_knight_red_ui[Kit]'])).toMatchObject({
      type: 'skin',
      name: 'Knight of Rust',
      description: 'Once it was silver.',
      blueprint: 'C_P_knight_red_ui[Kit].blueprint',
    });
  });

  it('reads the image by its length if a printable key byte follows', () => {
    const image = '2031/skins/c_p_knight_red_ui';
    const bytes = encodeCostume({ image, nameKey: '$red_name' });
    expect(String.fromCharCode(...bytes)).toContain(`${image}X`);
    expect(of(image, [image])).toMatchObject({ blueprint: `${image}.blueprint` });
  });

  it('has no image rather than that of a part of the body', () => {
    expect(of('C_P_knight_red_ui')?.blueprint).toBeNull();
  });
});

describe('recipes', () => {
  it('keep results and ingredients apart', () => {
    const { entries, links } = buildOf(fixture('recipes'));
    const recipes = Object.fromEntries(
      entries.flatMap(({ path, data }) => (data.recipe ? [[path.replace(/^.*\/recipe_|\.binfab$/g, ''), data.recipe]] : [])),
    );
    expect(recipes).toMatchObject({
      block: {
        output: { path: 'placeable/block/gameplay/fan_down', name: 'Downward Fan', amount: 1 },
        ingredients: [{ path: 'item/crafting/ore_a', amount: 30 }],
      },
      banner: {
        output: { path: 'equipment/delve/banner_a' },
        ingredients: [
          { path: 'equipment/geode/banner/torch_a', amount: 1 },
          { path: 'item/crafting/pole', amount: 1 },
        ],
      },
      snow: {
        output: { path: 'item/holiday/snowball', amount: 3 },
        ingredients: [{ path: 'Item/crafting/flake', amount: 30 }],
      },
      plain: { output: { path: 'item/key/silver', amount: 2 }, ingredients: [{ path: 'item/crafting/ore_a', amount: 5 }] },
    });
    for (const { output, outputs } of Object.values(recipes)) expect(outputs).toEqual([output]);
    expect(links.filter(({ source, rel }) => source.endsWith('recipe_snow.binfab') && rel === 'ingredient')).toMatchObject([
      { target: 'prefabs/item/crafting/flake.binfab', qty: 30 },
    ]);
  });
});

describe('unlocks', () => {
  it('are only those of the first array, whatever the case of the name', () => {
    const { links } = buildOf(fixture('unlocks'));
    expect(links.filter(({ rel }) => rel === 'unlocks').map(({ source, target }) => [source, target])).toEqual([
      ['prefabs/item/unlocker/boss_a.binfab', 'prefabs/recipes/recipe_placeable_bossswamp_a.binfab'],
      ['prefabs/collections/mount/dragon_a.binfab', 'prefabs/collections/badge/dragon_a_bronze.binfab'],
    ]);
  });
});

describe('image', () => {
  it('is the first model that has voxels', () => {
    expect(buildOf(fixture('empty-model')).entries).toMatchObject([{ blueprint: 'c_mt_bull_a_body.blueprint' }]);
  });

  it.each([
    ['a list', encodeListedBlueprint([])],
    ['a list with a trailing byte', Uint8Array.of(...encodeListedBlueprint([]), 0)],
    ['a packed model', new Uint8Array(21)],
  ])('is null if the only model is empty: %s', (_, empty) => {
    const files = { 'prefabs/collections/pet/cat.binfab': encodePrefab({ models: ['cat.blueprint'] }), 'blueprints/cat.blueprint': empty };
    expect(buildOf(files).entries).toMatchObject([{ blueprint: null }]);
  });

  it('may be a model of a single voxel', () => {
    const voxel = { x: 0, y: 0, z: 0, type: 0, colour: [1, 2, 3] } as const;
    for (const model of [encodeListedBlueprint([voxel]), encodePackedBlueprint([voxel])]) {
      const files = { 'prefabs/collections/pet/cat.binfab': encodePrefab({ models: ['cat'] }), 'blueprints/cat.blueprint': model };
      expect(buildOf(files).entries).toMatchObject([{ blueprint: 'cat.blueprint' }]);
    }
  });
});

describe('abilities', () => {
  it('are read by their length if a printable key byte follows', () => {
    const before = [component(92, { 2: text('abilities/dragon/red_cannon'), 3: int(1) })];
    const { entries } = buildOf({ 'prefabs/collections/mount/red.binfab': encodePrefab({ before }) });
    expect(entries[0]?.data.abilities).toEqual([{ ref: 'abilities/dragon/red_cannon', hidden: false }]);
  });
});

describe('groups of a collection table', () => {
  it('have items as members too', () => {
    const path = 'prefabs/collections/collection_fish.binfab';
    const { links } = buildOf({
      [path]: encodeCollection([
        { id: 'Hidden', nameKey: 'Hidden', members: [] },
        { id: 'Lava', nameKey: '$CollectionName_Lava', members: ['item/fish/pike'] },
      ]),
    });
    expect(links).toMatchObject([{ rel: 'member_of', source: 'prefabs/item/fish/pike.binfab', target: path, data: { group: 'Lava' } }]);
  });
});
