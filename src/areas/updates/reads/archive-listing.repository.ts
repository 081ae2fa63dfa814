import { sql } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { splitPath } from './paths.domain.ts';

/** A file of a version, for those who read whole versions. */
export interface ListedFile {
  path: string;
  sha256: string;
  size: number;
}

/** Complete versions from their first file to their last. */
export interface ArchiveListing {
  /** The newest complete version; 0 before the first. */
  currentOrdinal(branch: string): Promise<number>;
  /** The publisher's tag of a complete version and when it was captured; null for an ordinal that is not stored. */
  version(branch: string, ordinal: number): Promise<{ tag: string; capturedAt: UnixSeconds } | null>;
  /** Files of a version by directory and name, from behind a path on (null: from the first). */
  files(branch: string, ordinal: number, after: string | null, limit: number): Promise<ListedFile[]>;
}

export function createArchiveListing(db: Database): ArchiveListing {
  return {
    async currentOrdinal(branch) {
      const [row] = await db.all<{ ordinal: number }>(
        sql`SELECT current_ordinal AS ordinal FROM archive_branches WHERE branch = ${branch}`,
      );
      return row?.ordinal ?? 0;
    },

    async version(branch, ordinal) {
      const [row] = await db.all<{ tag: string; capturedAt: UnixSeconds }>(
        sql`SELECT version_tag AS tag, captured_at AS capturedAt FROM archive_versions
          WHERE branch = ${branch} AND ordinal = ${ordinal} AND completed_at IS NOT NULL`,
      );
      return row ?? null;
    },

    files(branch, ordinal, after, limit) {
      const { dir, name } = splitPath(after ?? '');
      return db.all(sql`SELECT dir || name AS path, content_sha256 AS sha256, size FROM archive_files
        WHERE branch = ${branch} AND (dir, name) > (${dir}, ${name}) AND from_ordinal <= ${ordinal} AND to_ordinal > ${ordinal}
        ORDER BY dir, name LIMIT ${limit}`);
    },
  };
}
