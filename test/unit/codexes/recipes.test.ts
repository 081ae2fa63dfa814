import { describe, expect, it } from 'vitest';
import { createContextBuilder } from '../../../src/areas/codexes/derive/build-context.domain.ts';
import { deriveEntry } from '../../../src/areas/codexes/derive/derive-entry.domain.ts';
import { fileBytes } from '../../../src/areas/codexes/format/bytes.domain.ts';
import { decodeBinfab } from '../../../src/areas/codexes/format/decode-binfab.domain.ts';
import type { FileParse } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { parseFile } from '../../../src/areas/codexes/parse/parse-file.domain.ts';
import { parseRecipe } from '../../../src/areas/codexes/parse/recipe-parse.domain.ts';
import { latin1Bytes } from '../../support/codex/hex.ts';
import { encodeCostume, encodePrefab, encodeRecipe, type RecipeSpec } from '../../support/codex/prefabs.ts';
import { encodeBlockModels, encodeLanguageTable, encodeMultipliers, encodeRecipeList } from '../../support/codex/tables.ts';

const ORE = { path: 'item/crafting/ore', amount: 100 };
const WOOD = { path: 'item/crafting/wood', amount: 3 };

/** Bytes that cannot be decoded. */
const parseText = (latin1: string) => parseRecipe(fileBytes(latin1Bytes(latin1)), null);
const parseSpec = (spec: RecipeSpec) => {
  const bytes = encodeRecipe(spec);
  return parseRecipe(fileBytes(bytes), decodeBinfab(bytes));
};
/** A recipe without its last byte, which cannot be decoded. */
const damagedRecipe = (spec: RecipeSpec) => encodeRecipe(spec).slice(0, -1);

/** Entry of a recipe in a branch with the given files. */
function entryOf(recipe: Uint8Array, files: Record<string, Uint8Array> = {}, path = 'prefabs/recipes/recipe_ball.binfab') {
  const all: Record<string, Uint8Array> = { ...files, [path]: recipe };
  const builder = createContextBuilder(Object.entries(all).map(([name, { length: size }]) => ({ path: name, size })));
  const parses = new Map<string, FileParse>();
  for (const [name, bytes] of Object.entries(all)) {
    const parse = parseFile(name, bytes);
    parses.set(name, parse);
    builder.add(parse);
  }
  const parse = parses.get(path);
  const derived = parse ? deriveEntry(parse, builder.finish()) : null;
  if (derived === null) throw new Error('no entry');
  return derived;
}

const recipeOf = (...args: Parameters<typeof entryOf>) => entryOf(...args).entry.data.recipe;

