import type { RecipeProvider } from '../codex.domain.ts';
import type {
  BadgeParse,
  CollectionMember,
  StyleRowParse,
  UnlockGroup,
  UpgradeEffectsParse,
  UpgradeTreeParse,
} from '../parse/codex-parse.domain.ts';
import type { Multipliers } from '../parse/mastery-and-rank.domain.ts';
import type { ModelIndex } from '../parse/models.domain.ts';

/** Returns the text of a key, or null. */
export type Texts = (key: string) => string | null;

/** Data of a prefab that other entries need. */
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
 * Input of `deriveEntry` besides the parse of the entry. Paths, identifiers and stems are in lower case. Some tens of megabytes for the
 * largest branch.
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
  /** Members of each collection table. */
  memberships: readonly { table: string; members: readonly CollectionMember[] }[];
  /** Position in the recipe catalogue, by stem. */
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
  /** Path of each style, by stem. */
  stylePaths: ReadonlyMap<string, string>;
  trees: readonly { systemKey: string; tree: UpgradeTreeParse }[];
  effects: ReadonlyMap<string, UpgradeEffectsParse>;
}
