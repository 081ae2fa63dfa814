import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { backedUp, expires } from '../../platform/kit/backup-decision.ts';
import { fullTextIndex, type TableDeclarations, type TableGrowth } from '../../platform/kit/table-declaration.ts';
import { BRANCH_STATUSES, CHANGE_TYPES, NO_END_ORDINAL } from './updates.data.ts';

/*
 * Archive of the game files in D1. Invariants of the tables:
 *
 * 1. A version of a branch has an ordinal: 1, 2, 3 …, never reused. At most one version of a branch is in progress, and
 *    it has the highest ordinal, one above the branch's `current_ordinal`. Clients see only complete versions.
 * 2. Rows of `archive_files` and `archive_dirs` are valid from `from_ordinal` (inclusive) to `to_ordinal` (exclusive);
 *    `to_ordinal` is `NO_END_ORDINAL` while the row is current. The tree at an ordinal is the set of rows with
 *    `from_ordinal <= :ordinal AND to_ordinal > :ordinal`: at most one row per path. The version in progress writes only
 *    rows that begin or end at its own ordinal. Reads at `current_ordinal` therefore do not change until one statement
 *    raises it.
 * 3. The newest rows, visible or not, have `to_ordinal = NO_END_ORDINAL`. The next sync compares with these rows.
 * 4. A file that moved to another archive with the same content gets a new row with the old `changed_ordinal`, and no
 *    change. `changed_ordinal` is the ordinal of the last change of content, `from_ordinal` the first ordinal of the row.
 * 5. `archive_changes` is relative to the last complete version: at most one row per path, none for a file added and
 *    removed within the version in progress. An entry `added` or `modified` has exactly one row in `archive_files` with
 *    `changed_ordinal = from_ordinal = ordinal`; a `removed` entry has a row that ends at the ordinal and none that begins.
 * 6. Every `content_sha256` has a row in `archive_blobs`, written after the bytes are in the bucket. Blobs without a file
 *    exist only if the publisher replaced a build during its sync.
 * 7. `archive_dirs` has a row for each directory with files at an ordinal, with totals of everything below. The root has
 *    no row. The last steps of a version write and end these rows.
 * 8. A path is stored as `dir` (with its final slash; empty for the root) and `name` (its last segment): `dir || name` is
 *    the path. A directory is `parent || name || '/'`. All text is compared by bytes.
 * 9. `archive_manifest` has the archived entries of the publisher's manifest, written in the transaction that archives
 *    them or after it. An entry is incomplete from the first transaction that changes a part of its files until the one that
 *    archives the rest: if the publisher takes the build back in between, the next plan restores the entry. `archive_work` is the plan of the version in progress, empty between syncs.
 *
 * `updates.sql.ts` has the full-text index and lists the tables without rowid.
 */

/** Branches with at least one sync. Bound: one row per branch. */
export const archiveBranches = sqliteTable('archive_branches', {
  branch: text('branch').primaryKey(),
  /** The publisher's tag at the last probe; null before the first complete version. */
  currentVersion: text('current_version'),
  /** Visible version; 0 if none. */
  currentOrdinal: integer('current_ordinal').notNull().default(0),
  status: text('status', { enum: BRANCH_STATUSES }).notNull().default('idle'),
  /** Unix seconds, like every time in these tables. */
  lastProbeAt: integer('last_probe_at'),
  /** Number of files in the tree of `current_ordinal`, and their total size in bytes. */
  fileCount: integer('file_count').notNull().default(0),
  totalSize: integer('total_size').notNull().default(0),
  /** Error of the last sync; null after a success. At most 500 characters. */
  error: text('error'),
  /** Last version whose event was published. */
  announcedOrdinal: integer('announced_ordinal').notNull().default(0),
  /** SHA-256 of the manifest of the current version: an equal manifest needs no comparison. */
  manifestDigest: text('manifest_digest'),
  /** URL path of the build in progress; null between syncs. */
  syncContentPath: text('sync_content_path'),
  syncManifestDigest: text('sync_manifest_digest'),
  /** Lease of the branch: its holder (empty if none) and its expiry by the wall clock. */
  leaseHolder: text('lease_holder').notNull().default(''),
  leaseUntil: integer('lease_until').notNull().default(0),
});

/** Versions of a branch, including the one in progress (`completed_at` is null). Bound: one row per version of a branch. */
export const archiveVersions = sqliteTable(
  'archive_versions',
  {
    branch: text('branch').notNull(),
    ordinal: integer('ordinal').notNull(),
    versionTag: text('version_tag').notNull(),
    /** Start of the sync. */
    capturedAt: integer('captured_at').notNull(),
    completedAt: integer('completed_at'),
    /** The three counts of changes are set on completion. */
    filesAdded: integer('files_added').notNull().default(0),
    filesModified: integer('files_modified').notNull().default(0),
    filesRemoved: integer('files_removed').notNull().default(0),
    /** Bytes of content that this version stored first; grows while it is in progress. */
    bytesAdded: integer('bytes_added').notNull().default(0),
    /** Files in the tree of the version. */
    fileCount: integer('file_count').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.branch, table.ordinal] }),
    index('archive_versions_by_tag').on(table.branch, table.versionTag, table.ordinal),
  ],
);

/**
 * Files of every version. Every query uses a prefix of the key.
 * Bound: one row per content of a path and branch; grows with the changes of versions.
 */
