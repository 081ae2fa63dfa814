import { type SQL, sql } from 'drizzle-orm';
import { bind } from '../../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Sha256 } from '../../../platform/storage/content-store.ts';
import { type PublicReads, runInOneTransaction } from '../../../platform/storage/database.ts';
import type { FileSpan, Version } from '../archive.domain.ts';
import { splitPath } from '../paths.domain.ts';
import type { BranchStatus, ChangeType } from '../updates.data.ts';

/** State of a branch. */
export interface BranchState {
  branch: string;
  currentVersion: string | null;
  /** Visible version; 0 if none. */
  currentOrdinal: number;
  lastProbeAt: UnixSeconds | null;
  status: BranchStatus;
  fileCount: number;
}

/** A child of a directory; the counts of a directory include everything below. */
export interface TreeEntry {
  name: string;
  isDir: boolean;
  fileCount: number;
  size: number;
  /** Ordinal of the last change below. */
  lastOrdinal: number;
  lastModifiedAt: UnixSeconds | null;
}

/** A file of a version, or the last content of a removed file. */
export interface ArchivedFile {
  sha256: Sha256;
  size: number;
  /** Directory of the index that lists the file; null for a loose or removed file. */
  archive: string | null;
  archiveIndex: number | null;
  /** Ordinal of the version that removed the file, or null. */
  removedOrdinal: number | null;
  /** Capture time of the first version with this content. */
  storedAt: UnixSeconds;
}

export interface FoundPath {
  path: string;
  size: number;
  lastOrdinal: number;
}

/** A change in a version, or the net change between two versions. A removed file has no content and size 0. */
export interface Change {
  path: string;
  type: ChangeType;
  sha256: Sha256 | null;
  size: number;
}

interface ChangesPage {
  /** Defaults to every type. */
  type?: ChangeType | undefined;
  limit: number;
  offset: number;
}

/** A page of the children of a directory. */
export interface ChildrenPage {
  /** The last child of the page before; null for the first page. */
  after: { isDir: boolean; name: string } | null;
  limit: number;
}

export type ChangeCounts = Record<ChangeType, number>;

/** Ordinal of a version; `current`: of the visible version, as of the read. */
export type Ordinal = number | 'current';

/** Complete versions of the archive; never the version in progress. */
export type ArchiveStore = ReturnType<typeof createArchiveStore>;

/** Matches of a search that are read: a common word is in most paths. */
const MAX_MATCHES = 10_000;
/** The trigram index matches no shorter text. */
const TRIGRAM_LENGTH = 3;

const VERSION_COLUMNS = sql.raw(
  `v.branch, v.ordinal, v.version_tag AS versionTag, v.captured_at AS capturedAt, v.completed_at AS completedAt, v.files_added AS filesAdded,
  v.files_modified AS filesModified, v.files_removed AS filesRemoved, v.bytes_added AS bytesAdded`,
);
const IS_COMPLETE = sql`v.completed_at IS NOT NULL`;

/** The current ordinal is looked up by the statement itself, so that no read has to come before it. */
const ordinalOf = (branch: string, ordinal: Ordinal): SQL =>
  ordinal === 'current' ? sql`(SELECT current_ordinal FROM archive_branches WHERE branch = ${branch})` : sql`${ordinal}`;

/** Rows that belong to the tree of a version. */
function visibleAt(alias: string, branch: string, ordinal: Ordinal): SQL {
  const table = sql.raw(alias);
  const at = ordinalOf(branch, ordinal);
  return sql`${table}.from_ordinal <= ${at} AND ${table}.to_ordinal > ${at}`;
}

export function createArchiveStore(db: PublicReads) {
  return bind(db, {
    listBranches,
    listVersions,
    findVersion,
    listChanges,
    listNetChanges,
    countChangesBetween,
    listChildren,
    findFile,
    listSpans,
    searchPaths,
  });
}

const listBranches = (db: PublicReads) =>
  db.all<BranchState>(sql`SELECT branch, current_version AS currentVersion, current_ordinal AS currentOrdinal, last_probe_at AS lastProbeAt, status,
    file_count AS fileCount FROM archive_branches`);

