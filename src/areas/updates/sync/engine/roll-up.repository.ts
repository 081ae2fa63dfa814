import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../../platform/storage/database.ts';
import { listDirectories, splitDirectory } from '../../reads/paths.domain.ts';
import { type ChangeType, NO_END_ORDINAL } from '../../updates.data.ts';
import { toBatches } from './batches.domain.ts';
import { IS_NEWEST } from './sync-reads.repository.ts';

const PAGE_ROWS = 5000;
const DIRS_PER_STATEMENT = 1000;

export interface RollUpDeps {
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
 * reverts the rows of an earlier attempt at the same ordinal: safe to repeat after a crash or further changes.
 */
export async function rollUpDirectories({ db, branch, ordinal, write }: RollUpDeps): Promise<void> {
  await write([
    sql`DELETE FROM archive_dirs WHERE branch = ${branch} AND from_ordinal = ${ordinal}`,
    sql`UPDATE archive_dirs SET to_ordinal = ${NO_END_ORDINAL} WHERE branch = ${branch} AND to_ordinal = ${ordinal}`,
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
