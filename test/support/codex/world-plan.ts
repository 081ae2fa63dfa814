import type { CodexType } from '../../../src/areas/codexes/codex-types.data.ts';
import { happens, pick, type RandomSource, randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';
import type { RecipeSpec } from './prefabs.ts';
import { createNamer, type Naming, sample } from './words.ts';
import { type PlannedEntry, planEntry } from './world-prefabs.ts';

/** Number of entries by type in a world of 12,000. */
const SHARES: Readonly<Record<CodexType, number>> = {
  recipe: 3500,
  item: 2550,
  style: 1500,
  mount: 1000,
  dragon: 250,
  ally: 700,
  memento: 400,
  skin: 400,
  fish: 300,
  badge: 280,
  wings: 200,
  aura: 150,
  boat: 150,
  tome: 150,
  sail: 120,
  flask: 120,
  magrider: 120,
  fishingpole: 60,
};
const COMPANIONS_OF_ITEMS = 0.02;

export interface PlannedRecipe {
  stem: string;
  recipe: RecipeSpec;
  /** Identifier of the crafting station, or null. */
  provider: string | null;
}

export interface PlannedCompanion {
  stem: string;
  naming: Naming;
  rarity: string;
}

export interface PlannedPlaceable {
  identifier: string;
  naming: Naming;
  model: string;
}

export interface WorldPlan {
  entries: PlannedEntry[];
  recipes: PlannedRecipe[];
  companions: PlannedCompanion[];
  placeables: PlannedPlaceable[];
}

export const PROVIDERS = [
  'placeable/crafting/workbench_basic_interactive',
  'placeable/crafting/forge_interactive',
  'professions/profession_gardener',
  'placeable/vendor_interactive',
] as const;

const RARITIES = ['common', 'rare', 'epic', 'legendary'] as const;
const REQUIREMENT_TOKENS = ['ActiveClass', 'PowerRank', 'HasCollection', 'HasTitle'] as const;

/** Plans at least `total` entries over all types. Deterministic. */
export function planWorld(seed: number, total: number): WorldPlan {
  const random = seededRandom(`codex world ${seed}`);
  const name = createNamer(random);
  const scale = total / Object.values(SHARES).reduce((sum, share) => sum + share, 0);
  const countOf = (type: CodexType): number => Math.max(4, Math.ceil(SHARES[type] * scale));
  const entries: PlannedEntry[] = [];
  for (const type of Object.keys(SHARES) as CodexType[]) {
    if (type === 'recipe') continue;
    for (let index = 0; index < countOf(type); index += 1) entries.push(planEntry(type, name(type === 'dragon' ? 'mount' : type), random));
  }
  const companions = Array.from({ length: Math.max(4, Math.ceil(countOf('item') * COMPANIONS_OF_ITEMS)) }, () => {
    const naming = name('companion');
    return { stem: naming.stem, naming, rarity: pick(random, RARITIES) };
  });
  const placeables = Array.from({ length: Math.max(8, Math.ceil(countOf('recipe') / 5)) }, () => planPlaceable(name('placeable'), random));
  return { entries, companions, placeables, recipes: planRecipes(countOf('recipe'), entries, placeables, random) };
}

function planPlaceable(naming: Naming, random: RandomSource): PlannedPlaceable {
  const folder = pick(random, ['deco', 'frameworks'] as const);
  const model = folder === 'deco' ? `deco_${naming.stem}` : `fw_${naming.stem}[Kit].blueprint`;
  return { identifier: `placeable/${folder}/${naming.stem}`, naming, model: model.endsWith('.blueprint') ? model : `${model}.blueprint` };
}

const PRODUCT_TYPES: ReadonlySet<CodexType> = new Set([
  'ally',
  'mount',
  'item',
  'memento',
  'aura',
  'boat',
  'sail',
  'flask',
  'wings',
  'magrider',
]);

function planRecipes(
  count: number,
  entries: readonly PlannedEntry[],
  placeables: readonly PlannedPlaceable[],
  random: RandomSource,
): PlannedRecipe[] {
  const materials = entries.filter(({ type }) => type === 'item').map(({ identifier }) => identifier);
  const products = [
    ...entries.filter(({ type }) => PRODUCT_TYPES.has(type)).map(({ identifier }) => identifier),
    ...placeables.map(({ identifier }) => identifier),
  ];
  const used = new Map<string, number>();
  return Array.from({ length: count }, () => {
    const product = pick(random, products);
    const stem = `recipe_${product.replaceAll('/', '_')}`;
    const times = (used.get(stem) ?? 0) + 1;
    used.set(stem, times);
    return {
      stem: times === 1 ? stem : `${stem}_v${times}`,
      provider: happens(random, 0.8) ? pick(random, PROVIDERS) : null,
      recipe: planRecipe(product, materials, random),
    };
  });
}

/** Plans a recipe. Most recipes use a few common materials, which have hundreds of links. */
function planRecipe(product: string, materials: readonly string[], random: RandomSource): RecipeSpec {
  const common = materials.slice(0, 5);
  const chosen = [...sample(random, common, 1), ...sample(random, materials, 1 + randomBelow(random, 4))];
  return {
    results: [{ path: product, amount: happens(random, 0.2) ? 1 + randomBelow(random, 20) : 1 }],
    ingredients: [...new Set(chosen)].map((path) => ({ path, amount: 1 + randomBelow(random, 400) })),
    ...(happens(random, 0.2) ? { requirements: [pick(random, REQUIREMENT_TOKENS)] } : {}),
    ...(happens(random, 0.1) ? { requirements: ['ZoneTag', 'HighForest'] } : {}),
    ...(happens(random, 0.5) ? { mastery: 2 } : {}),
  };
}
