import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../../platform/storage/database.ts';
import { listDirectories, splitDirectory, splitPath } from '../../paths.domain.ts';
import { type ChangeType, NO_END_ORDINAL } from '../../updates.data.ts';
import type { ManifestEntry } from './build-files.domain.ts';
import { INDEX_NAME, type StoredFile, toBatches } from './plan.domain.ts';

type RemovedFile = Pick<StoredFile, 'path' | 'archive'>;

/** Result of a step, stored in one transaction. */
export interface StepResult {
  ordinal: number;
  /** New, changed and moved files; the store derives the kind of change from the previous version. */
  stored: readonly StoredFile[];
  /** Removed paths, each with its archive (null: loose). A path that is now in another archive is not removed. */
  removed: readonly RemovedFile[];
  /** Index of the packed directory whose files this step changes in part; null if it changes whole entries. */
  incompleteIndex: string | null;
  /** Fully archived manifest entries. */
  manifestSet: readonly ManifestEntry[];
  manifestUnset: readonly string[];
  /** Positions of completed work items. */
  done: readonly number[];
}

/** Page size of queries. */
const PAGE_ROWS = 5000;

/** The literal must match the index definition: SQLite uses a partial index only if the query repeats its condition. */
const IS_NEWEST: SQL = sql.raw(`to_ordinal = ${NO_END_ORDINAL}`);

/** Archived entries of the publisher's manifest, by path; `sha1` of an incomplete entry is empty and differs from any other. */
export async function readManifest(db: Database, branch: string): Promise<Map<string, ManifestEntry>> {
  const entries = new Map<string, ManifestEntry>();
  for (let last = ''; ; ) {
    const page = await db.all<ManifestEntry>(
      sql`SELECT path, iif(is_incomplete, '', sha1) AS sha1, size FROM archive_manifest WHERE branch = ${branch} AND path > ${last} ORDER BY path LIMIT ${PAGE_ROWS}`,
    );
    for (const entry of page) entries.set(entry.path, entry);
    last = page.at(-1)?.path ?? '';
    if (page.length < PAGE_ROWS) return entries;
  }
}

interface FileRow {
  dir: string;
  name: string;
  content_sha256: string;
  size: number;
  checksum: number | null;
  archive: string | null;
  archive_index: number | null;
}

/** Newest files of a packed directory, by path. Without the name of the index, the planner reads every file of the branch. */
export async function listArchiveFiles(db: Database, branch: string, archive: string): Promise<Map<string, StoredFile>> {
  const files = new Map<string, StoredFile>();
  for (let last = { dir: '', name: '' }; ; ) {
    const page = await db.all<FileRow>(
      sql`SELECT dir, name, content_sha256, size, checksum, archive, archive_index FROM archive_files INDEXED BY archive_files_by_archive
        WHERE branch = ${branch} AND archive = ${archive} AND archive IS NOT NULL AND ${IS_NEWEST} AND (dir, name) > (${last.dir}, ${last.name})
        ORDER BY dir, name LIMIT ${PAGE_ROWS}`,
    );
    for (const row of page) {
      const path = row.dir + row.name;
      const { content_sha256: sha256, size, checksum, archive_index: archiveIndex } = row;
      files.set(path, { path, sha256, size, checksum, archive: row.archive, archiveIndex });
    }
    last = page.at(-1) ?? last;
    if (page.length < PAGE_ROWS) return files;
  }
}

/** The subset of contents that are already stored. */
export async function findStoredContents(db: Database, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db.all<{ sha256: string }>(
    sql`SELECT sha256 FROM archive_blobs WHERE sha256 IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))`,
  );
  return new Set(rows.map(({ sha256 }) => sha256));
}

/**
 * Statements that store the result of a step, to run in one transaction. Each path has at most two relevant rows: the *base* row
 * of the last complete version, and the *open* row that begins at the ordinal in progress. Storing a file ends the base row
 * and writes the open row; if both are equal, the open row is deleted and the base row stays current. Change rows are
 * rewritten from the two rows. The result is the same for any order and number of repetitions.
 */
