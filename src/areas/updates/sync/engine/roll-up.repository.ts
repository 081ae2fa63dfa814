import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../../platform/storage/database.ts';
import { directoriesOf, splitDirectory } from '../../reads/paths.domain.ts';
import { type ChangeType, STILL_THERE } from '../../updates.data.ts';
import { IS_NEWEST } from './sync-reads.repository.ts';

const PAGE_ROWS = 5000;
const DIRS_PER_STATEMENT = 1000;

export interface RollUpDeps {
  db: Database;
  branch: string;
  ordinal: number;
  write(statements: readonly SQL[]): Promise<void>;
}

/** What a version changes in the sums of a directory. */
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
 * Writes the sums of every directory that a version touched, from the sums of the version before and the changes. Starts by
 * undoing what an earlier try of the same ordinal wrote, so it may be repeated after a crash, and after the changes grew.
 */
export async function rollUpDirectories({ db, branch, ordinal, write }: RollUpDeps): Promise<void> {
  await write([
    sql`DELETE FROM archive_dirs WHERE branch = ${branch} AND from_ordinal = ${ordinal}`,
    sql`UPDATE archive_dirs SET to_ordinal = ${STILL_THERE} WHERE branch = ${branch} AND to_ordinal = ${ordinal}`,
  ]);
  const deltas = [...(await sumChanges(db, branch, ordinal))];
  for (let start = 0; start < deltas.length; start += DIRS_PER_STATEMENT) {
    const rows = deltas.slice(start, start + DIRS_PER_STATEMENT).map(([dir, { files, size }]) => {
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
    for (const change of page) add(deltas, change);
    last = page.at(-1) ?? last;
    if (page.length < PAGE_ROWS) return deltas;
  }
}

function add(deltas: Map<string, Delta>, { type, path, size, previous_size: previousSize }: ChangeRow): void {
  const files = type === 'added' ? 1 : type === 'removed' ? -1 : 0;
  for (const dir of directoriesOf(path)) {
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
      SELECT ${branch}, value->>'p', value->>'n', ${ordinal}, ${STILL_THERE}, coalesce(base.file_count, 0) + (value->>'f'),
        coalesce(base.size, 0) + (value->>'z'), ${ordinal}
      FROM json_each(${rows}) LEFT JOIN archive_dirs base ON base.branch = ${branch} AND base.parent = value->>'p'
        AND base.name = value->>'n' AND base.to_ordinal = ${ordinal}
      WHERE coalesce(base.file_count, 0) + (value->>'f') > 0`,
  ];
}