describe('product of a recipe', () => {
  it('is found after an amount of 100', () => {
    const spec = { ingredients: [WOOD, ORE], product: 'collections/pet/cat' };
    const expected = { ingredients: [WOOD, ORE], results: [], product: 'collections/pet/cat' };
    expect(parseSpec(spec)).toMatchObject(expected);
    const damaged = parseRecipe(fileBytes(damagedRecipe(spec)), null);
    expect(damaged).toMatchObject({ ...expected, isRecovered: true });
  });

  it('is the first result, with its amount; ingredients are only the rows of the ingredients', () => {
    const block = { path: 'placeable/block/fan_down', amount: 1 };
    const second = { path: 'equipment/banner/fan', amount: 2 };
    const recipe = recipeOf(encodeRecipe({ ingredients: [{ path: 'equipment/torch_a', amount: 1 }, ORE], results: [block, second] }));
    expect(recipe).toMatchObject({
      output: { ...block, name: 'Fan Down' },
      outputs: [block, second],
      ingredients: [{ path: 'equipment/torch_a', amount: 1 }, ORE],
    });
    expect(recipe?.outputs).toHaveLength(2);
    expect(recipe?.ingredients).toHaveLength(2);
  });

  it('is the product named in a field of its own before the first result, which a ring grants', () => {
    const ring = 'item/lootbox/newrings/moon';
    const recipe = recipeOf(encodeRecipe({ ingredients: [ORE], results: [{ path: `${ring}_autoconsume`, amount: 1 }], product: ring }));
    expect(recipe).toMatchObject({ output: { path: ring, amount: 1 }, outputs: [{ path: ring }], ingredients: [ORE] });
    expect(recipe?.outputs).toHaveLength(1);
  });

  it('is what the recipe unlocks if no result names a path', () => {
    expect(recipeOf(encodeRecipe({ ingredients: [ORE], unlocks: ['collections/aura/sky'] }))?.outputs).toEqual([
      { path: 'collections/aura/sky', name: 'Sky', amount: 1 },
    ]);
    const costume = encodeRecipe({ ingredients: [ORE], unlocks: ['knight_red', 'equipment_hat_red.blueprint'] });
    const files = { 'prefabs/skins/knight_red.binfab': encodeCostume({}) };
    expect(recipeOf(costume, files)?.output?.path).toBe('skins/knight_red');
    expect(recipeOf(costume)).toMatchObject({ output: null, outputs: [] });
  });

  it('keeps paths under any root and in any case; links are in lower case', () => {
    const flake = { path: 'Item/crafting/flake', amount: 30 };
    const { entry, links } = entryOf(encodeRecipe({ ingredients: [flake], results: [{ path: 'item/snowball', amount: 3 }] }), {
      'prefabs/item/crafting/flake.binfab': encodePrefab({ nameKey: '$flake' }),
      'languages/en/a.binfab': encodeLanguageTable([['$flake', 'Snow Flake']]),
    });
    expect(entry.data.recipe?.ingredients).toEqual([{ ...flake, name: 'Snow Flake' }]);
    expect(links.map(({ rel, target, qty }) => [rel, target, qty])).toEqual([
      ['crafts', 'prefabs/item/snowball.binfab', 3],
      ['ingredient', 'prefabs/item/crafting/flake.binfab', 30],
    ]);
  });

  it('is read from field 16, otherwise field 1, otherwise the last path without an amount in field 0', () => {
    const plain = (field: string, path: string) => `${field}${String.fromCharCode(path.length)}${path}`;
    const [a, b, c, d] = ['item/a', 'item/b', 'item/c', 'item/d'];
    const end = '\x1e';
    expect(parseText(`${plain('\x08', a)}${end}${plain('\x18', b)}${end}${plain('\x88\x02', c)}`).product).toBe(c);
    expect(parseText(`${plain('\x08', a)}${end}${plain('\x18', b)}${end}`).product).toBe(b);
    expect(parseText(`${plain('\x08', a)}${end}${plain('\x08', d)}${end}${plain('\x08', b)}\x10\x04`).product).toBe(d);
    expect(parseText(`${plain('\x08', b)}\x10\x04`).product).toBeNull();
  });

  it('is resolved from a bare token to an existing prefab, by the order of the folders', () => {
    const recipe = latin1Bytes('\x18\x06knight');
    const files = { 'prefabs/skins/knight.binfab': encodePrefab({}), 'prefabs/item/knight.binfab': encodePrefab({}) };
    expect(recipeOf(recipe, files)?.output?.path).toBe('skins/knight');
    expect(recipeOf(recipe, { ...files, 'prefabs/item/costume/knight.binfab': encodePrefab({}) })?.output?.path).toBe(
      'item/costume/knight',
    );
    expect(recipeOf(recipe)?.output).toBeNull();
  });

  it('falls back to the last path with an amount that is neither a material nor a block', () => {
    const ingredients = [{ path: 'placeable/deco/lamp', amount: 2 }, ORE, { path: 'placeable/block/stone', amount: 5 }];
    const recipe = recipeOf(damagedRecipe({ ingredients }));
    expect(recipe?.output).toEqual({ path: 'placeable/deco/lamp', name: 'Lamp', amount: 2 });
    expect(recipe?.ingredients.map(({ path }) => path)).toEqual(['item/crafting/ore', 'placeable/block/stone']);
  });

  it('falls back to a path in the printable text, collectibles last', () => {
    expect(parseText('item/one\x01null\x01item/two\x01null\x01item/three').unlocks).toEqual(['item/three']);
    expect(parseText('item/one\x01null\x01item/two').unlocks).toEqual(['item/two']);
    expect(parseText('item/one\x01null').unlocks).toEqual(['item/one']);
    expect(parseText('collections/pet/cat\x01item/one').unlocks).toEqual(['item/one']);
    expect(parseText('collections/pet/cat').unlocks).toEqual(['collections/pet/cat']);
  });

  it('is null otherwise, and the recipe is named after its path', () => {
    const { entry, links } = entryOf(encodeRecipe({ ingredients: [ORE] }));
    expect(entry).toMatchObject({ name: 'Recipe Ball', description: '', category: 'Recipe', tradable: null });
    expect(entry.data.recipe).toMatchObject({
      output: null,
      ingredients: [{ ...ORE, name: 'Ore' }],
      mastery: null,
      mastery_source: 'review',
    });
    expect(links.map(({ rel }) => rel)).toEqual(['ingredient']);
  });
});