export function stepStatements(branch: string, result: StepResult): SQL[] {
  const { ordinal, stored, removed, incompleteIndex, manifestSet, manifestUnset, done } = result;
  const at: At = { branch, ordinal };
  const files = JSON.stringify(
    stored.map(({ path, sha256, size, checksum, archive, archiveIndex }) => {
      const { dir, name } = splitPath(path);
      return { d: dir, n: name, s: sha256, z: size, c: checksum, a: archive, i: archiveIndex };
    }),
  );
  const removedRows = JSON.stringify(removed.map(({ path, archive }) => ({ ...toRow(path), a: archive })));
  const changedPaths = JSON.stringify(
    [...new Set([...stored, ...removed].map(({ path }) => path))].map((path) => ({ ...toRow(path), p: path })),
  );
  return [
    ...(incompleteIndex === null ? [] : [markIndex(branch, incompleteIndex)]),
    ...(stored.length > 0 ? storeStatements(at, files) : []),
    ...(removed.length > 0 ? removeStatements(at, removedRows) : []),
    ...(stored.length + removed.length > 0 ? changeStatements(at, changedPaths) : []),
    ...(manifestSet.length > 0 ? [upsertManifest(branch, JSON.stringify(manifestSet))] : []),
    ...(manifestUnset.length > 0
      ? [
          sql`DELETE FROM archive_manifest WHERE branch = ${branch} AND path IN (SELECT value FROM json_each(${JSON.stringify(manifestUnset)}))`,
        ]
      : []),
    ...(done.length > 0
      ? [sql`DELETE FROM archive_work WHERE branch = ${branch} AND position IN (SELECT value FROM json_each(${JSON.stringify(done)}))`]
      : []),
  ];
}

/** Replaces null (loose file) in comparisons; not a valid directory name. */
const NO_ARCHIVE = '/';

interface At {
  branch: string;
  ordinal: number;
}

function toRow(path: string): { d: string; n: string } {
  const { dir, name } = splitPath(path);
  return { d: dir, n: name };
}

/** Rows of `archive_files` at the paths of a list. */
function atPaths(list: string): SQL {
  return sql`(dir, name) IN (SELECT value->>'d', value->>'n' FROM json_each(${list}))`;
}

function storeStatements({ branch, ordinal }: At, files: string): SQL[] {
  return [
    markPreviousEntries(branch, files),
    sql`INSERT INTO archive_paths (dir, name) SELECT value->>'d', value->>'n' FROM json_each(${files}) WHERE true ON CONFLICT DO NOTHING`,
    sql`UPDATE archive_versions SET bytes_added = bytes_added + (
        SELECT coalesce(sum(size), 0) FROM (SELECT DISTINCT value->>'s' AS hash, value->>'z' AS size FROM json_each(${files}))
        WHERE NOT EXISTS (SELECT 1 FROM archive_blobs WHERE sha256 = hash))
      WHERE branch = ${branch} AND ordinal = ${ordinal}`,
    sql`INSERT INTO archive_blobs (sha256, size, stored_at)
      SELECT value->>'s', value->>'z', (SELECT captured_at FROM archive_versions WHERE branch = ${branch} AND ordinal = ${ordinal})
      FROM json_each(${files}) WHERE true ON CONFLICT DO NOTHING`,
    sql`UPDATE archive_files SET to_ordinal = ${ordinal}
      WHERE branch = ${branch} AND ${atPaths(files)} AND from_ordinal < ${ordinal} AND ${IS_NEWEST}`,
    insertOpenRows({ branch, ordinal }, files),
    sql`DELETE FROM archive_files WHERE branch = ${branch} AND ${atPaths(files)} AND from_ordinal = ${ordinal} AND EXISTS (
      SELECT 1 FROM archive_files base WHERE base.branch = ${branch} AND base.dir = archive_files.dir AND base.name = archive_files.name
        AND base.to_ordinal = ${ordinal} AND base.content_sha256 = archive_files.content_sha256 AND base.checksum IS archive_files.checksum
        AND base.archive IS archive_files.archive AND base.archive_index IS archive_files.archive_index)`,
    sql`UPDATE archive_files SET to_ordinal = ${NO_END_ORDINAL} WHERE branch = ${branch} AND ${atPaths(files)} AND to_ordinal = ${ordinal}
      AND NOT EXISTS (SELECT 1 FROM archive_files opened WHERE opened.branch = ${branch} AND opened.dir = archive_files.dir
        AND opened.name = archive_files.name AND opened.from_ordinal = ${ordinal})`,
  ];
}

/** Marks the entry of a packed directory as incomplete; adds an entry for a new directory. */
function markIndex(branch: string, path: string): SQL {
  return sql`INSERT INTO archive_manifest (branch, path, sha1, size, is_incomplete) VALUES (${branch}, ${path}, '', 0, 1)
    ON CONFLICT (branch, path) DO UPDATE SET is_incomplete = 1`;
}

/** Marks the manifest entries that lose a file to another entry: the index of its directory, or the loose file itself. */
function markPreviousEntries(branch: string, files: string): SQL {
  return sql`UPDATE archive_manifest SET is_incomplete = 1 WHERE branch = ${branch} AND path IN (
    SELECT CASE archive WHEN '' THEN ${INDEX_NAME} ELSE coalesce(archive || '/' || ${INDEX_NAME}, dir || name) END
    FROM json_each(${files}) CROSS JOIN archive_files ON branch = ${branch} AND dir = value->>'d' AND name = value->>'n' AND ${IS_NEWEST}
    WHERE archive IS NOT value->>'a')`;
}

