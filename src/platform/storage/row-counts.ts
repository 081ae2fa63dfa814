import { getTableName, type SQL, sql, type Table } from 'drizzle-orm';
import { type Database, type PublicReads, runInOneTransaction } from './database.ts';
import { rowCounts } from './row-counts.tables.ts';

/** Name of the count of the rows with a value in a column. Values are words without quotes. */
const groupName = (table: string, column: string) => `${table}/${column}=`;

/**
 * Schema statements that keep the number of rows of a table: `count(*)` reads every row, at each request. The triggers run in the
 * transaction that changes the rows. A write costs one more row, so this is for tables that get few rows at once. `column`: the rows
 * are counted by its value, which must be one of a few words.
 */
export function countingTriggers(table: Table, column?: string): string[] {
  const name = getTableName(table);
  const nameOf = (row: 'new' | 'old') => (column === undefined ? `'${name}'` : `'${groupName(name, column)}' || ${row}.${column}`);
  const add = `INSERT INTO row_counts (name, rows) VALUES (${nameOf('new')}, 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1;`;
  const subtract = `UPDATE row_counts SET rows = rows - 1 WHERE name = ${nameOf('old')};`;
  const stored =
    column === undefined
      ? `SELECT '${name}', count(*) FROM ${name} WHERE true`
      : `SELECT '${groupName(name, column)}' || ${column}, count(*) FROM ${name} WHERE true GROUP BY ${column}`;
  return [
    `INSERT INTO row_counts (name, rows) ${stored} ON CONFLICT DO NOTHING`,
    // A restored database has no number yet, and no rows.
    `CREATE TRIGGER ${name}_counted AFTER INSERT ON ${name} BEGIN
  ${add}
END`,
    `CREATE TRIGGER ${name}_uncounted AFTER DELETE ON ${name} BEGIN
  ${subtract}
END`,
    ...(column === undefined
      ? []
      : [
          `CREATE TRIGGER ${name}_recounted AFTER UPDATE OF ${column} ON ${name} WHEN old.${column} <> new.${column} BEGIN
  ${subtract}
  ${add}
END`,
        ]),
  ];
}

/**
 * Selects the number of rows of a table with `countingTriggers`. `column` with `values`: of the rows with one of these values, in a table
 * that is counted by this column.
 */
export function selectRowCount(reads: PublicReads, table: Table, column?: string, values: readonly string[] = []) {
  const name = getTableName(table);
  const names = column === undefined ? [name] : values.map((value) => groupName(name, column) + value);
  return (
    reads
      .select({ total: sql<number>`coalesce(sum(${rowCounts.rows}), 0)` })
      .from(rowCounts)
      // Not parameters: parameters may be secret, and errors do not show them.
      .where(sql`${rowCounts.name} IN (${sql.raw(names.map((one) => `'${one}'`).join(', '))})`)
  );
}

/** Compares the kept numbers with the tables and corrects them. Returns the names of the numbers that were wrong. */
export async function correctRowCounts(db: Database): Promise<string[]> {
  const names = await db.select({ name: rowCounts.name }).from(rowCounts);
  const results = await runInOneTransaction(
    db,
    names.map(({ name }): SQL => {
      const counted = sql.raw(`(SELECT count(*) FROM ${countedRows(name)})`);
      return sql`UPDATE ${rowCounts} SET rows = ${counted} WHERE name = ${sql.raw(`'${name}'`)} AND rows <> ${counted} RETURNING name`;
    }),
  );
  return results.flat().map(({ name }) => String(name));
}

/** The rows of a count: a table, or those of its rows with a value. */
function countedRows(name: string): string {
  const [table, column, value] = name.split(/[/=]/);
  return column === undefined ? `"${table}"` : `"${table}" WHERE "${column}" = '${value}'`;
}