/** A page of complete versions, newest first, and their total number. */
async function listVersions(
  db: PublicReads,
  branch: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Version[]; total: number }> {
  const [rows = [], counted = []] = await runInOneTransaction(db, [
    sql`SELECT ${VERSION_COLUMNS} FROM archive_versions v
      WHERE v.branch = ${branch} AND ${IS_COMPLETE} ORDER BY v.ordinal DESC LIMIT ${limit} OFFSET ${offset}`,
    sql`SELECT count(*) AS total FROM archive_versions v WHERE v.branch = ${branch} AND ${IS_COMPLETE}`,
  ]);
  return { rows: rows as unknown as Version[], total: Number(counted[0]?.total ?? 0) };
}

/** A complete version by tag (the newest with that tag) or ordinal; null if none. */
async function findVersion(db: PublicReads, branch: string, by: { tag: string } | { ordinal: Ordinal }): Promise<Version | null> {
  const condition = 'tag' in by ? sql`v.version_tag = ${by.tag}` : sql`v.ordinal = ${ordinalOf(branch, by.ordinal)}`;
  const [row] = await db.all<Version>(sql`SELECT ${VERSION_COLUMNS} FROM archive_versions v
    WHERE v.branch = ${branch} AND ${condition} AND ${IS_COMPLETE} ORDER BY v.ordinal DESC LIMIT 1`);
  return row ?? null;
}

/** Changes of one version by type, then path, in byte order; of the visible one as of the read for `current`. */
function listChanges(db: PublicReads, branch: string, ordinal: Ordinal, { type, limit, offset }: ChangesPage): Promise<Change[]> {
  const ofType = type === undefined ? sql`` : sql`AND type = ${type}`;
  return db.all<Change>(sql`SELECT path, type, content_sha256 AS sha256, size FROM archive_changes
    WHERE branch = ${branch} AND ordinal = ${ordinalOf(branch, ordinal)} ${ofType} ORDER BY type, path LIMIT ${limit} OFFSET ${offset}`);
}

/** Differences between two trees, with counts per type. */
async function listNetChanges(
  db: PublicReads,
  branch: string,
  from: number,
  to: number,
  { type, limit, offset }: ChangesPage,
): Promise<{ rows: Change[]; counts: ChangeCounts }> {
  const net = netChanges(branch, from, to);
  const ofType = type === undefined ? sql`` : sql`WHERE type = ${type}`;
  // One statement: the differences are computed once for the counts and the page. A row without a path has a count.
  const rows = await db.all<{ path: string | null; type: ChangeType; sha256: Sha256 | null; size: number }>(sql`${net}
    SELECT NULL AS path, type, NULL AS sha256, count(*) AS size FROM net GROUP BY type
    UNION ALL SELECT * FROM (SELECT path, type, sha256, size FROM net ${ofType} ORDER BY type, path LIMIT ${limit} OFFSET ${offset})`);
  const counts: ChangeCounts = { added: 0, modified: 0, removed: 0 };
  for (const { path, type: counting, size } of rows) if (path === null) counts[counting] = size;
  return { rows: rows.filter((row): row is Change & { path: string } => row.path !== null), counts };
}

/** Number of recorded changes of the complete versions in `(low, high]`. */
async function countChangesBetween(db: PublicReads, branch: string, low: number, high: number): Promise<number> {
  const [row] = await db.all<{ n: number | null }>(sql`SELECT sum(v.files_added + v.files_modified + v.files_removed) AS n
    FROM archive_versions v WHERE v.branch = ${branch} AND v.ordinal > ${low} AND v.ordinal <= ${high} AND ${IS_COMPLETE}`);
  return row?.n ?? 0;
}

/**
 * Children of a directory (with final slash; empty: the root) in a version, after a child: directories, then files, each by name in
 * byte order.
 */
