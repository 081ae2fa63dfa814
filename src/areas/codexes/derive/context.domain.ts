import type { RecipeProvider } from '../codex.domain.ts';
import type { CodexType } from '../codex-types.data.ts';
import type {
  BadgeParse,
  CollectionMember,
  FileParse,
  StyleRowParse,
  UnlockGroup,
  UpgradeEffectsParse,
  UpgradeTreeParse,
} from '../parse/codex-parse.domain.ts';
import { createMultipliers, type Multipliers } from '../parse/mastery.domain.ts';
import { createModelIndex, type ModelIndex, resolveModel } from '../parse/models.domain.ts';
import { createPowerRanks } from '../parse/power-rank.domain.ts';
import { BINFAB, folded, identifierOf, PREFABS, stemOf, typeOfPath } from '../paths.domain.ts';
import { providersByRecipe, recipeOrder } from './recipe-providers.domain.ts';
import type { Texts } from './stat-values.domain.ts';

/** The little of a prefab that others need. */
export interface PrefabSummary {
  /** As stored. */
  path: string;
  nameKey: string | null;
  descriptionKey: string | null;
  model: string | null;
}

/** A style in the first catalogue that lists it. */
export interface CataloguedStyle {
  /** Stem of the catalogue. */
  catalogue: string;
  row: StyleRowParse;
}

/**
 * All that entries are derived from besides their own parse. Paths, identifiers and stems in it are lower-cased. Built once
 * for each build; some tens of megabytes for the largest branch.
 */
export interface CodexContext {
  texts: Texts;
  models: ModelIndex;
  prefabs: ReadonlyMap<string, PrefabSummary>;
  hasPrefab: (path: string) => boolean;
  abilities: ReadonlyMap<string, { nameKey: string | null; descriptionKey: string | null }>;
  /** Group of each member of the mount table, by identifier. */
  mountGroups: ReadonlyMap<string, string>;
  companionRarities: ReadonlyMap<string, string>;
  /** By path of the collection table. */
  memberships: readonly { table: string; members: readonly CollectionMember[] }[];
  /** Place in the recipe catalogue by stem. */
  catalogueOrder: ReadonlyMap<string, number>;
  providers: ReadonlyMap<string, readonly RecipeProvider[]>;
  unlocks: readonly UnlockGroup[];
  multipliers: Multipliers;
  geodeMultipliers: Multipliers;
  powerRanks: ReadonlyMap<number, number>;
  badges: readonly BadgeParse[];
  metricNames: readonly string[];
  blockModels: ReadonlyMap<string, string>;
  styles: ReadonlyMap<string, CataloguedStyle>;
  /** Path of the style with a stem. */
  stylePaths: ReadonlyMap<string, string>;
  trees: readonly { systemKey: string; tree: UpgradeTreeParse }[];
  effects: ReadonlyMap<string, UpgradeEffectsParse>;
}

/** Collects parses in any order. A shared table that never comes leaves its part empty. */
export interface ContextBuilder {
  add(parse: FileParse): void;
  finish(): CodexContext;
}

/** `paths`: every logical path of the branch, of models and of prefabs that were not parsed too. */
export function createContextBuilder(paths: Iterable<string>): ContextBuilder {
  const known = [...paths];
  const models = createModelIndex(known);
  const prefabPaths = new Set(known.map(folded).filter((path) => path.startsWith(PREFABS) && path.endsWith(BINFAB)));
  const prefabs = new Map<string, PrefabSummary>();
  const abilities = new Map<string, { nameKey: string | null; descriptionKey: string | null }>();
  const tables: FileParse[] = [];
  return {
    add(parse) {
      const { prefab, ability, ...table } = parse;
      const path = folded(parse.path);
      if (prefab && !prefabs.has(path)) {
        const { nameKey, descriptionKey } = prefab;
        prefabs.set(path, { path: parse.path, nameKey, descriptionKey, model: resolveModel(prefab.models, models) });
      }
      if (ability) abilities.set(path, ability);
      if (isTable(table)) tables.push(table);
    },
    finish: () => ({
      models,
      prefabs,
      hasPrefab: (path) => prefabPaths.has(path),
      abilities,
      ...joinTables(
        tables.sort((a, b) => (a.path < b.path ? -1 : 1)),
        prefabPaths,
      ),
    }),
  };
}

function isTable({ path: _path, problem: _problem, ...parts }: FileParse): boolean {
  return Object.keys(parts).length > 0;
}

type Tables = Omit<CodexContext, 'models' | 'prefabs' | 'hasPrefab' | 'abilities'>;

/** `tables` in path order: of equal keys of language tables the last counts, of styles the first. */
function joinTables(tables: readonly FileParse[], prefabPaths: ReadonlySet<string>): Tables {
  const texts = new Map(tables.flatMap((table) => table.texts ?? []));
  const tableAt = (identifier: string): FileParse | undefined => tables.find(({ path }) => identifierOf(path) === identifier);
  const recipes = pathsByStem(prefabPaths, 'recipe');
  return {
    texts: (key) => texts.get(key) ?? null,
    mountGroups: groupsOf(tableAt('collections/collection_mount')),
    companionRarities: groupsOf(tableAt('collections/collection_geodecompanion')),
    memberships: tables.flatMap(({ path, collection }) => (collection ? [{ table: path, members: collection }] : [])),
    catalogueOrder: recipeOrder(tableAt('collections/collection_recipe')?.recipeTokens ?? [], recipes),
    providers: providersByRecipe(tables, recipes),
    unlocks: tableAt('collections/unlocks')?.unlocks ?? [],
    multipliers: createMultipliers(tableAt('meta/multipliers')?.multipliers ?? []),
    geodeMultipliers: createMultipliers(tableAt('meta/geode_multipliers')?.multipliers ?? []),
    powerRanks: createPowerRanks(tableAt('meta/powerrank')?.powerRanks ?? []),
    badges: tableAt('meta/badges')?.badges ?? [],
    metricNames: tables.find(({ metricNames }) => metricNames !== undefined)?.metricNames ?? [],
    blockModels: firstOfEach((tableAt('blocks/blocks')?.blockModels ?? []).map(([key, model]) => [folded(key), model])),
    styles: firstOfEach(tables.flatMap(cataloguedStyles)),
    stylePaths: pathsByStem(prefabPaths, 'style'),
    trees: tables.flatMap(({ path, upgradeTree: tree }) => (tree ? [{ systemKey: stemOf(folded(path)), tree }] : [])),
    effects: firstOfEach(
      tables.flatMap(({ path, upgradeEffects }) => (upgradeEffects ? [[stemOf(folded(path)), upgradeEffects] as const] : [])),
    ),
  };
}

function groupsOf(table: FileParse | undefined): ReadonlyMap<string, string> {
  return firstOfEach((table?.collection ?? []).map(({ member, group }) => [identifierOf(member), group] as const));
}

function cataloguedStyles({ path, styleRows }: FileParse): [stem: string, style: CataloguedStyle][] {
  const catalogue = stemOf(folded(path));
  return (styleRows ?? []).map((row) => [row.id, { catalogue, row }]);
}

function pathsByStem(prefabPaths: ReadonlySet<string>, type: CodexType): ReadonlyMap<string, string> {
  return firstOfEach([...prefabPaths].filter((path) => typeOfPath(path) === type).map((path) => [stemOf(path), path] as const));
}

function firstOfEach<Key, Value>(pairs: readonly (readonly [Key, Value])[]): Map<Key, Value> {
  const first = new Map<Key, Value>();
  for (const [key, value] of pairs) if (!first.has(key)) first.set(key, value);
  return first;
}
