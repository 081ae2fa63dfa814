import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { listMigrations } from './migrations.ts';
import { inRoot } from './paths.ts';

/** An in-memory database with all migrations applied. Not beside the tools that plan migrations, which take a second to load. */
export function migratedDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const name of listMigrations()) database.exec(readFileSync(inRoot('migrations', name), 'utf8'));
  return database;
}
