import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { LinkRel, LinkRow, ProviderLane, RecipeData, RecipePart, RecipeProvider } from '../codex.domain.ts';
import { resolveRecipeToken } from '../parse/catalogues-parse.domain.ts';
import type { FileParse, RecipeParse } from '../parse/codex-parse.domain.ts';
import { RECIPE_CATEGORIES, RECIPE_MASTERY_BASE, RECIPE_PRODUCT_TOKEN_ROOTS } from '../parse/codex-tables.data.ts';
import { findLastProduct } from '../parse/recipe-parse.domain.ts';
import { BINFAB, identifierOf, linkPath, PREFABS, stemOf } from '../paths.domain.ts';
import type { CodexContext } from './context.domain.ts';
import { referenceName } from './references.domain.ts';

const COLLECTIBLES = 'collections/';
const OTHER_CATEGORY = 'Recipe';

/** Ingredients, product and stations of a recipe. */
export function toRecipeData(path: string, parse: RecipeParse, context: CodexContext): RecipeData {
  const stem = stemOf(foldCase(path));
  const output = findProduct(parse, context);
  const order = context.catalogueOrder.get(stem);
  const providers = context.providers.get(stem);
  return {
    output: output === null ? null : toRecipePart(output, productAmount(parse, output), context),
    ingredients: ingredientsOf(parse, output).map(({ path: item, amount }) => toRecipePart(item, amount, context)),
    requirements: parse.requirements,
    ...masteryOf(stem, parse, context),
    in_catalogue: order !== undefined,
    ...(order === undefined ? {} : { catalogue_order: order }),
    ...(providers === undefined ? {} : { providers: [...providers] }),
  };
}

function toRecipePart(path: string, amount: number, context: CodexContext): RecipePart {
  return { path, name: referenceName(path, context), amount };
}

function findProduct(parse: RecipeParse, context: CodexContext): string | null {
  if (parse.product !== null) return parse.product;
  for (const token of parse.productTokens) {
    const root = RECIPE_PRODUCT_TOKEN_ROOTS.find((candidate) => context.hasPrefab(`${PREFABS}${candidate}${foldCase(token)}${BINFAB}`));
    if (root !== undefined) return root + token;
  }
  return findLastProduct(parse.quantified) ?? parse.textProduct;
}

/** Last amount of the product in the recipe, otherwise 1. */
function productAmount(parse: RecipeParse, output: string): number {
  return parse.quantified.findLast(({ path }) => foldCase(path) === foldCase(output))?.amount ?? 1;
}

function ingredientsOf(parse: RecipeParse, output: string | null): RecipeParse['quantified'] {
  const own = output === null ? -1 : parse.quantified.findLastIndex(({ path }) => foldCase(path) === foldCase(output));
  return parse.quantified.filter(({ path }, index) => index !== own && !foldCase(path).startsWith(COLLECTIBLES));
}

function masteryOf(
  stem: string,
  parse: RecipeParse,
  context: CodexContext,
): Pick<RecipeData, 'mastery' | 'mastery_source' | 'mastery_prefab_byte'> {
  const byte = parse.masteryByte === null ? {} : { mastery_prefab_byte: parse.masteryByte };
  const factor = context.multipliers.get(stem);
  if (factor !== undefined) return { mastery: RECIPE_MASTERY_BASE * factor, mastery_source: 'multipliers', ...byte };
  return { mastery: parse.masteryByte, mastery_source: parse.masteryByte === null ? 'review' : 'prefab', ...byte };
}

export function recipeCategory(output: RecipePart | null): string {
  const path = output?.path.toLowerCase() ?? '';
  return RECIPE_CATEGORIES.find(({ prefix }) => path.startsWith(prefix))?.category ?? OTHER_CATEGORY;
}

/** Links of a recipe to its product, ingredients and crafting stations, without duplicates. */
export function recipeLinks(path: string, recipe: RecipeData): LinkRow[] {
  const source = foldCase(path);
  const links = new Map<string, LinkRow>();
  const add = (rel: LinkRel, reference: string, order: number, qty: number | null, data: LinkRow['data'] = {}): void => {
    const target = linkPath(reference);
    const key = `${rel}:${target}`;
    if (!links.has(key)) links.set(key, { rel, source, target, order, qty, data, owner: source });
  };
  if (recipe.output !== null) add('crafts', recipe.output.path, 0, recipe.output.amount);
  recipe.ingredients.forEach((item, order) => {
    add('ingredient', item.path, order, item.amount);
  });
  recipe.providers?.forEach((provider, order) => {
    add('craftable_at', provider.provider_path, order, null, { lane: provider.lane });
  });
  return [...links.values()];
}

const CATALOGUE = 'collections/collection_recipe';

/** Position of each known recipe in the catalogue, by first appearance, from 0. */
export function recipeOrder(tokens: readonly string[], recipes: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  return new Map(knownRecipes(tokens, recipes).map((stem, order) => [stem, order]));
}

function knownRecipes(tokens: readonly string[], recipes: ReadonlyMap<string, string>): string[] {
  const stems = tokens.map((token) => resolveRecipeToken(token, (stem) => recipes.has(stem)));
  return [...new Set(stems.filter((stem) => stem !== null))];
}

/** Crafting stations by stem of the recipe; `tables` are in path order. */
export function providersByRecipe(
  tables: readonly FileParse[],
  recipes: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly RecipeProvider[]> {
  const providers = new Map<string, RecipeProvider[]>();
  for (const { path, recipeTokens } of tables) {
    const identifier = identifierOf(path);
    if (recipeTokens === undefined || identifier === CATALOGUE) continue;
    const provider: RecipeProvider = { provider: identifier, provider_path: path, lane: laneOf(path) };
    for (const stem of knownRecipes(recipeTokens, recipes)) {
      const listed = providers.get(stem);
      if (listed === undefined) providers.set(stem, [provider]);
      else listed.push(provider);
    }
  }
  return providers;
}

const LANES: readonly { parts: readonly string[]; lane: ProviderLane }[] = [
  { parts: ['profession'], lane: 'profession' },
  { parts: ['workbench', '/crafting/', 'forge'], lane: 'bench' },
  { parts: ['vendor'], lane: 'vendor' },
  { parts: ['guideui'], lane: 'guide' },
  { parts: ['interact'], lane: 'interactive' },
];

function laneOf(path: string): ProviderLane {
  const lower = foldCase(path);
  return LANES.find(({ parts }) => parts.some((part) => lower.includes(part)))?.lane ?? 'other';
}
