import { env } from 'cloudflare:workers';

/** The statement that stores rows. `how`: for example `OR IGNORE`. */
export function insertRows(
  table: string,
  columns: readonly string[],
  rows: readonly Record<string, unknown>[],
  how = '',
): D1PreparedStatement {
  const values = columns.map((column) => `value->>'${column}'`).join(', ');
  const statement = `INSERT ${how} INTO ${table} (${columns.join(', ')}) SELECT ${values} FROM json_each(?)`;
  return env.DB.prepare(statement).bind(JSON.stringify(rows));
}

/** Saves all rows of tables; returns a function that restores them in one batch. */
export async function snapshotTables(tables: readonly string[]): Promise<() => Promise<void>> {
  const read = (sql: (table: string) => string) => env.DB.batch<Record<string, unknown>>(tables.map((table) => env.DB.prepare(sql(table))));
  const found = await read((table) => `SELECT * FROM ${table}`);
  // Without generated columns.
  const stored = await read((table) => `SELECT name FROM pragma_table_info('${table}')`);
  const kept = tables.map((table, index) => {
    const columns = stored[index]?.results.map(({ name }) => String(name)) ?? [];
    return { table, columns, rows: found[index]?.results ?? [] };
  });
  return async () => {
    await env.DB.batch(
      kept.flatMap(({ table, columns, rows }) => [
        env.DB.prepare(`DELETE FROM ${table}`),
        ...(rows.length > 0 ? [insertRows(table, columns, rows)] : []),
      ]),
    );
  };
}
