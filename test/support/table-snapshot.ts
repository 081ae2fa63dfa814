import { env } from 'cloudflare:workers';

/** Saves all rows of tables; returns a function that restores them in one batch. */
export async function snapshotTables(tables: readonly string[]): Promise<() => Promise<void>> {
  const found = await env.DB.batch<Record<string, unknown>>(tables.map((table) => env.DB.prepare(`SELECT * FROM ${table}`)));
  const kept = tables.map((table, index) => ({ table, rows: found[index]?.results ?? [] }));
  return async () => {
    const statements = kept.flatMap(({ table, rows }) => {
      const columns = Object.keys(rows[0] ?? {});
      const values = columns.map((column) => `value->>'${column}'`).join(', ');
      const insert = env.DB.prepare(`INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values} FROM json_each(?)`);
      return [env.DB.prepare(`DELETE FROM ${table}`), ...(rows.length > 0 ? [insert.bind(JSON.stringify(rows))] : [])];
    });
    await env.DB.batch(statements);
  };
}
