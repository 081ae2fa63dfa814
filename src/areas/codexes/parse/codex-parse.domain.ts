/*
 * Stages of a build, all pure functions. The index object runs them in steps with storage in between; `buildCodex` of the tests
 * runs them in memory.
 *
 *   1  parseFile(path, bytes)                   one file -> its parse; only for files with parts (see `listParts`)
 *   2  createContextBuilder(files)              all parses, in any order -> texts, shared tables, summaries of prefabs
 *   3  deriveEntry(parse, context)              one prefab -> its entry with rows and links
 *      deriveRelations(context)                 rows and links from shared tables
 */

/*
 * The parse of a file depends only on its path and bytes: cached parses are valid for the same content hash and `PARSER_VERSION`.
 * Plain JSON.
 */

/** Increment with every change of the content or meaning of a parse: cached parses of other versions are deleted. */
export const PARSER_VERSION = 7;

/** The path of a file determines its parts; see `listParts`. Most files have one. */
export interface FileParse {
  /** Logical path as stored. */
  path: string;
  /** Reason why the file could not be decoded, or null. The parts then contain the data that could be recovered. */
  problem: string | null;
  /** Prefabs that are entries or can be referenced by entries. */
  prefab?: PrefabParse;
  /** Text keys of an ability. */
  ability?: { nameKey: string | null; descriptionKey: string | null };
  /** Tokens `recipe_…` of the catalogue and of crafting stations, in lower case, possibly with extra characters at the end. */
  recipeTokens?: string[];
  /** Language table, in file order. */
  texts?: [key: string, text: string][];
  collection?: CollectionMember[];
  unlocks?: UnlockGroup[];
  /** Identifier and factor, in file order. */
  multipliers?: [id: string, factor: number][];
  powerRanks?: [tier: number, rank: number][];
  badges?: BadgeParse[];
  /** Metric names in the executable; the first is ordinal 1. */
  metricNames?: string[];
  /** Placeable or block, and base name of the model. */
  blockModels?: [placeable: string, model: string][];
  styleRows?: StyleRowParse[];
  upgradeTree?: UpgradeTreeParse;
  upgradeEffects?: UpgradeEffectsParse;
}

export interface PrefabParse {
  nameKey: string | null;
  category: string | null;
  descriptionKey: string | null;
  tradable: boolean | null;
  /** Texts that may name a model, in file order, without duplicates. */
  models: string[];
  /** Only if a part of the file could not be decoded: runs of characters that may contain the name of a model. */
  modelRuns?: string[];
  /** Present for `BONUS_TYPES`. */
  modifiers?: ModifierParse[];
  abilities?: string[];
  powerRank?: PowerRankParse;
  recipe?: RecipeParse;
  /** For `item/companion/…`: last path segment of the first text with `_upgrade_tree`. */
  companionTree?: string | null;
}

export interface ModifierParse {
  stat: string;
  statId: number | null;
  operation: number;
  amount: number;
  label: string;
  slot: string | null;
  /** Number of modifiers in the same array. */
  component: number;
}

export interface PowerRankParse {
  /** The file has the byte pattern of rank 30. */
  marked: boolean;
  /** Raw tiers in file order: the first with a known rank is used. */
  tiers: number[];
}

export interface RecipeRow {
  path: string;
  amount: number;
}

export interface RecipeParse {
  ingredients: RecipeRow[];
  results: RecipeRow[];
  /** The product named in a field of its own, or null. */
  product: string | null;
  /** Used without product and results: what the recipe unlocks, as path or bare name of a prefab; the first that exists applies. */
  unlocks: string[];
  /** Present if the file could not be decoded: the row of the product is among the ingredients. */
  isRecovered?: true;
  requirements: string[];
  /** Mastery if all occurrences in the file agree, or null. */
  masteryByte: number | null;
}

export interface CollectionMember {
  group: string;
  /** As listed, such as `collections/mount/cat`. */
  member: string;
}

export interface UnlockGroup {
  source: string;
  targets: string[];
}

export interface BadgeParse {
  badgeId: string;
  /** From 1. */
  rank: number;
  rewards: string[];
  kind: string;
  /** First, second and third value; null if absent. */
  values: (number | string | null)[];
}

export interface StyleRowParse {
  /** Base name of the blueprint without extension, in lower case. */
  id: string;
  category: string;
  nameKey: string;
  descriptionKey: string;
  /** Category number of the row, or null. */
  raw: number | null;
}

export interface UpgradeTreeParse {
  nodes: { key: string; costs: { item: string; quantity: number }[]; requires: string[] }[];
}

export interface UpgradeEffectsParse {
  /** Words of the file, separated by spaces: searched for node keys, text keys and refs. */
  words: string;
  levels: { level: number; amounts: number[]; abilities: { ref: string; key: string | null }[] }[];
}
