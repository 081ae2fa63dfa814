import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { LinkRel, LinkRow, ProviderLane, RecipeData, RecipePart, RecipeProvider } from '../codex.domain.ts';
import { resolveRecipeToken } from '../parse/catalogues-parse.domain.ts';
import type { FileParse, RecipeParse, RecipeRow } from '../parse/codex-parse.domain.ts';
import { RECIPE_CATEGORIES, RECIPE_MASTERY_BASE, RECIPE_PRODUCT_TOKEN_ROOTS } from '../parse/codex-tables.data.ts';
import { BINFAB, identifierOf, linkPath, PREFABS, stemOf } from '../paths.domain.ts';
import type { CodexContext } from './context.domain.ts';
import { referenceName } from './references.domain.ts';

const COLLECTIBLES = 'collections/';
const OTHER_CATEGORY = 'Recipe';

/** Ingredients, products and stations of a recipe. */
export function toRecipeData(path: string, parse: RecipeParse, context: CodexContext): RecipeData {
  const stem = stemOf(foldCase(path));
  const outputs = findProducts(parse, context).map((row) => toRecipePart(row, context));
  const order = context.catalogueOrder.get(stem);
  const providers = context.providers.get(stem);
  return {
    output: outputs[0] ?? null,
    outputs,
    ingredients: ingredientsOf(parse, outputs[0]?.path ?? null).map((row) => toRecipePart(row, context)),
    requirements: parse.requirements,
    ...masteryOf(stem, parse, context),
    in_catalogue: order !== undefined,
    ...(order === undefined ? {} : { catalogue_order: order }),
    ...(providers === undefined ? {} : { providers: [...providers] }),
  };
}

function toRecipePart({ path, amount }: RecipeRow, context: CodexContext): RecipePart {
  return { path, name: referenceName(path, context), amount };
}

/** The results; the first is replaced by the product that the recipe names. Without either, what it unlocks. */
function findProducts(parse: RecipeParse, context: CodexContext): RecipeRow[] {
  const [first, ...others] = parse.results;
  if (parse.product !== null) return [{ path: parse.product, amount: amountOf(parse, parse.product) ?? first?.amount ?? 1 }, ...others];
  if (first !== undefined) return parse.results;
  for (const name of parse.unlocks) {
    const path = resolveUnlock(name, context);
    if (path !== null) return [{ path, amount: amountOf(parse, path) ?? 1 }];
  }
  return [];
}

/** A path as it is; a bare name only if it is that of a prefab. */
function resolveUnlock(name: string, context: CodexContext): string | null {
  if (name.includes('/')) return name;
  const root = RECIPE_PRODUCT_TOKEN_ROOTS.find((candidate) => context.hasPrefab(`${PREFABS}${candidate}${foldCase(name)}${BINFAB}`));
  return root === undefined ? null : root + name;
}

/** Amount of the product in its own row, which is among the ingredients of a recipe that could not be decoded. */
function amountOf({ results, ingredients, isRecovered }: RecipeParse, product: string): number | undefined {
  const rows = isRecovered ? ingredients : results;
  return rows.findLast(({ path }) => foldCase(path) === foldCase(product))?.amount;
}

function ingredientsOf({ ingredients, isRecovered }: RecipeParse, output: string | null): RecipeRow[] {
  if (!isRecovered) return ingredients;
  const own = output === null ? -1 : ingredients.findLastIndex(({ path }) => foldCase(path) === foldCase(output));
  return ingredients.filter(({ path }, index) => index !== own && !foldCase(path).startsWith(COLLECTIBLES));
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

/** Links of a recipe to its products, ingredients and crafting stations, without duplicates. */
export function recipeLinks(path: string, recipe: RecipeData): LinkRow[] {
  const source = foldCase(path);
  const links = new Map<string, LinkRow>();
  const add = (rel: LinkRel, reference: string, order: number, qty: number | null, data: LinkRow['data'] = {}): void => {
    const target = linkPath(reference);
    const key = `${rel}:${target}`;
    if (!links.has(key)) links.set(key, { rel, source, target, order, qty, data, owner: source });
  };
  recipe.outputs.forEach((item, order) => {
    add('crafts', item.path, order, item.amount);
  });
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
