import { randomUUID } from 'node:crypto';
import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { QueryBuilder, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { recoveryCodes, secondFactorEvents, secondFactors } from '../../../src/platform/access/sessions/second-factor.tables.ts';
import { type ApiTokenRow, apiTokens, sessions, users } from '../../../src/platform/access/tokens.tables.ts';
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

/** Statements that remove the second factor of an account, end its sessions, and record who did it. */
export function resetSecondFactorSql(userId: string, actor: string, now: number): string {
  const event = { id: randomUUID(), userId, kind: 'reset_by_operator', actor, at: now } as const;
  return [
    builder.insert(secondFactorEvents).values(event),
    builder.delete(secondFactors).where(eq(secondFactors.userId, userId)),
    builder.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    builder.update(users).set({ tokenVersion: sql`token_version + 1` }).where(eq(users.id, userId)),
    builder.delete(sessions).where(eq(sessions.userId, userId)),
  ]
    .map(toText)
    .join('\n');
}

export function insertTokenSql(row: ApiTokenRow): string {
  return toText(builder.insert(apiTokens).values(row));
}
