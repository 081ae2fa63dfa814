import type { CodexType } from './codex-types.data.ts';

/*
 * Rows of the codexes in D1; the tables are in `codexes.tables.ts`. Invariants:
 *
 * 1. One transaction applies all changes of a build and sets its version in `codex_branches`.
 * 2. `content_hash` of an entry covers the entry, its stats, abilities and links. Rows and `indexed_at` are written only if
 *    the hash differs. `codex_units` has the same hash for rows from shared tables.
 * 3. `codex_stats` has the best row of an entry for each stat; all rows are in `codex_entries.data`.
 * 4. `codex_links`: `unit` is `entry:<path>` for links of an entry. Source and target are not always entries.
 * 5. `codex_facets` has the number of entries by kind and type.
 * 6. `codex_staging` is empty between builds.
 * 7. Entry ids of a branch are greater than its `first_id` and less than the next `first_id`: a branch is a range of ids.
 * 8. `codex_translations`: an id is that of the entry plus the slot of the language times `IDS_OF_LANGUAGE`. Rows of a slot without a
 *    language are deleted before the slot is used again.
 * 9. `codex_totals` caches totals of lists. The digest includes the generation: totals of older generations are not read.
 */

/** `codex_branches`, key (branch): state of the index. */
export interface CodexBranchRow {
  branch: string;
  /** Indexed version of the archive; 0 if none. */
  ordinal: number;
  parser_version: number;
  /** Incremented by every transaction of a build. */
  generation: number;
  indexed_at: number;
  /** Content hash of the newest dump; null before the first. */
  dump_sha256: string | null;
  dump_size: number | null;
  first_id: number;
}

/** `codex_entries`, key (branch, path). `tradable` is 0, 1 or null; `data` is JSON in its wire form. */
export interface CodexEntryRow {
  type: CodexType;
  path: string;
  name: string;
  category: string;
  description: string;
  tradable: number | null;
  mastery: number | null;
  mastery_geode: number | null;
  power_rank: number | null;
  blueprint: string | null;
  data: string;
  indexed_at: number;
}

/** Ids available per branch; a rewritten entry gets a new id. */
export const IDS_OF_BRANCH = 2 ** 40;

/** Ids of one language within those of a branch: English has the first, each other language those of its slot. */
export const IDS_OF_LANGUAGE = 2 ** 36;

const FACET_KINDS = ['type', 'category', 'stat', 'ability', 'system', 'change'] as const;
/**
 * `system` counts nodes of upgrade systems, with the kind of system as type; `change` counts entries, including removed ones, by
 * the version of their newest change; the others count entries.
 */
export type FacetKind = (typeof FACET_KINDS)[number];

/** `codex_facets`, key (branch, kind, type, key). Type '' counts all types. */
export interface CodexFacetRow {
  type: string;
  key: string;
  name: string;
  description: string;
  n: number;
}

/** Wire fields of an entry except `data` and `indexed_at`. */
export function entryFields(row: CodexEntryRow) {
  const { type, path, name, category, description, tradable, mastery, mastery_geode, power_rank, blueprint } = row;
  return {
    type,
    path,
    name,
    category,
    description,
    tradable: tradable === null ? null : tradable === 1,
    mastery,
    mastery_geode,
    power_rank,
    blueprint,
  };
}
