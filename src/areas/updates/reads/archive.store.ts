import { type SQL, sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Sha256 } from '../../../platform/storage/content-store.ts';
import { type PublicReads, runInOneTransaction } from '../../../platform/storage/database.ts';
import { splitPath } from '../paths.domain.ts';
import type { BranchStatus } from '../updates.data.ts';
import type { FileSpan, Version } from './archive.domain.ts';

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

/** Ordinal of a version; `current`: of the visible version, as of the read. */
export type Ordinal = number | 'current';

/** Complete versions of the archive; never the version in progress. */
export type ArchiveRepository = ReturnType<typeof createArchiveRepository>;

interface VersionRow {
  branch: string;
  ordinal: number;
  version_tag: string;
  captured_at: number;
  completed_at: number | null;
  files_added: number;
  files_modified: number;
  files_removed: number;
  bytes_added: number;
}

/** Page size of the query: a directory can have tens of thousands of files. */
const CHILDREN_PER_QUERY = 5000;
/** The trigram index matches no shorter text. */
const TRIGRAM_LENGTH = 3;

const VERSION_COLUMNS = sql.raw(
  'v.branch, v.ordinal, v.version_tag, v.captured_at, v.completed_at, v.files_added, v.files_modified, v.files_removed, v.bytes_added',
);
const IS_COMPLETE = sql`v.completed_at IS NOT NULL`;

/** The current ordinal is looked up by the statement itself, so that no read has to come before it. */
export const ordinalOf = (branch: string, ordinal: Ordinal): SQL =>
  ordinal === 'current' ? sql`(SELECT current_ordinal FROM archive_branches WHERE branch = ${branch})` : sql`${ordinal}`;

/** Rows that belong to the tree of a version. */
function visibleAt(alias: string, branch: string, ordinal: Ordinal): SQL {
  const table = sql.raw(alias);
  const at = ordinalOf(branch, ordinal);
  return sql`${table}.from_ordinal <= ${at} AND ${table}.to_ordinal > ${at}`;
}

export function createArchiveRepository(db: PublicReads) {
  return {
    listBranches: async (): Promise<BranchState[]> => (await db.all<BranchRow>(sql`SELECT * FROM archive_branches`)).map(toBranchState),

    /** A page of complete versions, newest first, and their total number. */
    async listVersions(branch: string, { limit, offset }: { limit: number; offset: number }): Promise<{ rows: Version[]; total: number }> {
      const [rows = [], counted = []] = await runInOneTransaction(db, [
        sql`SELECT ${VERSION_COLUMNS} FROM archive_versions v
          WHERE v.branch = ${branch} AND ${IS_COMPLETE} ORDER BY v.ordinal DESC LIMIT ${limit} OFFSET ${offset}`,
        sql`SELECT count(*) AS total FROM archive_versions v WHERE v.branch = ${branch} AND ${IS_COMPLETE}`,
      ]);
      return { rows: (rows as unknown as VersionRow[]).map(toVersion), total: Number(counted[0]?.total ?? 0) };
    },

    /** A complete version by tag (the newest with that tag) or ordinal; null if none. */
    async findVersion(branch: string, by: { tag: string } | { ordinal: Ordinal }): Promise<Version | null> {
      const condition = 'tag' in by ? sql`v.version_tag = ${by.tag}` : sql`v.ordinal = ${ordinalOf(branch, by.ordinal)}`;
      const [row] = await db.all<VersionRow>(sql`SELECT ${VERSION_COLUMNS} FROM archive_versions v
        WHERE v.branch = ${branch} AND ${condition} AND ${IS_COMPLETE} ORDER BY v.ordinal DESC LIMIT 1`);
      return row ? toVersion(row) : null;
    },

    /** Children of a directory (with final slash; empty: the root) in a version: directories, then files, each by name in byte order. */
    async listChildren(branch: string, dir: string, ordinal: Ordinal): Promise<TreeEntry[]> {
      const [dirs, files] = await Promise.all([
        db.all<ChildRow>(sql`SELECT d.name, d.file_count, d.size, d.last_ordinal, v.captured_at FROM archive_dirs d
        LEFT JOIN archive_versions v ON v.branch = d.branch AND v.ordinal = d.last_ordinal
        WHERE d.branch = ${branch} AND d.parent = ${dir} AND ${visibleAt('d', branch, ordinal)} ORDER BY d.name`),
        childFiles(db, branch, dir, ordinal),
      ]);
      return [...dirs.map((row) => toTreeEntry(row, true)), ...files.map((row) => toTreeEntry(row, false))];
    },

    /** A file in a version, or its content before the last removal; null if the path never existed up to that version. */
    async findFile(branch: string, path: string, ordinal: Ordinal): Promise<{ file: ArchivedFile; ordinal: number } | null> {
      const { dir, name } = splitPath(path);
      const [row] = await db.all<FileRow>(sql`SELECT f.content_sha256, f.size, f.to_ordinal, f.archive, f.archive_index, b.stored_at,
          ${ordinalOf(branch, ordinal)} AS at
        FROM archive_files f JOIN archive_blobs b ON b.sha256 = f.content_sha256
        WHERE f.branch = ${branch} AND f.dir = ${dir} AND f.name = ${name} AND f.from_ordinal <= ${ordinalOf(branch, ordinal)}
        ORDER BY f.from_ordinal DESC LIMIT 1`);
      return row ? { file: toArchivedFile(row, row.at), ordinal: row.at } : null;
    },

    /** All rows of a path up to the current version, oldest first, and the versions in which they begin or end. */
    async listSpans(branch: string, path: string): Promise<{ spans: FileSpan[]; versions: Map<number, Version> }> {
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
        versions: new Map((versions as unknown as VersionRow[]).map((row) => [row.ordinal, toVersion(row)])),
      };
    },

    /** A page of paths that contain the text, case-insensitive, in byte order. */
    async searchPaths(
      branch: string,
      text: string,
      ordinal: Ordinal,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ rows: FoundPath[]; total: number }> {
      const rows = await db.all<FoundPath & { total: number }>(sql`SELECT f.dir || f.name AS path, f.size, f.changed_ordinal AS lastOrdinal,
          count(*) OVER () AS total
        FROM ${matching(branch, text)} AND ${visibleAt('f', branch, ordinal)}
        ORDER BY path LIMIT ${limit} OFFSET ${offset}`);
      const [first] = rows;
      // A page past the end has no row that carries the total.
      const total = first?.total ?? (offset > 0 ? await countMatches(db, branch, text, ordinal) : 0);
      return { rows: rows.map(({ path, size, lastOrdinal }) => ({ path, size, lastOrdinal })), total };
    },
  };
}

