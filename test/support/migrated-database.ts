import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { findStoredObjects, forgetUsedObjects, isWritten, startUsedObjects } from './used-objects.ts';

interface SchemaEntry {
  type: 'table' | 'index' | 'trigger' | 'view';
  name: string;
  sql: string;
}

/** Content of a migrated, unused database. */
interface Snapshot {
  /** All `CREATE` statements. */
  schema: string;
  rows: { sql: string; values: unknown[] }[];
}

let snapshot: Snapshot | null = null;

/** The test file that used the storage last. */
let lastFile = 'the first file';

const isMigrated = async (db: D1Database) =>
  (await db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first()) !== null;

/** Bindings that hold keys or tables. */
async function usedBindings(): Promise<string[]> {
  const names = await Promise.all(
    Object.entries(env).map(async ([name, binding]: [string, unknown]) => {
      const kind = typeof binding === 'object' && binding !== null ? binding.constructor.name : '';
      let isUsed = false;
      if (kind === 'KvNamespace') {
        const keys = binding as KVNamespace;
        isUsed = isWritten(keys) && (await keys.list({ limit: 1 })).keys.length > 0;
      } else if (kind === 'R2Bucket') {
        const bucket = binding as R2Bucket;
        isUsed = isWritten(bucket) && (await bucket.list({ limit: 1 })).objects.length > 0;
      } else if (kind === 'D1Database') {
        isUsed = await isMigrated(binding as D1Database);
      }
      return isUsed ? [name] : [];
    }),
  );
  return names.flat();
}

/** Empties the whole storage. Repeated while something remains: the runtime may skip an object whose work has not ended. */
export async function emptyStorage(): Promise<void> {
  await eventually(async () => {
    await startUsedObjects();
    await reset();
    const used = [...(await usedBindings()), ...(await findStoredObjects())];
    if (used.length > 0) throw new Error(`${used.join(', ')} not empty after ${lastFile}`);
  });
  forgetUsedObjects();
  lastFile = expect.getState().testPath ?? lastFile;
}

/**
 * Creates all tables in an empty database. The first call of a runtime applies the migrations. Later calls create the result at once, which
 * takes a tenth of the time: every `ALTER TABLE` of a migration makes SQLite check the whole schema.
 */
export async function migrateDatabase(db: D1Database): Promise<void> {
  if (snapshot) {
    await db.batch([db.prepare(snapshot.schema), ...snapshot.rows.map(({ sql, values }) => db.prepare(sql).bind(...values))]);
    return;
  }
  await applyD1Migrations(db, env.TEST_MIGRATIONS);
  snapshot = await readSnapshot(db);
}

/** Creates all tables unless the database has them. */
export async function migrateOnce(db: D1Database): Promise<void> {
  if (!(await isMigrated(db))) await migrateDatabase(db);
}

async function readSnapshot(db: D1Database): Promise<Snapshot> {
  const { results } = await db
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY rowid",
    )
    .all<SchemaEntry>();
  const isVirtual = ({ sql }: SchemaEntry) => /^CREATE VIRTUAL/i.test(sql);
  const virtual = results.filter(isVirtual);
  // A virtual table creates its own tables.
  const isOwned = (entry: SchemaEntry) =>
    entry.type === 'table' && !isVirtual(entry) && virtual.some(({ name }) => entry.name.startsWith(`${name}_`));
  const entries = results.filter((entry) => !isOwned(entry));
  const tables = entries.filter((entry) => entry.type === 'table' && !isVirtual(entry));
  const contents = await db.batch<Record<string, unknown>>(tables.map(({ name }) => db.prepare(`SELECT * FROM "${name}"`)));
  const rows = tables.flatMap(({ name }, index) =>
    (contents[index]?.results ?? []).map((row) => {
      const columns = Object.keys(row).map((column) => `"${column}"`);
      return {
        sql: `INSERT OR REPLACE INTO "${name}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        values: Object.values(row),
      };
    }),
  );
  return { schema: entries.map(({ sql }) => sql).join(';\n'), rows };
}