export const archiveFiles = sqliteTable(
  'archive_files',
  {
    branch: text('branch').notNull(),
    dir: text('dir').notNull(),
    name: text('name').notNull(),
    fromOrdinal: integer('from_ordinal').notNull(),
    toOrdinal: integer('to_ordinal').notNull(),
    /** Ordinal of the version in which the file got this content. */
    changedOrdinal: integer('changed_ordinal').notNull(),
    contentSha256: text('content_sha256').notNull(),
    size: integer('size').notNull(),
    /** The publisher's checksum of a packed file; null for a loose one. */
    checksum: integer('checksum'),
    /** Directory of the index that lists the file, without a final slash (empty: the root); null for a loose file. */
    archive: text('archive'),
    archiveIndex: integer('archive_index'),
  },
  (table) => [
    primaryKey({ columns: [table.branch, table.dir, table.name, table.fromOrdinal] }),
    index('archive_files_by_archive')
      .on(table.branch, table.archive, table.dir, table.name)
      .where(sql`to_ordinal = ${sql.raw(String(NO_END_ORDINAL))} AND archive IS NOT NULL`),
    // Voxel models, looked up by name, case-insensitive.
    index('archive_files_models').on(table.branch, sql`name COLLATE NOCASE`).where(sql`dir >= 'blueprints/' AND dir < 'blueprints0'`),
    check('archive_files_life', sql`from_ordinal < to_ordinal`),
    check('archive_files_change', sql`changed_ordinal <= from_ordinal`),
  ],
);

/**
 * Directories of every version, with totals of everything below.
 * Bound: one row per state of a directory and branch; grows with the changes of versions.
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
    /** Ordinal of the last change below the directory, as of the versions of this row. */
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

/** Changes of each version, in the order of the listing. Bound: one row per change of a version. */
export const archiveChanges = sqliteTable(
  'archive_changes',
  {
    branch: text('branch').notNull(),
    ordinal: integer('ordinal').notNull(),
    type: text('type', { enum: CHANGE_TYPES }).notNull(),
    path: text('path').notNull(),
    /** Null for a removed file. */
    contentSha256: text('content_sha256'),
    /** 0 for a removed file. */
    size: integer('size').notNull(),
    /** Content in the previous version; null and 0 for an added file. */
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

/** Contents in the bucket, stored once for all branches. Bound: one row per content. */
export const archiveBlobs = sqliteTable('archive_blobs', {
  sha256: text('sha256').primaryKey(),
  size: integer('size').notNull(),
  /** Capture time of the version that stored the content. */
  storedAt: integer('stored_at').notNull(),
});

/**
 * Every path that any branch ever had, for the search. Paths are never updated or deleted: the full-text index needs only an
 * insert trigger. Matches are joined with `archive_files` for the branch and the ordinal.
 * Bound: one row per path that ever existed.
 */
export const archivePaths = sqliteTable(
  'archive_paths',
  { id: integer('id').primaryKey(), dir: text('dir').notNull(), name: text('name').notNull() },
  (table) => [uniqueIndex('archive_paths_by_path').on(table.dir, table.name)],
);

/** Archived entries of the publisher's manifest. Bound: one row per entry of the manifest. */
export const archiveManifest = sqliteTable(
  'archive_manifest',
  {
    branch: text('branch').notNull(),
    path: text('path').notNull(),
    /** Opaque; compared to detect changes. */
    sha1: text('sha1').notNull(),
    size: integer('size').notNull(),
    /** Set while the version in progress has changed some files of the entry: the next plan includes it, whatever its `sha1`. */
    isIncomplete: integer('is_incomplete', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.branch, table.path] })],
);

/** Remaining work items of the version in progress, in order. Bound: the plan of the version in progress; empty between syncs. */
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

const VERSION_IN_PROGRESS: TableGrowth = {
  by: 'files of one version',
  aYear: 'none',
  kept: 'the version in progress',
  afterwards: 'replaced by the next version',
};
const WITH_FILES: TableGrowth = {
  by: 'changed files of the game',
  aYear: 'in `archive_files`',
  kept: 'permanently',
  afterwards: 'stays: the index of old versions',
};

/** Backup, personal data and growth of the tables. */
export const updatesTables: TableDeclarations = {
  // A version that the archiver completes or starts meanwhile is rolled back by the repairs of the backup, which needs this order.
  archive_branches: {
    backup: backedUp('the publisher has the current build only', { after: ['codex_dumps'] }),
    personal: null,
    growth: VERSION_IN_PROGRESS,
  },
  archive_manifest: { backup: backedUp('what the archive has of the current build'), personal: null, growth: VERSION_IN_PROGRESS },
  archive_versions: {
    backup: backedUp('the publisher has the current build only'),
    personal: null,
    growth: { by: 'versions of the game', aYear: '50 rows', large: '100 rows', kept: 'permanently', afterwards: 'stays' },
  },
  archive_changes: { backup: backedUp('the publisher has the current build only'), personal: null, growth: WITH_FILES },
  archive_dirs: { backup: backedUp('the publisher has the current build only'), personal: null, growth: WITH_FILES },
  archive_files: {
    backup: backedUp('the publisher has the current build only; the bytes are in ARCHIVE'),
    personal: null,
    growth: {
      by: 'changed files of the game, 570 bytes each with their paths and blobs',
      aYear: '60 MB a branch',
      large: '100 MB, two branches',
      kept: 'permanently',
      afterwards: 'stays: the index of old versions',
    },
  },
  archive_blobs: { backup: backedUp('directory of the contents in ARCHIVE'), personal: null, growth: WITH_FILES },
  archive_paths: { backup: backedUp('ids of the paths in the full-text index'), personal: null, growth: WITH_FILES },
  archive_paths_fts: fullTextIndex(null),
  archive_work: {
    backup: expires('plan of the version in progress; the next probe makes a new one'),
    personal: null,
    growth: VERSION_IN_PROGRESS,
  },
};
