import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { CodexType } from '../codex-types.data.ts';
import { ENGLISH, languageOfPath } from '../languages.domain.ts';
import type { FileParse } from '../parse/codex-parse.domain.ts';
import { createMultipliers, createPowerRanks } from '../parse/mastery-and-rank.domain.ts';
import { createModelIndex, type ListedFile, resolveModel } from '../parse/models.domain.ts';
import { BINFAB, identifierOf, PREFABS, stemOf, typeOfPath } from '../paths.domain.ts';
import type { CataloguedStyle, CodexContext, PrefabSummary } from './context.domain.ts';
import { providersByRecipe, recipeOrder } from './derive-recipe.domain.ts';

/**
 * Collects parses in any order; ignores texts in other languages than English. Data of a missing shared table is empty.
 * `files` are all files of the branch, including models and prefabs that are not parsed.
 */
export function createContextBuilder(files: Iterable<ListedFile>) {
  const prefabPaths = new Set<string>();
  const models = createModelIndex(withPrefabPaths(files, prefabPaths));
  const prefabs = new Map<string, PrefabSummary>();
  const abilities = new Map<string, { nameKey: string | null; descriptionKey: string | null }>();
  const tables: FileParse[] = [];
  return {
    add(parse: FileParse): void {
      if (parse.texts && languageOfPath(parse.path) !== ENGLISH) return;
      const { prefab, ability, ...table } = parse;
      const path = foldCase(parse.path);
      if (prefab && !prefabs.has(path)) {
        const { nameKey, descriptionKey } = prefab;
        prefabs.set(path, { path: parse.path, nameKey, descriptionKey, model: resolveModel(prefab, models) });
      }
      if (ability) abilities.set(path, ability);
      if (isTable(table)) tables.push(table);
    },
    finish(): CodexContext {
      const sorted = tables.sort((a, b) => (a.path < b.path ? -1 : 1));
      const joined = joinTables(sorted, prefabPaths);
      // The context keeps this scope in memory.
      tables.length = 0;
      return { models, prefabs, hasPrefab: (path) => prefabPaths.has(path), abilities, ...joined };
    },
  };
}

/** The files; adds the folded paths of prefabs to a set as they are read. */
function* withPrefabPaths(files: Iterable<ListedFile>, prefabPaths: Set<string>): Generator<ListedFile> {
  for (const file of files) {
    const path = foldCase(file.path);
    if (path.startsWith(PREFABS) && path.endsWith(BINFAB)) prefabPaths.add(path);
    yield file;
  }
}

function isTable({ path: _path, problem: _problem, ...parts }: FileParse): boolean {
  return Object.keys(parts).length > 0;
}

type Tables = Omit<CodexContext, 'models' | 'prefabs' | 'hasPrefab' | 'abilities'>;

/** `tables` are in path order: the last text of a key and the first row of a style are used. */
function joinTables(tables: readonly FileParse[], prefabPaths: ReadonlySet<string>): Tables {
  const texts = new Map<string, string>();
  for (const table of tables) for (const [key, text] of table.texts ?? []) texts.set(key, text);
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
    blockModels: toFirstMap((tableAt('blocks/blocks')?.blockModels ?? []).map(([key, model]) => [foldCase(key), model])),
    styles: toFirstMap(tables.flatMap(cataloguedStyles)),
    stylePaths: pathsByStem(prefabPaths, 'style'),
    trees: tables.flatMap(({ path, upgradeTree: tree }) => (tree ? [{ systemKey: stemOf(foldCase(path)), tree }] : [])),
    effects: toFirstMap(
      tables.flatMap(({ path, upgradeEffects }) => (upgradeEffects ? [[stemOf(foldCase(path)), upgradeEffects] as const] : [])),
    ),
  };
}

function groupsOf(table: FileParse | undefined): ReadonlyMap<string, string> {
  return toFirstMap((table?.collection ?? []).map(({ member, group }) => [identifierOf(member), group] as const));
}

function cataloguedStyles({ path, styleRows }: FileParse): [stem: string, style: CataloguedStyle][] {
  const catalogue = stemOf(foldCase(path));
  return (styleRows ?? []).map((row) => [row.id, { catalogue, row }]);
}

function pathsByStem(prefabPaths: ReadonlySet<string>, type: CodexType): ReadonlyMap<string, string> {
  return toFirstMap([...prefabPaths].filter((path) => typeOfPath(path) === type).map((path) => [stemOf(path), path] as const));
}

function toFirstMap<Key, Value>(pairs: readonly (readonly [Key, Value])[]): Map<Key, Value> {
  const first = new Map<Key, Value>();
  for (const [key, value] of pairs) if (!first.has(key)) first.set(key, value);
  return first;
}
