import { describe, expect, it } from 'vitest';
import { createContextBuilder } from '../../../src/areas/codexes/derive/context.domain.ts';
import { deriveEntry } from '../../../src/areas/codexes/derive/derive-entry.domain.ts';
import { fileBytes } from '../../../src/areas/codexes/format/bytes.domain.ts';
import type { FileParse } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { parseFile } from '../../../src/areas/codexes/parse/parse-file.domain.ts';
import { parseRecipe } from '../../../src/areas/codexes/parse/recipe-parse.domain.ts';
import { latin1Bytes } from '../../support/codex/hex.ts';
import { encodePrefab, encodeRecipe, type RecipeSpec } from '../../support/codex/prefabs.ts';
import { encodeBlockModels, encodeLanguageTable, encodeMultipliers, encodeRecipeList } from '../../support/codex/tables.ts';

const ORE = { path: 'item/crafting/ore', amount: 100 };
const WOOD = { path: 'item/crafting/wood', amount: 3 };

const parseText = (latin1: string) => parseRecipe(fileBytes(latin1Bytes(latin1)));
const parseSpec = (spec: RecipeSpec) => parseRecipe(fileBytes(encodeRecipe(spec)));

/** Entry of a recipe in a branch with the given files. */
function entryOf(recipe: Uint8Array, files: Record<string, Uint8Array> = {}, path = 'prefabs/recipes/recipe_ball.binfab') {
  const all: Record<string, Uint8Array> = { ...files, [path]: recipe };
  const builder = createContextBuilder(Object.keys(all));
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
    expect(parseSpec({ ingredients: [WOOD, ORE], product: 'collections/pet/cat' })).toMatchObject({
      quantified: [WOOD, ORE],
      product: 'collections/pet/cat',
    });
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
    const recipe = latin1Bytes('\x18\x06knight\x1e');
    const files = { 'prefabs/skins/knight.binfab': encodePrefab({}), 'prefabs/item/knight.binfab': encodePrefab({}) };
    expect(recipeOf(recipe, files)?.output?.path).toBe('skins/knight');
    expect(recipeOf(recipe, { ...files, 'prefabs/item/costume/knight.binfab': encodePrefab({}) })?.output?.path).toBe(
      'item/costume/knight',
    );
    expect(recipeOf(recipe)?.output).toBeNull();
  });

  it('falls back to the last path with an amount that is neither a material nor a block', () => {
    const ingredients = [{ path: 'placeable/deco/lamp', amount: 2 }, ORE, { path: 'placeable/block/stone', amount: 5 }];
    const recipe = recipeOf(encodeRecipe({ ingredients }));
    expect(recipe?.output).toEqual({ path: 'placeable/deco/lamp', name: 'Lamp', amount: 2 });
    expect(recipe?.ingredients.map(({ path }) => path)).toEqual(['item/crafting/ore', 'placeable/block/stone']);
  });

  it('falls back to a path in the printable text, collectibles last', () => {
    expect(parseText('item/one\x01null\x01item/two\x01null\x01item/three').textProduct).toBe('item/three');
    expect(parseText('item/one\x01null\x01item/two').textProduct).toBe('item/two');
    expect(parseText('item/one\x01null').textProduct).toBe('item/one');
    expect(parseText('collections/pet/cat\x01item/one').textProduct).toBe('item/one');
    expect(parseText('collections/pet/cat').textProduct).toBe('collections/pet/cat');
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

  it('has name, description, model and amount of the product, and ingredients without collectibles', () => {
    const recipe = encodeRecipe({ ingredients: [ORE, { path: 'collections/pet/dog', amount: 1 }], product: CAT, productAmount: 4 });
    const { entry } = entryOf(recipe, files);
    expect(entry).toMatchObject({ name: 'House Cat', description: 'Purrs.', category: 'Ally', blueprint: 'cat.blueprint' });
    expect(entry.data.recipe).toMatchObject({
      output: { path: CAT, name: 'House Cat', amount: 4 },
      ingredients: [{ ...ORE, name: 'Ore' }],
    });
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
    expect(parseSpec({ ingredients: [ORE], requirements }).requirements).toEqual(['Active Class', 'Power Rank', 'Zone: HighForest']);
  });

  it('has the mastery of its multiplier row, otherwise of its mastery byte, otherwise null', () => {
    const multipliers = { 'prefabs/meta/multipliers.binfab': encodeMultipliers({ 3: ['recipe_ball'] }) };
    const recipe = encodeRecipe({ ingredients: [ORE], product: CAT, mastery: 8 });
    expect(recipeOf(recipe, multipliers)).toMatchObject({ mastery: 6, mastery_source: 'multipliers', mastery_prefab_byte: 8 });
    expect(recipeOf(recipe)).toMatchObject({ mastery: 8, mastery_source: 'prefab', mastery_prefab_byte: 8 });
    const quarrel = new Uint8Array([...recipe, ...encodeRecipe({ ingredients: [], mastery: 10 })]);
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
