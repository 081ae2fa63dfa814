import { env } from 'cloudflare:workers';

/** Wraps the database to record prepared statements; `inOrder` includes repetitions. */
export function recordingDatabase(): { database: D1Database; statements: Set<string>; inOrder: string[] } {
  const statements = new Set<string>();
  const inOrder: string[] = [];
  const database = new Proxy(env.DB, {
    get(target, property) {
      // Without sessions all statements use this binding and are recorded.
      if (property === 'withSession') return undefined;
      if (property === 'prepare') {
        return (statement: string) => {
          statements.add(statement);
          inOrder.push(statement);
          return target.prepare(statement);
        };
      }
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { database, statements, inOrder };
}

/** Steps of query plans that scan one of the tables fully. Table names are those in the plan. */
export async function scansOf(statements: Iterable<string>, tables: readonly string[]): Promise<string[]> {
  const scans: string[] = [];
  const listed = [...statements];
  const explained = listed.map((statement) => {
    const values = Array(statement.split('?').length - 1).fill('1');
    return env.DB.prepare(`EXPLAIN QUERY PLAN ${statement}`).bind(...values);
  });
  const plans = explained.length > 0 ? await env.DB.batch<{ detail: string }>(explained) : [];
  for (const [index, statement] of listed.entries()) {
    for (const { detail } of plans[index]?.results ?? []) {
      const table = /^SCAN (\w+)(?! VIRTUAL TABLE)/.exec(detail)?.[1];
      if (table !== undefined && tables.includes(table) && !detail.includes('VIRTUAL TABLE')) scans.push(`${detail}: ${statement}`);
    }
  }
  return scans;
}

/** Wraps the database to count the rows read. */
export function countingDatabase(): { database: D1Database; takeRowsRead(): number } {
  let read = 0;
  const inner = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const counted = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => counted(statement.bind(...values)),
      async all() {
        const result = await statement.all();
        read += result.meta.rows_read;
        return result;
      },
      run: () => statement.run(),
    } as unknown as D1PreparedStatement;
    inner.set(wrapped, statement);
    return wrapped;
  };
  const database = {
    prepare: (statement: string) => counted(env.DB.prepare(statement)),
    async batch(statements: D1PreparedStatement[]) {
      const results = await env.DB.batch(statements.map((statement) => inner.get(statement) ?? statement));
      for (const { meta } of results) read += meta.rows_read;
      return results;
    },
  } as unknown as D1Database;
  return {
    database,
    takeRowsRead() {
      const rows = read;
      read = 0;
      return rows;
    },
  };
}
