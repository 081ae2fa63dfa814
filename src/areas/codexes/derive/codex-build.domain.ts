import type { AbilityRow, Entry, LinkRow, ParseFailure, RequirementRow, StatRow, UpgradeNode } from '../codex.domain.ts';
import type { FileParse } from '../parse/codex-parse.domain.ts';

/*
 * The pipeline, in three pure stages; a build of a large branch runs them in steps with storage in between, `buildCodex`
 * runs them at once in memory.
 *
 *   1  parseFile(path, bytes)                   one file -> its cached parse; only for files of which `partsOf` names parts
 *   2  createContextBuilder(paths)              all parses, added in any order -> texts, shared tables, short summaries of prefabs
 *   3  deriveEntry(parse, context)              one prefab -> its entry with rows and links
 *      deriveRelations(context)                 what comes from shared tables
 */

/** A file of the branch. `bytes` is called at most once, and only when the content hash is not in the cache. */
export interface CodexFile {
  /** Logical path. */
  path: string;
  /** Of the content: equal hashes mean equal bytes. */
  hash: string;
  bytes: () => Uint8Array;
}

/** Parses by logical path, each with the hash of the content it was made from. */
export type ParseCache = ReadonlyMap<string, { hash: string; parse: FileParse }>;

/** Result of one entry prefab. */
export interface DerivedEntry {
  entry: Entry;
  stats: StatRow[];
  abilities: AbilityRow[];
  /** `crafts`, `ingredient` and `craftable_at` links of a recipe; their `owner` is the entry's lower-cased path. */
  links: LinkRow[];
}

/** Result of the shared tables. */
export interface DerivedRelations {
  /** `unlocks`, `upgrade_cost` and `member_of`. */
  links: LinkRow[];
  requirements: RequirementRow[];
  upgrades: UpgradeNode[];
}

/** Everything of one branch, in the order of the paths; rows follow their entries. */
export interface CodexBuild {
  entries: Entry[];
  stats: StatRow[];
  abilities: AbilityRow[];
  links: LinkRow[];
  requirements: RequirementRow[];
  upgrades: UpgradeNode[];
  failures: ParseFailure[];
  /** For the next build. */
  cache: ParseCache;
  /** How many files were parsed, not taken from the cache. */
  parsed: number;
}