/** Inserts the open row of each path; content equal to the base keeps the `changed_ordinal` of the base. */
function insertOpenRows({ branch, ordinal }: At, files: string): SQL {
  return sql`INSERT INTO archive_files (branch, dir, name, from_ordinal, to_ordinal, changed_ordinal, content_sha256, size, checksum, archive,
      archive_index)
    SELECT ${branch}, value->>'d', value->>'n', ${ordinal}, ${NO_END_ORDINAL},
      CASE WHEN base.content_sha256 = value->>'s' THEN base.changed_ordinal ELSE ${ordinal} END,
      value->>'s', value->>'z', value->>'c', value->>'a', value->>'i'
    FROM json_each(${files}) LEFT JOIN archive_files base ON base.branch = ${branch} AND base.dir = value->>'d' AND base.name = value->>'n'
      AND base.to_ordinal = ${ordinal}
    WHERE true
    ON CONFLICT (branch, dir, name, from_ordinal) DO UPDATE SET changed_ordinal = excluded.changed_ordinal,
      content_sha256 = excluded.content_sha256, size = excluded.size, checksum = excluded.checksum, archive = excluded.archive,
      archive_index = excluded.archive_index`;
}

/** Removes only files that are still in the archive: a file that moved to another archive stays. */
function removeStatements({ branch, ordinal }: At, removedRows: string): SQL[] {
  const inArchive = sql`${atPaths(removedRows)} AND (dir, name, coalesce(archive, ${NO_ARCHIVE})) IN (
    SELECT value->>'d', value->>'n', coalesce(value->>'a', ${NO_ARCHIVE}) FROM json_each(${removedRows}))`;
  return [
    sql`UPDATE archive_files SET to_ordinal = ${ordinal}
      WHERE branch = ${branch} AND ${inArchive} AND from_ordinal < ${ordinal} AND ${IS_NEWEST}`,
    sql`DELETE FROM archive_files WHERE branch = ${branch} AND ${inArchive} AND from_ordinal = ${ordinal}`,
  ];
}

function changeStatements({ branch, ordinal }: At, changedPaths: string): SQL[] {
  return [
    sql`DELETE FROM archive_changes WHERE branch = ${branch} AND ordinal = ${ordinal} AND type IN ('added', 'modified', 'removed')
      AND path IN (SELECT value->>'p' FROM json_each(${changedPaths}))`,
    sql`INSERT INTO archive_changes (branch, ordinal, type, path, content_sha256, size, previous_sha256, previous_size)
      SELECT ${branch}, ${ordinal},
        CASE WHEN opened.branch IS NULL THEN 'removed' WHEN base.branch IS NULL THEN 'added' ELSE 'modified' END,
        value->>'p', opened.content_sha256, coalesce(opened.size, 0), base.content_sha256, coalesce(base.size, 0)
      FROM json_each(${changedPaths})
      LEFT JOIN archive_files opened ON opened.branch = ${branch} AND opened.dir = value->>'d' AND opened.name = value->>'n'
        AND opened.from_ordinal = ${ordinal}
      LEFT JOIN archive_files base ON base.branch = ${branch} AND base.dir = value->>'d' AND base.name = value->>'n'
        AND base.to_ordinal = ${ordinal}
      WHERE coalesce(opened.changed_ordinal = ${ordinal}, base.branch IS NOT NULL)`,
  ];
}

function upsertManifest(branch: string, entries: string): SQL {
  return sql`INSERT INTO archive_manifest (branch, path, sha1, size)
    SELECT ${branch}, value->>'path', value->>'sha1', value->>'size' FROM json_each(${entries}) WHERE true
    ON CONFLICT (branch, path) DO UPDATE SET sha1 = excluded.sha1, size = excluded.size, is_incomplete = 0`;
}

const DIRS_PER_STATEMENT = 1000;

interface RollUpDeps {
  db: Database;
  branch: string;
  ordinal: number;
  write(statements: readonly SQL[]): Promise<void>;
}

/** Change of the totals of a directory in a version. */
interface Delta {
  files: number;
  size: number;
}

interface ChangeRow {
  type: ChangeType;
  path: string;
  size: number;
  previous_size: number;
}

/**
 * Writes the totals of every directory that a version changed, from the totals of the previous version and the changes. First
 * reverts the rows of an earlier attempt at the same ordinal: safe to repeat after a crash or further changes. Statements name their index,
 * because the planner has no statistics and would read the key of the whole branch.
 */
