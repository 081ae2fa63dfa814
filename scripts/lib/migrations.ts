import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { D1Database } from '@cloudflare/workers-types';
import { unstable_splitSqlQuery } from 'wrangler';
import { inRoot } from './paths.ts';

const FOLDER = inRoot('migrations');

/** File names of the migrations, in the order in which they are applied. */
export function listMigrations(): string[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

/** Applies every migration to an empty database without wrangler (bundle tests and benchmarks). */
export async function applyMigrations(database: D1Database): Promise<void> {
  for (const name of listMigrations()) {
    const statements = unstable_splitSqlQuery(readFileSync(inRoot('migrations', name), 'utf8'));
    await database.batch(statements.map((statement) => database.prepare(statement)));
  }
}
