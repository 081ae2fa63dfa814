import { sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { PublicReads } from '../../../platform/storage/database.ts';
import { createRevalidatingCaches } from '../../../platform/storage/memory-caches.ts';
import { splitPath } from '../paths.domain.ts';

/** A file of a version. */
interface ListedFile {
  path: string;
  sha256: string;
  size: number;
}

/** Publisher's tags and capture times by ordinal. */
type VersionNames = ReadonlyMap<number, { tag: string; capturedAt: UnixSeconds }>;

/** Complete versions change with builds of the game. */
const VERSIONS_TTL_MS = 60_000;
const MAX_CACHED_BRANCHES = 8;

/** Must equal the condition of the index `archive_files_models`. */
const IS_MODEL = sql.raw("f.dir >= 'blueprints/' AND f.dir < 'blueprints0'");

/** Reads of complete versions for other areas. `reads`: replica, for what clients see. */
export function createArchiveListing(db: PublicReads, reads: PublicReads = db) {
  const versions = createRevalidatingCaches(
    async (branch: string): Promise<VersionNames> => {
      const rows = await reads.all<{ ordinal: number; tag: string; capturedAt: UnixSeconds }>(
        sql`SELECT ordinal, version_tag AS tag, captured_at AS capturedAt FROM archive_versions
          WHERE branch = ${branch} AND completed_at IS NOT NULL`,
      );
      return new Map(rows.map(({ ordinal, ...version }) => [ordinal, version]));
    },
    VERSIONS_TTL_MS,
    MAX_CACHED_BRANCHES,
  );
  return {
    /** Ordinal of the newest complete version; 0 before the first. */
    async currentOrdinal(branch: string): Promise<number> {
      const [row] = await db.all<{ ordinal: number }>(
        sql`SELECT current_ordinal AS ordinal FROM archive_branches WHERE branch = ${branch}`,
      );
      return row?.ordinal ?? 0;
    },

    /** Publisher's tags and capture times of the complete versions by ordinal, cached in the isolate. */
    listVersions: versions.get,

    /** A page of the files of a version by directory and name, after a path (null: from the first). */
    listFiles(branch: string, ordinal: number, after: string | null, limit: number): Promise<ListedFile[]> {
      const { dir, name } = splitPath(after ?? '');
      return db.all(sql`SELECT dir || name AS path, content_sha256 AS sha256, size FROM archive_files
        WHERE branch = ${branch} AND (dir, name) > (${dir}, ${name}) AND from_ordinal <= ${ordinal} AND to_ordinal > ${ordinal}
        ORDER BY dir, name LIMIT ${limit}`);
    },

    /**
     * The model at a path below `blueprints/` in the newest version. Without an exact match, the model with the same file name
     * if there is only one. Latin letters are case-insensitive. Null if not found.
     */
    async findModel(branch: string, path: string): Promise<ListedFile | null> {
      const { name } = splitPath(path);
      const [first, second] = await reads.all<ListedFile & { is_exact: number }>(sql`SELECT f.dir || f.name AS path,
          f.content_sha256 AS sha256, f.size, (f.dir || f.name) = ${path} COLLATE NOCASE AS is_exact
        FROM archive_branches b JOIN archive_files f INDEXED BY archive_files_models ON f.branch = b.branch AND f.name = ${name} COLLATE NOCASE AND ${IS_MODEL}
          AND f.from_ordinal <= b.current_ordinal AND f.to_ordinal > b.current_ordinal
        WHERE b.branch = ${branch} ORDER BY is_exact DESC, path LIMIT 2`);
      if (!first || (!first.is_exact && second)) return null;
      return { path: first.path, sha256: first.sha256, size: first.size };
    },
  };
}
