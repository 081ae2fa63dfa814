import type { ProviderLane, RecipeProvider } from '../codex.domain.ts';
import type { FileParse } from '../parse/codex-parse.domain.ts';
import { resolveRecipeToken } from '../parse/collections.domain.ts';
import { foldCase, identifierOf } from '../paths.domain.ts';

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