async function listChildren(
  db: PublicReads,
  branch: string,
  dir: string,
  ordinal: Ordinal,
  { after, limit }: ChildrenPage,
): Promise<TreeEntry[]> {
  const afterDir = after === null ? '' : after.isDir ? after.name : null;
  const afterFile = after !== null && !after.isDir ? after.name : '';
  const [dirs, files] = await Promise.all([
    afterDir === null
      ? []
      : db.all<ChildRow>(sql`SELECT d.name, d.file_count, d.size, d.last_ordinal, v.captured_at FROM archive_dirs d
          LEFT JOIN archive_versions v ON v.branch = d.branch AND v.ordinal = d.last_ordinal
          WHERE d.branch = ${branch} AND d.parent = ${dir} AND d.name > ${afterDir} AND ${visibleAt('d', branch, ordinal)}
          ORDER BY d.name LIMIT ${limit}`),
    db.all<ChildRow>(sql`SELECT f.name, 1 AS file_count, f.size, f.changed_ordinal AS last_ordinal, v.captured_at
      FROM archive_files f LEFT JOIN archive_versions v ON v.branch = f.branch AND v.ordinal = f.changed_ordinal
      WHERE f.branch = ${branch} AND f.dir = ${dir} AND f.name > ${afterFile} AND ${visibleAt('f', branch, ordinal)}
      ORDER BY f.name LIMIT ${limit}`),
  ]);
  return [...dirs.map((row) => toTreeEntry(row, true)), ...files.map((row) => toTreeEntry(row, false))].slice(0, limit);
}

/** A file in a version, or its content before the last removal; null if the path never existed up to that version. */
async function findFile(
  db: PublicReads,
  branch: string,
  path: string,
  ordinal: Ordinal,
): Promise<{ file: ArchivedFile; ordinal: number } | null> {
  const { dir, name } = splitPath(path);
  const [row] = await db.all<FileRow>(sql`SELECT f.content_sha256, f.size, f.to_ordinal, f.archive, f.archive_index, b.stored_at,
      ${ordinalOf(branch, ordinal)} AS at
    FROM archive_files f JOIN archive_blobs b ON b.sha256 = f.content_sha256
    WHERE f.branch = ${branch} AND f.dir = ${dir} AND f.name = ${name} AND f.from_ordinal <= ${ordinalOf(branch, ordinal)}
    ORDER BY f.from_ordinal DESC LIMIT 1`);
  return row ? { file: toArchivedFile(row, row.at), ordinal: row.at } : null;
}

/** All rows of a path up to the current version, oldest first, and the versions in which they begin or end. */
async function listSpans(db: PublicReads, branch: string, path: string): Promise<{ spans: FileSpan[]; versions: Map<number, Version> }> {
  const { dir, name } = splitPath(path);
  const rows = sql`FROM archive_files f WHERE f.branch = ${branch} AND f.dir = ${dir} AND f.name = ${name}
    AND f.from_ordinal <= ${ordinalOf(branch, 'current')}`;
  const [spans = [], versions = []] = await runInOneTransaction(db, [
    sql`SELECT f.from_ordinal AS fromOrdinal, f.to_ordinal AS toOrdinal, f.changed_ordinal AS changedOrdinal,
      f.content_sha256 AS sha256, f.size ${rows} ORDER BY f.from_ordinal`,
    sql`SELECT ${VERSION_COLUMNS} FROM archive_versions v WHERE v.branch = ${branch} AND ${IS_COMPLETE}
      AND v.ordinal IN (SELECT f.from_ordinal ${rows} UNION SELECT f.to_ordinal ${rows})`,
  ]);
  return {
    spans: spans as unknown as FileSpan[],
    versions: new Map((versions as unknown as Version[]).map((version) => [version.ordinal, version])),
  };
}

/**
 * A page of paths that contain the text, case-insensitive, in byte order. Of more than `MAX_MATCHES` matching paths, those that were
 * archived first.
 */
async function searchPaths(
  db: PublicReads,
  branch: string,
  text: string,
  ordinal: Ordinal,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: FoundPath[]; total: number; isMinimum: boolean }> {
  const rows = await db.all<
    FoundPath & { total: number; matches: number }
  >(sql`${found(text)}SELECT f.dir || f.name AS path, f.size, f.changed_ordinal AS lastOrdinal,
      count(*) OVER () AS total, ${isIndexed(text) ? sql`(SELECT count(*) FROM found)` : sql`0`} AS matches
    FROM ${matching(branch, text)} AND ${visibleAt('f', branch, ordinal)}
    ORDER BY path LIMIT ${limit} OFFSET ${offset}`);
  const [first] = rows;
  // A page past the end has no row that carries the total.
  const total = first?.total ?? (offset > 0 ? await countMatches(db, branch, text, ordinal) : 0);
  const isMinimum = (first?.matches ?? 0) >= MAX_MATCHES;
  return { rows: rows.map(({ path, size, lastOrdinal }) => ({ path, size, lastOrdinal })), total, isMinimum };
}

