import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { D1Database } from '@cloudflare/workers-types';
import { inRoot } from './paths.ts';

const FOLDER = inRoot('migrations');
/** Separator of the statements in a file. */
const BREAKPOINT = '--> statement-breakpoint';

/** Same table as wrangler's, so `npx wrangler d1 migrations apply` continues from it. */
const APPLIED_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/** File names of the migrations, in order. */
export function listMigrations(): string[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

/** Names of the applied migrations of a database. */
export async function listApplied(database: D1Database): Promise<string[]> {
  const table = await database.prepare("SELECT name FROM sqlite_master WHERE name = 'd1_migrations'").first();
  if (table === null) return [];
  const { results } = await database.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  return results.map(({ name }) => name);
}

export async function isMigrated(database: D1Database): Promise<boolean> {
  const applied = await listApplied(database);
  return listMigrations().every((name) => applied.includes(name));
}

/** Applies pending migrations without starting wrangler, each in one transaction with its row in d1_migrations. */
export async function applyMigrations(database: D1Database): Promise<void> {
  const applied = await listApplied(database);
  for (const name of listMigrations().filter((file) => !applied.includes(file))) {
    const statements = readFileSync(inRoot('migrations', name), 'utf8').split(BREAKPOINT);
    await database.batch([
      ...[APPLIED_TABLE, ...statements].map((statement) => database.prepare(statement)),
      database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ]);
  }
}