export async function rollUpDirectories({ db, branch, ordinal, write }: RollUpDeps): Promise<void> {
  await write([
    sql`DELETE FROM archive_dirs INDEXED BY archive_dirs_by_from WHERE branch = ${branch} AND from_ordinal = ${ordinal}`,
    sql`UPDATE archive_dirs INDEXED BY archive_dirs_by_to SET to_ordinal = ${NO_END_ORDINAL} WHERE branch = ${branch} AND to_ordinal = ${ordinal}`,
  ]);
  const deltas = [...(await sumChanges(db, branch, ordinal))];
  for (const batch of toBatches(deltas, DIRS_PER_STATEMENT)) {
    const rows = batch.map(([dir, { files, size }]) => {
      const { parent, name } = splitDirectory(dir);
      return { p: parent, n: name, f: files, z: size };
    });
    await write(dirStatements(branch, ordinal, JSON.stringify(rows)));
  }
}

async function sumChanges(db: Database, branch: string, ordinal: number): Promise<Map<string, Delta>> {
  const deltas = new Map<string, Delta>();
  for (let last = { type: '', path: '' }; ; ) {
    const page = await db.all<ChangeRow>(
      sql`SELECT type, path, size, previous_size FROM archive_changes
        WHERE branch = ${branch} AND ordinal = ${ordinal} AND (type, path) > (${last.type}, ${last.path})
        ORDER BY type, path LIMIT ${PAGE_ROWS}`,
    );
    for (const change of page) addChange(deltas, change);
    last = page.at(-1) ?? last;
    if (page.length < PAGE_ROWS) return deltas;
  }
}

function addChange(deltas: Map<string, Delta>, { type, path, size, previous_size: previousSize }: ChangeRow): void {
  const files = type === 'added' ? 1 : type === 'removed' ? -1 : 0;
  for (const dir of listDirectories(path)) {
    const delta = deltas.get(dir) ?? { files: 0, size: 0 };
    delta.files += files;
    delta.size += size - previousSize;
    deltas.set(dir, delta);
  }
}

function dirStatements(branch: string, ordinal: number, rows: string): SQL[] {
  return [
    sql`UPDATE archive_dirs SET to_ordinal = ${ordinal} WHERE branch = ${branch} AND from_ordinal < ${ordinal} AND ${IS_NEWEST}
      AND (parent, name) IN (SELECT value->>'p', value->>'n' FROM json_each(${rows}))`,
    sql`INSERT INTO archive_dirs (branch, parent, name, from_ordinal, to_ordinal, file_count, size, last_ordinal)
      SELECT ${branch}, value->>'p', value->>'n', ${ordinal}, ${NO_END_ORDINAL}, coalesce(base.file_count, 0) + (value->>'f'),
        coalesce(base.size, 0) + (value->>'z'), ${ordinal}
      FROM json_each(${rows}) LEFT JOIN archive_dirs base ON base.branch = ${branch} AND base.parent = value->>'p'
        AND base.name = value->>'n' AND base.to_ordinal = ${ordinal}
      WHERE coalesce(base.file_count, 0) + (value->>'f') > 0`,
  ];
}

/**
 * Statements that make a version visible, to run in one transaction. Counts come from the rows of `archive_changes`.
 * Idempotent.
 */
export function completionStatements(branch: string, ordinal: number, now: number): SQL[] {
  const counts = sql`SELECT coalesce(sum(type = 'added'), 0) AS added, coalesce(sum(type = 'modified'), 0) AS modified,
      coalesce(sum(type = 'removed'), 0) AS removed, coalesce(sum(size - previous_size), 0) AS growth
    FROM archive_changes WHERE branch = ${branch} AND ordinal = ${ordinal}`;
  return [
    sql`UPDATE archive_branches SET file_count = file_count + counts.added - counts.removed, total_size = total_size + counts.growth
      FROM (${counts}) AS counts WHERE branch = ${branch} AND current_ordinal < ${ordinal}`,
    sql`UPDATE archive_versions SET completed_at = ${now}, files_added = counts.added, files_modified = counts.modified,
        files_removed = counts.removed, file_count = (SELECT file_count FROM archive_branches WHERE branch = ${branch})
      FROM (${counts}) AS counts WHERE branch = ${branch} AND ordinal = ${ordinal} AND completed_at IS NULL`,
    sql`UPDATE archive_branches SET current_ordinal = ${ordinal}, status = 'idle', error = NULL,
        current_version = (SELECT version_tag FROM archive_versions WHERE branch = ${branch} AND ordinal = ${ordinal}),
        manifest_digest = sync_manifest_digest, sync_content_path = NULL, sync_manifest_digest = NULL
      WHERE branch = ${branch} AND current_ordinal < ${ordinal}`,
    sql`UPDATE archive_manifest SET is_incomplete = 0 WHERE branch = ${branch} AND is_incomplete = 1`,
    sql`DELETE FROM archive_work WHERE branch = ${branch}`,
  ];
}
