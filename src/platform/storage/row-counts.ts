import { getTableName, sql, type Table } from 'drizzle-orm';
import { type Database, type PublicReads, runInOneTransaction } from './database.ts';
import { rowCounts } from './row-counts.tables.ts';

/**
 * Schema statements that keep the number of rows of a table: `count(*)` reads every row, at each request. The triggers run in the
 * transaction that changes the rows. A write costs one more row, so this is for tables that get few rows at once.
 */
export function countingTriggers(table: Table): string[] {
  const name = getTableName(table);
  return [
    `INSERT INTO row_counts (name, rows) SELECT '${name}', count(*) FROM ${name} WHERE true ON CONFLICT DO NOTHING`,
    // A restored database has no number yet, and no rows.
    `CREATE TRIGGER ${name}_counted AFTER INSERT ON ${name} BEGIN
  INSERT INTO row_counts (name, rows) VALUES ('${name}', 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;
END`,
    `CREATE TRIGGER ${name}_uncounted AFTER DELETE ON ${name} BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = '${name}';
END`,
  ];
}

/** Selects the number of rows of a table with `countingTriggers`. */
export const selectRowCount = (reads: PublicReads, table: Table) =>
  reads
    .select({ total: rowCounts.rows })
    .from(rowCounts)
    // Not a parameter: parameters may be secret, and errors do not show them.
    .where(sql`${rowCounts.name} = ${sql.raw(`'${getTableName(table)}'`)}`);

/** Compares the kept numbers with the tables and corrects them. Returns the names of the tables whose number was wrong. */
export async function correctRowCounts(db: Database): Promise<string[]> {
  const names = await db.select({ name: rowCounts.name }).from(rowCounts);
  const results = await runInOneTransaction(
    db,
    names.map(({ name }) => {
      const counted = sql.raw(`(SELECT count(*) FROM "${name}")`);
      return sql`UPDATE ${rowCounts} SET rows = ${counted} WHERE name = ${sql.raw(`'${name}'`)} AND rows <> ${counted} RETURNING name`;
    }),
  );
  return results.flat().map(({ name }) => String(name));
}