/** Files whose path contains the text, by the trigram index; scans all paths if the text is too short. */
function matching(branch: string, text: string): SQL {
  if ([...text].length < TRIGRAM_LENGTH) {
    return sql`archive_files f WHERE f.branch = ${branch} AND instr(lower(f.dir || f.name), ${text.toLowerCase()}) > 0`;
  }
  const phrase = `"${text.replaceAll('"', '""')}"`;
  return sql`archive_paths_fts s CROSS JOIN archive_paths p ON p.id = s.rowid
    CROSS JOIN archive_files f ON f.branch = ${branch} AND f.dir = p.dir AND f.name = p.name WHERE archive_paths_fts MATCH ${phrase}`;
}

async function countMatches(db: PublicReads, branch: string, text: string, ordinal: Ordinal): Promise<number> {
  const [row] = await db.all<{ total: number }>(
    sql`SELECT count(*) AS total FROM ${matching(branch, text)} AND ${visibleAt('f', branch, ordinal)}`,
  );
  return row?.total ?? 0;
}

async function childFiles(db: PublicReads, branch: string, dir: string, ordinal: Ordinal): Promise<ChildRow[]> {
  const files: ChildRow[] = [];
  for (let last = ''; ; last = files.at(-1)?.name ?? last) {
    const page = await db.all<ChildRow>(sql`SELECT f.name, 1 AS file_count, f.size, f.changed_ordinal AS last_ordinal, v.captured_at
      FROM archive_files f LEFT JOIN archive_versions v ON v.branch = f.branch AND v.ordinal = f.changed_ordinal
      WHERE f.branch = ${branch} AND f.dir = ${dir} AND f.name > ${last} AND ${visibleAt('f', branch, ordinal)}
      ORDER BY f.name LIMIT ${CHILDREN_PER_QUERY}`);
    files.push(...page);
    if (page.length < CHILDREN_PER_QUERY) return files;
  }
}

interface BranchRow {
  branch: string;
  current_version: string | null;
  current_ordinal: number;
  last_probe_at: number | null;
  status: BranchStatus;
  file_count: number;
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

function toBranchState(row: BranchRow): BranchState {
  return {
    branch: row.branch,
    currentVersion: row.current_version,
    currentOrdinal: row.current_ordinal,
    lastProbeAt: row.last_probe_at,
    status: row.status,
    fileCount: row.file_count,
  };
}

function toArchivedFile(row: FileRow, ordinal: number): ArchivedFile {
  const { content_sha256: sha256, size, stored_at: storedAt } = row;
  if (row.to_ordinal <= ordinal) return { sha256, size, archive: null, archiveIndex: null, removedOrdinal: row.to_ordinal, storedAt };
  return { sha256, size, archive: row.archive, archiveIndex: row.archive_index, removedOrdinal: null, storedAt };
}

function toVersion(row: VersionRow): Version {
  return {
    branch: row.branch,
    ordinal: row.ordinal,
    versionTag: row.version_tag,
    capturedAt: row.captured_at,
    completedAt: row.completed_at,
    filesAdded: row.files_added,
    filesModified: row.files_modified,
    filesRemoved: row.files_removed,
    bytesAdded: row.bytes_added,
  };
}

function toTreeEntry(row: ChildRow, isDir: boolean): TreeEntry {
  const { name, file_count: fileCount, size, last_ordinal: lastOrdinal, captured_at: lastModifiedAt } = row;
  return { name, isDir, fileCount, size, lastOrdinal, lastModifiedAt };
}
