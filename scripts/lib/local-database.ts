import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { getPlatformProxy } from 'wrangler';
import { runWrangler, TOOL_ENV } from './commands.ts';
import { LOCAL_STATE, readWranglerConfig } from './config.ts';
import { listMigrations } from './migrations.ts';
import { inRoot } from './paths.ts';

const DATABASE_ONLY_CONFIG = inRoot('.local', 'database-only.wrangler.json');

/**
 * Opens the database of `wrangler dev`. The configuration handed to the proxy names nothing but the database:
 * with the Durable Objects in it, wrangler warns at length that a proxy cannot run them.
 */
export async function withLocalDatabase<T>(use: (database: D1Database) => Promise<T>): Promise<T> {
  Object.assign(process.env, TOOL_ENV);
  const { name, compatibility_date, d1_databases } = readWranglerConfig();
  mkdirSync(dirname(DATABASE_ONLY_CONFIG), { recursive: true });
  writeFileSync(DATABASE_ONLY_CONFIG, JSON.stringify({ name, compatibility_date, d1_databases }));
  const proxy = await getPlatformProxy<{ DB: D1Database }>({
    configPath: DATABASE_ONLY_CONFIG,
    persist: { path: LOCAL_STATE },
    envFiles: [],
    remoteBindings: false,
  });
  try {
    return await use(proxy.env.DB);
  } finally {
    await proxy.dispose();
  }
}

/** Whether every migration file has been applied: asking is much faster than starting wrangler for nothing. */
export async function isMigrated(database: D1Database): Promise<boolean> {
  const table = await database.prepare("SELECT name FROM sqlite_master WHERE name = 'd1_migrations'").first();
  if (table === null) return listMigrations().length === 0;
  const { results } = await database.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  return listMigrations().every((name) => applied.has(name));
}

export async function migrateLocalDatabase(): Promise<void> {
  await runWrangler(['d1', 'migrations', 'apply', 'DB', '--local']);
}
