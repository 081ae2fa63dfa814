import { eq, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { type ApiTokenRow, apiTokens, users } from '../../../src/platform/access/tokens.tables.ts';
import { type Account, accountRow } from '../accounts.ts';

/** Builds statements only; never executes them. */
const builder = drizzle(async () => ({ rows: [] }));
const dialect = new SQLiteSyncDialect();

/** The statement with inlined values, because `wrangler d1 execute` does not accept parameters. */
function toText(statement: SQLWrapper): string {
  const query: SQL = statement.getSQL();
  return `${dialect.sqlToQuery(query.inlineParams()).sql};`;
}

/** Statement that selects `id` and `is_superuser` of the account. */
export function selectAccountSql(email: string): string {
  const columns = { id: users.id, is_superuser: users.isSuperuser };
  return toText(new QueryBuilder().select(columns).from(users).where(eq(users.email, email)));
}

export function insertAccountSql(account: Account, now: number): { id: string; sql: string } {
  const row = accountRow(account, now);
  return { id: row.id, sql: toText(builder.insert(users).values(row)) };
}

export function insertTokenSql(row: ApiTokenRow): string {
  return toText(builder.insert(apiTokens).values(row));
}
