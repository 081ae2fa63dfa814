import { namedValues } from '../../platform/kit/values/named-values.ts';
import type { CodexType } from './codex-types.data.ts';

/*
 * Output of a codex build. Fields of `Entry.data`, `LinkRow.data`, `RequirementRow.context` and `UpgradeNode.effects` have their
 * wire names: they are stored as JSON and served unchanged.
 */

/** Codex entry of a prefab. `path` is its logical path in the stored case: the stable id. */
export interface Entry {
  type: CodexType;
  path: string;
  name: string;
  /** Empty if the prefab has none. */
  category: string;
  description: string;
  tradable: boolean | null;
  mastery: number | null;
  masteryGeode: number | null;
  powerRank: number | null;
  /** Logical name below `blueprints/` of an existing model. */
  blueprint: string | null;
  data: EntryData;
}

export interface EntryData {
  /** Present for `BONUS_TYPES`, like `abilities`. */
  stats?: StatItem[];
  abilities?: AbilityItem[];
  recipe?: RecipeData;
  style?: StyleData;
  geode_companion?: CompanionData;
}

/** One modifier of a prefab, in file order. */
export interface StatItem {
  stat: string;
  /** Null if the stat is derived from the label of the modifier. */
  stat_id: number | null;
  stat_name: string;
  operation: string;
  /** As in the file, rounded to six decimal places. */
  amount: number;
  /** As displayed in the game: a percentage if `is_percent`. */
  value: number;
  is_percent: boolean;
  label: string;
  slot: string | null;
  slot_name?: string;
  /** Number of modifiers in the same array. */
  component: number;
  level: 0;
}

/** Texts of an ability; absent where the game has none. */
export interface AbilityTexts {
  name?: string;
  /** Key of the description. */
  key?: string;
  description?: string;
}

export type AbilityItem = { ref: string; hidden: true } | ({ ref: string; hidden: false } & AbilityTexts);

export interface RecipePart {
  path: string;
  name: string;
  amount: number;
}

export interface RecipeData {
  /** The first of `outputs`. */
  output: RecipePart | null;
  outputs: RecipePart[];
  ingredients: RecipePart[];
  requirements: string[];
  mastery: number | null;
  mastery_source: 'multipliers' | 'prefab' | 'review';
  mastery_prefab_byte?: number;
  in_catalogue: boolean;
  catalogue_order?: number;
  providers?: RecipeProvider[];
}

export interface RecipeProvider {
  /** Path below `prefabs/` without extension. */
  provider: string;
  provider_path: string;
  lane: ProviderLane;
}

export type ProviderLane = 'profession' | 'bench' | 'vendor' | 'guide' | 'interactive' | 'other';

export interface StyleData {
  source_id: string;
  equipment_ref: string;
  resolved_id: string;
  confidence: 'high';
  family: string | null;
  catalogue?: string;
  raw_category?: number;
  base_mastery?: number;
}

export interface CompanionData {
  upgrade_tree: string | null;
  rarity: string | null;
  levels: CompanionLevel[];
}

export interface CompanionLevel {
  level: number;
  stats: CompanionStat[];
  abilities: CompanionAbility[];
}

export interface CompanionStat {
  stat: string;
  stat_id: number;
  stat_name: string;
  amount: number;
  value: number;
  is_percent: false;
}

export interface CompanionAbility {
  ref: string;
  key: string | null;
  amount: 0;
  description?: string;
}

/**
 * A stat that an entry grants: modifiers first, then stats of companion levels (`level` > 0). An entry can have several rows of
 * one stat; the best row has the highest `value`, the lower `order` on a tie.
 */
export interface StatRow {
  /** `Entry.path`. */
  path: string;
  /** From 0, unique within the entry. */
  order: number;
  stat: string;
  statName: string;
  value: number | null;
  isPercent: boolean;
  slot: string | null;
  level: number;
}

/** A visible ability of an entry. A ref occurs once per entry. */
export interface AbilityRow {
  /** `Entry.path`. */
  path: string;
  /** From 0, unique within the entry. */
  order: number;
  ref: string;
  name: string;
  description: string;
}

export const LINK_RELS = namedValues('CodexLinkRel', 'Relation between two entries.', [
  'crafts',
  'ingredient',
  'craftable_at',
  'unlocks',
  'upgrade_cost',
  'member_of',
]);
export type LinkRel = (typeof LINK_RELS)[number];
/** `out`: the path is the source; `in`: the path is the target. */
export const LINK_DIRECTIONS = namedValues('CodexLinkDirection', 'Direction of a relation.', ['out', 'in']);
export type LinkDirection = (typeof LINK_DIRECTIONS)[number];

/**
 * A directed relation. Source and target are lower-case logical paths, or upgrade nodes as `<system key>:<node key>`. They
 * are not always entries. Unique by (rel, source, target).
 */
export interface LinkRow {
  rel: LinkRel;
  source: string;
  target: string;
  /** Increasing within a relation, by source and then in file order; with gaps. */
  order: number;
  qty: number | null;
  data: Record<string, string>;
  /**
   * Lower-case path of the entry that the link is derived from; null for links from shared tables, which are replaced together.
   */
  owner: string | null;
}

/** A rank of a badge. The rows of a `badgeId` form a ladder. */
export interface RequirementRow {
  /** `collections/badge/…`, without `prefabs/` and extension. */
  collection: string;
  badgeId: string;
  /** From 1. */
  rank: number;
  rankName: string;
  completionKind: string;
  requirementKey: string;
  label: string;
  amount: number | null;
  /** 1 normal, 2 hard, 3 ultra; 0 if not applicable. */
  difficulty: number;
  status: 'decoded' | 'blocked';
  context: Record<string, string | number>;
}

export type UpgradeKind = 'geode_module' | 'geode_companion' | 'class_prestige';

export interface UpgradeNode {
  systemKind: UpgradeKind;
  systemKey: string;
  nodeKey: string;
  rank: number | null;
  costs: { item: string; quantity: number }[];
  /** Other nodes named in the span of this node, sorted; not the complete graph. */
  requires: string[];
  effects: UpgradeEffects | Record<string, never>;
}

export interface UpgradeEffects {
  name_key: string | null;
  name: string;
  desc_key: string | null;
  description: string;
  abilities: string[];
}

/** A file that could not be decoded. Its entry has the data found by the byte rules, or a name derived from the path. */
export interface ParseFailure {
  path: string;
  problem: string;
}
