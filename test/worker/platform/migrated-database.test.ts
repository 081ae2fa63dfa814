import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { emptyStorage, migrateDatabase } from '../../support/migrated-database.ts';

/** All entries of the schema, and the rows of tables that have some. */
async function contentOf(db: D1Database) {
  const { results: schema } = await db
    .prepare("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT GLOB '_cf_*' ORDER BY type, name")
    .all<{ type: string; name: string }>();
  const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => name);
  const contents = await db.batch(tables.map((name) => db.prepare(`SELECT * FROM "${name}"`)));
  const rows = tables.map((name, index) => ({ name, rows: contents[index]?.results ?? [] }));
  return { schema, rows: rows.filter((table) => table.rows.length > 0 && table.name !== 'd1_migrations') };
}

it('gives each test file the database that the migrations create', async () => {
  await migrateDatabase(env.STALE_DB);
  const copied = await contentOf(env.STALE_DB);
  await emptyStorage();
  await applyD1Migrations(env.STALE_DB, env.TEST_MIGRATIONS);
  expect(copied).toEqual(await contentOf(env.STALE_DB));
  expect(copied.rows.map(({ name }) => name)).toContain('mod_totals');
});
