import { type SQL, sql } from 'drizzle-orm';
import { splitPath } from '../../reads/paths.domain.ts';
import { NO_END_ORDINAL } from '../../updates.data.ts';
import { INDEX_NAME } from './plan.domain.ts';
import { IS_NEWEST } from './sync-reads.repository.ts';
import type { StepResult } from './sync-store.repository.ts';

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
    FROM json_each(${files}) JOIN archive_files ON branch = ${branch} AND dir = value->>'d' AND name = value->>'n' AND ${IS_NEWEST}
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
