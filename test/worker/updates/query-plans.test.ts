import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { makeBuild } from '../../support/archive/build.ts';
import { emptyArchive, sync } from './world.ts';

/** A scan of a table, or a search that reads every row of the branch. */
const LARGE =
  /SCAN (?:archive_(?!branches)\w+|f\b|base|opened)(?! USING INTEGER PRIMARY KEY)|SEARCH (?:archive_(?:files|changes)|f|base|opened) USING \S+(?: KEY| \S+) \(branch=\?\)/;

/** All SQL statements of the sync of two builds. */
async function statementsOfSync(): Promise<{ sql: string; params: readonly unknown[] }[]> {
  const seen: { sql: string; params: readonly unknown[] }[] = [];
  const prepare = env.DB.prepare.bind(env.DB);
  const original = { prepare: env.DB.prepare, withSession: env.DB.withSession };
  // Records statements of sessions too.
  env.DB.withSession = () => ({ prepare: env.DB.prepare, batch: env.DB.batch.bind(env.DB), getBookmark: () => null }) as never;
  env.DB.prepare = (sql: string) => {
    const statement = prepare(sql);
    const bind = statement.bind.bind(statement);
    statement.bind = (...params: unknown[]) => {
      seen.push({ sql, params });
      return bind(...params);
    };
    return statement;
  };
  try {
    await emptyArchive();
    seen.length = 0;
    await sync(makeBuild({ versionTag: 'V-1', loose: { a: 'A', b: 'B' }, packed: { d: [{ x: 'X', y: 'Y' }] } }));
    await sync(makeBuild({ versionTag: 'V-2', loose: { a: 'A2' }, packed: { d: [{ x: 'X2' }, { z: 'Z' }] } }));
  } finally {
    Object.assign(env.DB, original);
  }
  return seen;
}

describe('sync', () => {
  it('runs no query that scans a large table', async () => {
    const statements = new Map((await statementsOfSync()).map((statement) => [statement.sql, statement.params]));
    expect(statements.size).toBeGreaterThan(20);
    const scans: string[] = [];
    for (const [sql, params] of statements) {
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...params)
        .all<{ detail: string }>();
      for (const { detail } of results) if (LARGE.test(detail)) scans.push(`${detail}: ${sql}`);
    }
    expect(scans).toEqual([]);
  });
});
