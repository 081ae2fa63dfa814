import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../../platform/storage/database.ts';
import { NO_END_ORDINAL } from '../../updates.data.ts';
import type { ManifestEntry, StoredFile } from './work.domain.ts';

/** Page size of queries. */
const PAGE_ROWS = 5000;

/** The literal must match the index definition: SQLite uses a partial index only if the query repeats its condition. */
export const IS_NEWEST: SQL = sql.raw(`to_ordinal = ${NO_END_ORDINAL}`);

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

/** Newest files of a packed directory, by path. */
export async function listArchiveFiles(db: Database, branch: string, archive: string): Promise<Map<string, StoredFile>> {
  const files = new Map<string, StoredFile>();
  for (let last = { dir: '', name: '' }; ; ) {
    const page = await db.all<FileRow>(
      sql`SELECT dir, name, content_sha256, size, checksum, archive, archive_index FROM archive_files
        WHERE branch = ${branch} AND archive = ${archive} AND ${IS_NEWEST} AND (dir, name) > (${last.dir}, ${last.name})
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
