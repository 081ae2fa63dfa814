import { type SQL, sql } from 'drizzle-orm';
import type { Sha256 } from '../../../platform/storage/content-store.ts';
import type { PublicReads } from '../../../platform/storage/database.ts';
import type { ChangeType } from '../updates.data.ts';
import { type Ordinal, ordinalOf } from './archive.store.ts';

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

export type ChangeCounts = Record<ChangeType, number>;

/** Changes of versions by type, then path, in byte order. */
export type ChangesRepository = ReturnType<typeof createChangesRepository>;

export function createChangesRepository(db: PublicReads) {
  return {
    /** Changes of one version; of the visible one as of the read for `current`. */
    listByVersion(branch: string, ordinal: Ordinal, { type, limit, offset }: ChangesPage): Promise<Change[]> {
      const ofType = type === undefined ? sql`` : sql`AND type = ${type}`;
      return db.all<Change>(sql`SELECT path, type, content_sha256 AS sha256, size FROM archive_changes
        WHERE branch = ${branch} AND ordinal = ${ordinalOf(branch, ordinal)} ${ofType} ORDER BY type, path LIMIT ${limit} OFFSET ${offset}`);
    },

    /** Differences between two trees, with counts per type. */
    async listBetween(
      branch: string,
      from: number,
      to: number,
      { type, limit, offset }: ChangesPage,
    ): Promise<{ rows: Change[]; counts: ChangeCounts }> {
      const net = netChanges(branch, from, to);
      const ofType = type === undefined ? sql`` : sql`WHERE type = ${type}`;
      const [counted, rows] = await Promise.all([
        db.all<{ type: ChangeType; number: number }>(sql`${net} SELECT type, count(*) AS number FROM net GROUP BY type`),
        db.all<Change>(sql`${net} SELECT path, type, sha256, size FROM net ${ofType} ORDER BY type, path LIMIT ${limit} OFFSET ${offset}`),
      ]);
      const counts: ChangeCounts = { added: 0, modified: 0, removed: 0 };
      for (const { type: counting, number } of counted) counts[counting] = number;
      return { rows, counts };
    },
  };
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
    net AS (SELECT path, CASE WHEN ${old} IS NULL THEN 'added' WHEN ${recent} IS NULL THEN 'removed' ELSE 'modified' END AS type,
        ${recent} AS sha256, CASE WHEN ${recent} IS NULL THEN 0 ELSE ${size} END AS size
      FROM first JOIN last USING (path) WHERE ${old} IS NOT ${recent})`;
}