/** Whether the index finds the text. */
const isIndexed = (text: string): boolean => [...text].length >= TRIGRAM_LENGTH;

/** Files whose path contains the text, by `found`; scans all paths if the text is too short for the index. */
function matching(branch: string, text: string): SQL {
  if (!isIndexed(text)) {
    return sql`archive_files f WHERE f.branch = ${branch} AND instr(lower(f.dir || f.name), lower(${text})) > 0`;
  }
  return sql`found s CROSS JOIN archive_paths p ON p.id = s.id
    CROSS JOIN archive_files f ON f.branch = ${branch} AND f.dir = p.dir AND f.name = p.name WHERE true`;
}

/**
 * The ids of the first paths of all branches that contain the text, as the table `found` of the statement that follows. The index is read
 * once for the rows and their number.
 */
const found = (text: string): SQL =>
  isIndexed(text)
    ? sql`WITH found AS MATERIALIZED (SELECT rowid AS id FROM archive_paths_fts
        WHERE archive_paths_fts MATCH ${`"${text.replaceAll('"', '""')}"`} ORDER BY rowid LIMIT ${MAX_MATCHES}) `
    : sql``;

async function countMatches(db: PublicReads, branch: string, text: string, ordinal: Ordinal): Promise<number> {
  const [row] = await db.all<{ total: number }>(
    sql`${found(text)}SELECT count(*) AS total FROM ${matching(branch, text)} AND ${visibleAt('f', branch, ordinal)}`,
  );
  return row?.total ?? 0;
}

interface ChildRow {
  name: string;
  file_count: number;
  size: number;
  last_ordinal: number;
  captured_at: number | null;
}

interface FileRow {
  content_sha256: Sha256;
  size: number;
  to_ordinal: number;
  archive: string | null;
  archive_index: number | null;
  stored_at: number;
  /** The requested ordinal. */
  at: number;
}

function toArchivedFile(row: FileRow, ordinal: number): ArchivedFile {
  const { content_sha256: sha256, size, stored_at: storedAt } = row;
  if (row.to_ordinal <= ordinal) return { sha256, size, archive: null, archiveIndex: null, removedOrdinal: row.to_ordinal, storedAt };
  return { sha256, size, archive: row.archive, archiveIndex: row.archive_index, removedOrdinal: null, storedAt };
}

function toTreeEntry(row: ChildRow, isDir: boolean): TreeEntry {
  const { name, file_count: fileCount, size, last_ordinal: lastOrdinal, captured_at: lastModifiedAt } = row;
  return { name, isDir, fileCount, size, lastOrdinal, lastModifiedAt };
}

/**
 * CTE `net`: compares, for every path changed between two versions, the content before the first change with the content after
 * the last change. If `from` is later than `to`, the sides are swapped.
 */
function netChanges(branch: string, from: number, to: number): SQL {
  const isForward = from <= to;
  const [low, high] = isForward ? [from, to] : [to, from];
  const [old, recent] = isForward
    ? [sql.raw('first.previous'), sql.raw('last.content')]
    : [sql.raw('last.content'), sql.raw('first.previous')];
  const size = sql.raw(isForward ? 'last.size' : 'first.previous_size');
  const inside = sql`FROM archive_changes WHERE branch = ${branch} AND ordinal > ${low} AND ordinal <= ${high} GROUP BY path`;
  return sql`WITH first AS (SELECT path, min(ordinal), previous_sha256 AS previous, previous_size ${inside}),
    last AS (SELECT path, max(ordinal), content_sha256 AS content, size ${inside}),
    net AS MATERIALIZED (SELECT path, CASE WHEN ${old} IS NULL THEN 'added' WHEN ${recent} IS NULL THEN 'removed' ELSE 'modified' END AS type,
        ${recent} AS sha256, CASE WHEN ${recent} IS NULL THEN 0 ELSE ${size} END AS size
      FROM first JOIN last USING (path) WHERE ${old} IS NOT ${recent})`;
}
