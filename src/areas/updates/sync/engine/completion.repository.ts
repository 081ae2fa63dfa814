import { type SQL, sql } from 'drizzle-orm';

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
