/*
 * The cached parse of one file: a function of its path and bytes alone, free of texts, shared tables and other files, so
 * that it stays valid as long as the file's content hash and `PARSER_VERSION` do. Plain JSON.
 */

/** Raise it with every change of what a parse holds or means: caches of other versions are worthless. */
export const PARSER_VERSION = 3;

/** Each part is present when the file's path gives it that role; most files have one. */
export interface FileParse {
  /** Logical path as stored. */
  path: string;
  /** Why the file could not be decoded, or null. The parts then hold what could be saved. */
  problem: string | null;
  /** Any prefab that is an entry or may be referred to by one. */
  prefab?: PrefabParse;
  /** Keys of an ability's texts. */
  ability?: { nameKey: string | null; descriptionKey: string | null };
  /** Tokens `recipe_…`, lower-cased, perhaps with bytes glued behind: of the catalogue and of places of crafting. */
  recipeTokens?: string[];
  /** Language table, in file order. */
  texts?: [key: string, text: string][];
  collection?: CollectionMember[];
  unlocks?: UnlockGroup[];
  /** Identifier and factor, in file order. */
  multipliers?: [id: string, factor: number][];
  powerRanks?: [tier: number, rank: number][];
  badges?: BadgeParse[];
  /** Names of the metrics of the executable; the first is ordinal 1. */
  metricNames?: string[];
  /** Placeable or block and base name of its model. */
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
  /** Texts that may name a model, in file order, each once. */
  models: string[];
  /** For types that read bonuses. */
  modifiers?: ModifierParse[];
  abilities?: string[];
  powerRank?: PowerRankParse;
  recipe?: RecipeParse;
  /** `item/companion/…`: last path segment of the first text with `_upgrade_tree`. */
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
  /** The file bears the mark of rank 30. */
  marked: boolean;
  /** Raw tiers it names, in order: the first that the join knows counts. */
  tiers: number[];
}

export interface RecipeParse {
  quantified: { path: string; amount: number }[];
  /** Product named by a field, or null. */
  product: string | null;
  /** Else: tokens that name it when such a prefab exists. */
  productTokens: string[];
  /** Else, after the quantified paths: the likeliest path of the printable text. */
  textProduct: string | null;
  requirements: string[];
  /** The trusted mastery byte, or null. */
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
  /** First, second and third value, in raw form for numbers; null where absent. */
  values: (number | string | null)[];
}

export interface StyleRowParse {
  /** Base name of the blueprint without extension, lower-cased. */
  id: string;
  category: string;
  nameKey: string;
  descriptionKey: string;
  /** Category number as the bytes have it; null where the row has none. */
  raw: number | null;
}

export interface UpgradeTreeParse {
  nodes: { key: string; costs: { item: string; quantity: number }[]; requires: string[] }[];
}

export interface UpgradeEffectsParse {
  /** The words of the file, everything else a blank: node keys, text keys and refs are looked up in it. */
  words: string;
  levels: { level: number; amounts: number[]; abilities: { ref: string; key: string | null }[] }[];
}
