import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { BRANCH_STATUSES, CHANGE_TYPES, STILL_THERE } from './updates.data.ts';

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
 * `updates.sql.ts` has the full-text index and says which tables have no rowid.
 */

/** The branches that were ever synced; a tracked branch without a row has never been. Bound: one row a branch. */
export const archiveBranches = sqliteTable('archive_branches', {
  branch: text('branch').primaryKey(),
  /** The publisher's tag as the last probe saw it; null before the first complete version. */
  currentVersion: text('current_version'),
  /** Visible version; 0 if none. */
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

/** Every version of a branch, the one in progress included (its `completed_at` is null). Bound: one row a version of a branch. */
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

/**
 * The files of every version. Every query gives a prefix of the key.
 * Bound: one row a content of a path and branch; grows with what versions change.
 */
export const archiveFiles = sqliteTable(
  'archive_files',
  {
    branch: text('branch').notNull(),
    dir: text('dir').notNull(),
    name: text('name').notNull(),
    fromOrdinal: integer('from_ordinal').notNull(),
    toOrdinal: integer('to_ordinal').notNull(),
    /** Ordinal of the version that gave the file this content. */
    changedOrdinal: integer('changed_ordinal').notNull(),
    contentSha256: text('content_sha256').notNull(),
    size: integer('size').notNull(),
    /** The publisher's checksum of a packed file; null for a loose one. */
    checksum: integer('checksum'),
    /** Directory of the index that lists it, without a final slash (empty: the root); null for a loose file. */
    archive: text('archive'),
    archiveIndex: integer('archive_index'),
  },
  (table) => [
    primaryKey({ columns: [table.branch, table.dir, table.name, table.fromOrdinal] }),
    index('archive_files_by_archive')
      .on(table.branch, table.archive, table.dir, table.name)
      .where(sql`to_ordinal = ${sql.raw(String(STILL_THERE))} AND archive IS NOT NULL`),
    // Voxel models, which are asked for by name in any case.
    index('archive_files_models').on(table.branch, sql`name COLLATE NOCASE`).where(sql`dir >= 'blueprints/' AND dir < 'blueprints0'`),
    check('archive_files_life', sql`from_ordinal < to_ordinal`),
    check('archive_files_change', sql`changed_ordinal <= from_ordinal`),
  ],
);

/**
 * The directories of every version, with sums over everything below.
 * Bound: one row a state of a directory and branch; grows with what versions change.
 */
export const archiveDirs = sqliteTable(
  'archive_dirs',
  {
    branch: text('branch').notNull(),
    parent: text('parent').notNull(),
    name: text('name').notNull(),
    fromOrdinal: integer('from_ordinal').notNull(),
    toOrdinal: integer('to_ordinal').notNull(),
    fileCount: integer('file_count').notNull(),
    size: integer('size').notNull(),
    /** Newest ordinal, up to those this row is visible at, that changed anything below. */
    lastOrdinal: integer('last_ordinal').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.branch, table.parent, table.name, table.fromOrdinal] }),
    index('archive_dirs_by_from').on(table.branch, table.fromOrdinal),
    index('archive_dirs_by_to').on(table.branch, table.toOrdinal),
    check('archive_dirs_life', sql`from_ordinal < to_ordinal`),
    check('archive_dirs_files', sql`file_count > 0`),
  ],
);

/** The changes of each version, in the order in which they are listed. Bound: one row a change of a version. */
export const archiveChanges = sqliteTable(
  'archive_changes',
  {
    branch: text('branch').notNull(),
    ordinal: integer('ordinal').notNull(),
    type: text('type', { enum: CHANGE_TYPES }).notNull(),
    path: text('path').notNull(),
    /** Null of a removed file. */
    contentSha256: text('content_sha256'),
    /** 0 of a removed file. */
    size: integer('size').notNull(),
    /** Content of the version before; null and 0 for an added file. */
    previousSha256: text('previous_sha256'),
    previousSize: integer('previous_size').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.branch, table.ordinal, table.type, table.path] }),
    check('archive_changes_type', sql`type IN ('added', 'modified', 'removed')`),
    check('archive_changes_content', sql`(content_sha256 IS NULL) = (type = 'removed')`),
    check('archive_changes_previous', sql`(previous_sha256 IS NULL) = (type = 'added')`),
  ],
);

/** The contents in the bucket, stored once for all branches. Bound: one row a content. */
export const archiveBlobs = sqliteTable('archive_blobs', {
  sha256: text('sha256').primaryKey(),
  size: integer('size').notNull(),
  /** Capture time of the version that stored it. */
  storedAt: integer('stored_at').notNull(),
});

/**
 * Every path of any branch, seen at any time, for the search. Paths are never deleted or changed, so that inserting is all the
 * full-text index has to follow. A match must be looked up in `archive_files` for the branch and the ordinal.
 * Bound: one row a path that ever was.
 */
export const archivePaths = sqliteTable(
  'archive_paths',
  { id: integer('id').primaryKey(), dir: text('dir').notNull(), name: text('name').notNull() },
  (table) => [uniqueIndex('archive_paths_by_path').on(table.dir, table.name)],
);

/** Entries of the publisher's manifest as last taken in. Bound: one row an entry of the publisher's manifest. */
export const archiveManifest = sqliteTable(
  'archive_manifest',
  {
    branch: text('branch').notNull(),
    path: text('path').notNull(),
    /** Opaque: says only whether an entry changed. */
    sha1: text('sha1').notNull(),
    size: integer('size').notNull(),
  },
  (table) => [primaryKey({ columns: [table.branch, table.path] })],
);

/** What is left to do for the version in progress, in order. Bound: the plan of the version in progress; empty between syncs. */
export const archiveWork = sqliteTable(
  'archive_work',
  {
    branch: text('branch').notNull(),
    position: integer('position').notNull(),
    /** JSON of a work item. */
    item: text('item').notNull(),
  },
  (table) => [primaryKey({ columns: [table.branch, table.position] })],
);