describe('entry of a recipe', () => {
  const CAT = 'collections/pet/cat';
  const files = {
    'prefabs/collections/pet/cat.binfab': encodePrefab({
      nameKey: '$cat_name',
      descriptionKey: '$cat_description',
      models: ['cat.blueprint'],
    }),
    'blueprints/cat.blueprint': new Uint8Array(1),
    'languages/en/a.binfab': encodeLanguageTable([
      ['$cat_name', 'House Cat'],
      ['$cat_description', 'Purrs.'],
    ]),
  };

  const decoded = { output: { path: CAT, name: 'House Cat', amount: 4 }, ingredients: [{ ...ORE, name: 'Ore' }] };

  it('has name, description, model and amount of the product', () => {
    const { entry } = entryOf(encodeRecipe({ ingredients: [ORE], results: [{ path: CAT, amount: 4 }] }), files);
    expect(entry).toMatchObject({ name: 'House Cat', description: 'Purrs.', category: 'Ally', blueprint: 'cat.blueprint' });
    expect(entry.data.recipe).toMatchObject(decoded);
  });

  it('has ingredients without collectibles and without the row of the product if it could not be decoded', () => {
    const ingredients = [ORE, { path: 'collections/pet/dog', amount: 1 }, { path: CAT, amount: 4 }];
    expect(entryOf(damagedRecipe({ ingredients, product: CAT }), files).entry.data.recipe).toMatchObject(decoded);
  });

  it('has names without the trade suffix for items without a prefab', () => {
    const recipe = recipeOf(encodeRecipe({ ingredients: [{ path: 'item/crafting/old_ore_notrade', amount: 1 }], product: CAT }), files);
    expect(recipe?.ingredients[0]?.name).toBe('Old Ore');
  });

  it('has the model of a placeable from the block table', () => {
    const placed = {
      'blueprints/lamp_model[Kit].blueprint': new Uint8Array(1),
      'prefabs/blocks/blocks.binfab': encodeBlockModels([['placeable/deco/lamp', 'lamp_model']]),
    };
    expect(entryOf(encodeRecipe({ ingredients: [ORE], product: 'placeable/deco/lamp' }), placed).entry).toMatchObject({
      category: 'Placeable',
      blueprint: 'lamp_model[Kit].blueprint',
    });
  });

  it('has distinct requirements from known tokens and zones', () => {
    const requirements = ['ActiveClass', 'powerrank', 'ZoneTag', 'HighForest', 'Unknown', 'ACTIVECLASS'];
    const labels = ['Active Class', 'Power Rank', 'Zone: HighForest'];
    expect(parseSpec({ ingredients: [ORE], requirements }).requirements).toEqual(labels);
    expect(parseRecipe(fileBytes(damagedRecipe({ ingredients: [ORE], requirements })), null).requirements).toEqual(labels);
  });

  it('has the mastery of its multiplier row, otherwise of its mastery byte, otherwise null', () => {
    const multipliers = { 'prefabs/meta/multipliers.binfab': encodeMultipliers({ 3: ['recipe_ball'] }) };
    const recipe = encodeRecipe({ ingredients: [ORE], product: CAT, mastery: 8 });
    expect(recipeOf(recipe, multipliers)).toMatchObject({ mastery: 6, mastery_source: 'multipliers', mastery_prefab_byte: 8 });
    expect(recipeOf(recipe)).toMatchObject({ mastery: 8, mastery_source: 'prefab', mastery_prefab_byte: 8 });
    const quarrel = new Uint8Array([...recipe, ...damagedRecipe({ ingredients: [], mastery: 10 })]);
    expect(recipeOf(quarrel)).toMatchObject({ mastery: null, mastery_source: 'review' });
  });

  it('has catalogue position and providers for tokens with trailing bytes', () => {
    const lists = {
      'prefabs/collections/collection_recipe.binfab': encodeRecipeList(['recipe_other', 'recipe_ball']),
      'prefabs/recipes/recipe_other.binfab': encodeRecipe({ ingredients: [ORE] }),
      'prefabs/professions/profession_tamer.binfab': latin1Bytes('\x08\x0brecipe_ball88 recipe_unknown'),
      'prefabs/placeable/crafting/workbench_interactive.binfab': encodeRecipeList(['RECIPE_BALL']),
    };
    const { entry, links } = entryOf(encodeRecipe({ ingredients: [ORE, ORE, WOOD], product: CAT }), lists);
    expect(entry.data.recipe).toMatchObject({
      in_catalogue: true,
      catalogue_order: 1,
      providers: [
        {
          provider: 'placeable/crafting/workbench_interactive',
          provider_path: 'prefabs/placeable/crafting/workbench_interactive.binfab',
          lane: 'bench',
        },
        { provider: 'professions/profession_tamer', provider_path: 'prefabs/professions/profession_tamer.binfab', lane: 'profession' },
      ],
    });
    const own = 'prefabs/recipes/recipe_ball.binfab';
    expect(links).toEqual([
      { rel: 'crafts', source: own, target: 'prefabs/collections/pet/cat.binfab', order: 0, qty: 1, data: {}, owner: own },
      { rel: 'ingredient', source: own, target: 'prefabs/item/crafting/ore.binfab', order: 0, qty: 100, data: {}, owner: own },
      { rel: 'ingredient', source: own, target: 'prefabs/item/crafting/wood.binfab', order: 2, qty: 3, data: {}, owner: own },
      {
        rel: 'craftable_at',
        source: own,
        target: 'prefabs/placeable/crafting/workbench_interactive.binfab',
        order: 0,
        qty: null,
        data: { lane: 'bench' },
        owner: own,
      },
      {
        rel: 'craftable_at',
        source: own,
        target: 'prefabs/professions/profession_tamer.binfab',
        order: 1,
        qty: null,
        data: { lane: 'profession' },
        owner: own,
      },
    ]);
  });
});
