import { DrizzleD1Database, SQLiteD1Session } from 'drizzle-orm/d1';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { guardD1 } from './guarded-d1.ts';

/** The typed handle over the service's D1 database. */
export type Database = ReturnType<typeof createDatabase>;

type NoSchema = Record<string, never>;

/** Prepares queries whose failures come out as they are: the library would put all parameters into the message. */
class GuardedSession extends SQLiteD1Session<NoSchema, NoSchema> {
  override prepareQuery(...query: Parameters<SQLiteD1Session<NoSchema, NoSchema>['prepareQuery']>) {
    const queryWithCache = (_text: string, _params: unknown[], run: () => Promise<unknown>) => run();
    return Object.assign(super.prepareQuery(...query), { queryWithCache });
  }
}

/** Creates the handle. Its failures are `DatabaseError`s, also those of `$client`, which takes hand-written statements. */
export function createDatabase(binding: D1Database) {
  const dialect = new SQLiteAsyncDialect();
  const $client = guardD1(binding);
  const session = new GuardedSession($client as D1Database, dialect, undefined);
  return Object.assign(new DrizzleD1Database<NoSchema>('async', dialect, session, undefined), { $client });
}
