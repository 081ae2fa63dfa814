import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { GROWTH_PAGE, growthPage } from './lib/docs/growth-page.ts';
import { runMain, UserError } from './lib/main.ts';
import { migratedDatabase } from './lib/migrated-database.ts';
import { listMigrations } from './lib/migrations.ts';
import { inRoot } from './lib/paths.ts';
import { compareSchemas, planMigration, readSchemaSources, readSnapshot, SNAPSHOT_FILE } from './lib/schema.ts';

const USAGE = `Usage:
  npm run migrations -- NAME        adds migrations/NNNN_NAME.sql after a change of a *.tables.ts or *.sql.ts file
  npm run migrations -- --check     says whether the migrations lead to the schema of the sources, and storage-growth.md has its tables
  npm run migrations -- --initial   replaces all migrations by one (only before the first deployment)`;

/** `npm run migrations`: generates SQL files for D1 from the schema in the sources, and the table of docs/operations/storage-growth.md. */
await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' }, initial: { type: 'boolean' } },
  });
  if (values.check) return await check();
  if (values.initial) {
    for (const name of listMigrations()) rmSync(inRoot('migrations', name));
    rmSync(SNAPSHOT_FILE, { force: true });
    return await add('schema');
  }
  const [name = '', ...more] = positionals;
  if (!/^[a-z0-9_]+$/.test(name) || more.length > 0) throw new UserError(USAGE);
  await add(name);
});

async function add(name: string): Promise<void> {
  const sources = await readSchemaSources();
  // First, because it throws when a table is not declared.
  writeFileSync(GROWTH_PAGE, await growthPage(Object.keys(sources.snapshot.tables)));
  const statements = await planMigration(sources, readSnapshot(), migratedDatabase());
  // Also without a statement: the snapshot lists the tables in the order of their files, which may have moved.
  writeFileSync(SNAPSHOT_FILE, `${JSON.stringify(sources.snapshot, null, 1)}\n`);
  if (statements.length === 0) return console.log('The migrations match the schema of the sources.');
  const number = listMigrations().length.toString().padStart(4, '0');
  const file = `migrations/${number}_${name}.sql`;
  writeFileSync(inRoot(file), `${statements.map((text) => text.trim()).join('\n--> statement-breakpoint\n')}\n`);
  console.log(`${file}: ${statements.length} statements`);
}

async function check(): Promise<void> {
  const sources = await readSchemaSources();
  const expected = new DatabaseSync(':memory:');
  await planMigration(sources, null, expected);
  const problems = compareSchemas(migratedDatabase(), expected);
  if (JSON.stringify(readSnapshot()) !== JSON.stringify(sources.snapshot)) problems.push('migrations/snapshot.json is stale');
  if ((await growthPage(Object.keys(sources.snapshot.tables))) !== readFileSync(GROWTH_PAGE, 'utf8'))
    problems.push('docs/operations/storage-growth.md is stale');
  if (problems.length > 0) throw new UserError(`The migrations do not match the schema of the sources:\n${problems.join('\n')}`);
}
