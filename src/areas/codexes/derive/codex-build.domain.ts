import type { AbilityRow, Entry, LinkRow, ParseFailure, RequirementRow, StatRow, UpgradeNode } from '../codex.domain.ts';
import type { FileParse } from '../parse/codex-parse.domain.ts';

/*
 * Stages of a build, all pure functions. The index object runs them in steps with storage in between; `buildCodex` of the tests
 * runs them in memory.
 *
 *   1  parseFile(path, bytes)                   one file -> its parse; only for files with parts (see `listParts`)
 *   2  createContextBuilder(paths)              all parses, in any order -> texts, shared tables, summaries of prefabs
 *   3  deriveEntry(parse, context)              one prefab -> its entry with rows and links
 *      deriveRelations(context)                 rows and links from shared tables
 */

/** A file of the branch. `bytes` is called at most once, and only if the content hash is not in the cache. */
export interface CodexFile {
  /** Logical path. */
  path: string;
  /** Content hash. */
  hash: string;
  bytes: () => Uint8Array;
}

/** Parses by logical path, each with the hash of the parsed content. */
export type ParseCache = ReadonlyMap<string, { hash: string; parse: FileParse }>;

/** Rows derived from one prefab. */
export interface DerivedEntry {
  entry: Entry;
  stats: StatRow[];
  abilities: AbilityRow[];
  /** `crafts`, `ingredient` and `craftable_at` links of a recipe; `owner` is the lower-case path of the entry. */
  links: LinkRow[];
}

/** Rows derived from shared tables. */
export interface DerivedRelations {
  /** `unlocks`, `upgrade_cost` and `member_of`. */
  links: LinkRow[];
  requirements: RequirementRow[];
  upgrades: UpgradeNode[];
}

/** All rows of a branch, in the order of the paths of their entries. */
export interface CodexBuild {
  entries: Entry[];
  stats: StatRow[];
  abilities: AbilityRow[];
  links: LinkRow[];
  requirements: RequirementRow[];
  upgrades: UpgradeNode[];
  failures: ParseFailure[];
  /** Cache for the next build. */
  cache: ParseCache;
  /** Number of files parsed rather than read from the cache. */
  parsed: number;
}
