import type { SQL } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import type { Database } from './database.ts';

const dialect = new SQLiteAsyncDialect();

/**
 * Runs hand-written statements in one transaction, in order, and returns the rows of each. Drizzle can batch only its own
 * statements.
 */
export async function runInOneTransaction(db: Pick<Database, '$client'>, statements: readonly SQL[]): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = dialect.sqlToQuery(statement);
    return db.$client.prepare(sql).bind(...params);
  });
  const results = await db.$client.batch<Record<string, unknown>>(prepared);
  return results.map((result) => result.results);
}

/** Rows as texts of JSON arrays of at most `maxLength` characters, each for one SQL parameter. A longer row is a part of its own. */
export function toJsonParts(rows: readonly object[], maxLength: number): string[] {
  const parts: string[][] = [];
  let length = maxLength;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (length + text.length >= maxLength) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(text);
    length += text.length + 1;
  }
  return parts.map((part) => `[${part.join(',')}]`);
}
