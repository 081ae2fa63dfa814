import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { BRANCH_STATUSES, type ChangeType } from './updates.data.ts';

/*
 * The archive of the game's files, in D1. What the tables promise to each other:
 *
 * 1. A version of a branch has an ordinal: 1, 2, 3 …, never reused. At most one version of a branch is in progress, and
 *    it has the highest ordinal, one above the branch's `current_ordinal`. Only complete versions are shown to anybody.
 * 2. Rows of `archive_files` and `archive_dirs` live from `from_ordinal` until before `to_ordinal`; `to_ordinal` is
 *    `STILL_THERE` while nothing ended them. The tree at an ordinal is what satisfies
 *    `from_ordinal <= :ordinal AND to_ordinal > :ordinal`: at most one row for each path. The version in progress writes
 *    only rows that begin or end at its own ordinal, so nothing a reader at `current_ordinal` asks for changes before
 *    the one statement that raises it.
 * 3. The newest rows, visible or not, are those with `to_ordinal = STILL_THERE`: what the next sync compares with.
 * 4. A file that moved to another archive without a change of content gets a new row with the old `changed_ordinal`, and
 *    no change. `changed_ordinal` is therefore the ordinal of the file's last change, `from_ordinal` that of its row.
 * 5. `archive_changes` is relative to the last complete version: one row for each path at most, none for what came and
 *    went within a version in progress. An entry `added` or `modified` has exactly one row in `archive_files` with
 *    `changed_ordinal = from_ordinal = ordinal`; a `removed` one has a row that ends there and none that begins.
 * 6. Every `content_sha256` has its row in `archive_blobs`, which is written after the bytes are in the bucket. A blob that no
 *    file has is possible only where a build was replaced while it was being taken in.
 * 7. `archive_dirs` has a row for each directory that holds files at an ordinal, with sums over everything below; the root
 *    has none (it is nobody's child). Ends and beginnings are written by the last steps of a version.
 * 8. A path stands as `dir` (with its final slash; empty for the root) and `name` (its last segment): `dir || name` is the
 *    path. Directories: `parent || name || '/'`. All text compares by its bytes.
 * 9. `archive_manifest` says what of the publisher's manifest has been taken in, and is written in one transaction with it
 *    or after it. `archive_work` is the plan of the version in progress: it is empty between syncs.
 *
 * The tables without a rowid and the full text index are made by a migration of their own; the row types below describe
 * them. Every query on them gives a prefix of the key.
 */

/** The branches that were ever synced; a tracked branch without a row has never been. */
export const archiveBranches = sqliteTable('archive_branches', {
  branch: text('branch').primaryKey(),
  /** The publisher's tag as the last probe saw it; null before the first complete version. */
  currentVersion: text('current_version'),
  /** What readers see; 0: nothing yet. */
  currentOrdinal: integer('current_ordinal').notNull().default(0),
  status: text('status', { enum: BRANCH_STATUSES }).notNull().default('idle'),
  /** Unix seconds, like every instant here. */
  lastProbeAt: integer('last_probe_at'),
  /** Files in the tree of `current_ordinal`, and their bytes. */
  fileCount: integer('file_count').notNull().default(0),
  totalSize: integer('total_size').notNull().default(0),
  /** Why the last sync stopped; null after a success. At most 500 characters. */
  error: text('error'),
  /** Versions up to here were told to everybody who follows the archive. */
  announcedOrdinal: integer('announced_ordinal').notNull().default(0),
  /** SHA-256 of the manifest that the current version came from: an equal one needs no comparison. */
  manifestDigest: text('manifest_digest'),
  /** Address part of the build in progress; null between syncs. */
  syncContentPath: text('sync_content_path'),
  syncManifestDigest: text('sync_manifest_digest'),
  /** Who syncs the branch and until when (real time): one at a time. Empty when nobody does. */
  leaseHolder: text('lease_holder').notNull().default(''),
  leaseUntil: integer('lease_until').notNull().default(0),
});

/** Every version of a branch, the one in progress included (its `completed_at` is null). */
export const archiveVersions = sqliteTable(
  'archive_versions',
  {
    branch: text('branch').notNull(),
    ordinal: integer('ordinal').notNull(),
    versionTag: text('version_tag').notNull(),
    /** When its sync began. */
    capturedAt: integer('captured_at').notNull(),
    completedAt: integer('completed_at'),
    /** The three counts are of its changes and stand when it is complete. */
    filesAdded: integer('files_added').notNull().default(0),
    filesModified: integer('files_modified').notNull().default(0),
    filesRemoved: integer('files_removed').notNull().default(0),
    /** Bytes of the contents that it was the first to store; grows while it is in progress. */
    bytesAdded: integer('bytes_added').notNull().default(0),
    /** Files in its tree. */
    fileCount: integer('file_count').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.branch, table.ordinal] }),
    index('archive_versions_by_tag').on(table.branch, table.versionTag, table.ordinal),
  ],
);

/** `archive_files`, key (branch, dir, name, from_ordinal): the files of every version. Index (branch, archive, dir, name) on the newest rows. */
export interface ArchiveFileRow {
  branch: string;
  dir: string;
  name: string;
  from_ordinal: number;
  to_ordinal: number;
  /** Ordinal of the version that gave the file this content. */
  changed_ordinal: number;
  content_sha256: string;
  size: number;
  /** The publisher's checksum of a packed file; null for a loose one. */
  checksum: number | null;
  /** Directory of the index that lists it, without a final slash (empty: the root); null for a loose file. */
  archive: string | null;
  archive_index: number | null;
}

/** `archive_dirs`, key (branch, parent, name, from_ordinal): the directories of every version with sums over everything below. */
export interface ArchiveDirRow {
  branch: string;
  parent: string;
  name: string;
  from_ordinal: number;
  to_ordinal: number;
  file_count: number;
  size: number;
  /** Newest ordinal, up to those this row is visible at, that changed anything below. */
  last_ordinal: number;
}

/** `archive_changes`, key (branch, ordinal, type, path): the order in which they are listed. */
export interface ArchiveChangeRow {
  branch: string;
  ordinal: number;
  type: ChangeType;
  path: string;
  /** Null of a removed file. */
  content_sha256: string | null;
  /** 0 of a removed file. */
  size: number;
  /** What stood there in the version before: null and 0 when nothing did. */
  previous_sha256: string | null;
  previous_size: number;
}

/** `archive_blobs`, key (sha256): the contents in the bucket, stored once for all branches. */
export interface ArchiveBlobRow {
  sha256: string;
  size: number;
  /** Capture time of the version that stored it. */
  stored_at: number;
}

/**
 * `archive_paths` (id, dir, name; unique by dir and name): every path of any branch, seen at any time, for the search.
 * `archive_paths_fts` is an FTS5 trigram index without a copy of the text: its rowid is the id, its column `path` is
 * `dir || name`, case-folded. A match must be looked up in `archive_files` for the branch and the ordinal.
 */
export interface ArchivePathRow {
  id: number;
  dir: string;
  name: string;
}

/** `archive_manifest`, key (branch, path): entries of the publisher's manifest as last taken in. */
export interface ArchiveManifestRow {
  branch: string;
  path: string;
  /** Opaque: says only whether an entry changed. */
  sha1: string;
  size: number;
}

/** `archive_work`, key (branch, position): what is left to do for the version in progress, in order. */
export interface ArchiveWorkRow {
  branch: string;
  position: number;
  /** JSON of a work item. */
  item: string;
}
