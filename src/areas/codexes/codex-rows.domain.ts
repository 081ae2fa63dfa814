import type { CodexType } from './codex-types.data.ts';

/*
 * Rows of the codexes in D1. `codexes.tables.ts` has the tables. What they promise to each other:
 *
 * 1. One transaction applies all that a build changed and names its version in `codex_branches`, so that nobody sees half of it.
 * 2. `content_hash` of an entry covers the entry, its stats, abilities and links; rows are written when it differs, and
 *    `indexed_at` moves only then. `codex_units` holds the same for rows that shared tables give.
 * 3. `codex_stats` has the best row of an entry for each stat; all of them are in `codex_entries.data`.
 * 4. `codex_links`: `unit` is `entry:<path>` for links of an entry. Ends need not be entries.
 * 5. `codex_facets` counts entries by kind and type, so that no reader has to.
 * 6. `codex_staging` is empty between builds.
 * 7. Ids of the entries of a branch begin behind its `first_id` and end before that of the next, so that a range of ids is a branch.
 * 8. `codex_totals` counts lists of one generation each; what it has of an older one is never read again.
 */

/** `codex_branches`, key (branch): what is indexed. */
export interface CodexBranchRow {
  branch: string;
  /** Version of the archive; 0 never. */
  ordinal: number;
  parser_version: number;
  /** Grows with every transaction that may have changed something. */
  generation: number;
  indexed_at: number;
  /** Content of the newest dump; null before it is stored. */
  dump_sha256: string | null;
  dump_size: number | null;
  first_id: number;
}

/** `codex_entries`, key (branch, path). `tradable` is 0, 1 or null; `data` JSON as it is served. */
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

export const FACET_KINDS = ['type', 'category', 'stat', 'ability', 'system', 'change'] as const;
/**
 * `system` counts nodes of upgrade systems, by kind of system as type; `change` the entries whose newest change is of a
 * version, whether they are still there or not; the others count entries.
 */
export type FacetKind = (typeof FACET_KINDS)[number];

/** `codex_facets`, key (branch, kind, type, key). Type '' counts all types together. */
export interface CodexFacetRow {
  type: string;
  key: string;
  name: string;
  description: string;
  n: number;
}
