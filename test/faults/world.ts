import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { emptyStorage } from '../support/migrated-database.ts';

type Row = Record<string, unknown>;

interface StoredObject {
  key: string;
  bytes: ArrayBuffer;
  httpMetadata?: R2HTTPMetadata;
  customMetadata?: Record<string, string>;
}

/** Everything that is stored outside objects. */
export interface World {
  tables: readonly string[];
  schema: { before: string; after: string };
  rows: readonly { table: string; row: Row }[];
  buckets: Readonly<Record<string, readonly StoredObject[]>>;
  kv: Readonly<Record<string, readonly { key: string; value: string; metadata: unknown }[]>>;
  /** Ids that were there before the work. */
  text: string;
}

type SchemaEntry = { type: string; name: string; sql: string };

const bindingsOf = (kind: string) => Object.entries(env).filter(([, binding]) => (binding as object | null)?.constructor?.name === kind);
// An RPC stub seems to have every method, so that only the class tells a binding.
const BUCKETS = bindingsOf('R2Bucket') as [string, R2Bucket][];
const NAMESPACES = bindingsOf('KvNamespace') as [string, KVNamespace][];
const OBJECTS = bindingsOf('DurableObjectNamespace') as unknown as [string, DurableObjectNamespace][];
/** Backups are encrypted with new keys each time. */
const SEALED = 'BACKUPS';
/** Rounds after which objects count as never done. */
const MAX_ROUNDS = 60;
/** An alarm that is due later belongs to a later time. */
const DUE_MS = 1000;

async function listObjects(bucket: R2Bucket): Promise<StoredObject[]> {
  const stored: StoredObject[] = [];
  for (let cursor: string | undefined; ; ) {
    const listed = await bucket.list({ include: ['customMetadata', 'httpMetadata'], ...(cursor === undefined ? {} : { cursor }) });
    for (const { key } of listed.objects) {
      const object = await bucket.get(key);
      if (object) stored.push({ key, bytes: await object.arrayBuffer(), ...pickMetadata(object) });
    }
    if (!listed.truncated) return stored;
    cursor = listed.cursor;
  }
}

const pickMetadata = ({ httpMetadata, customMetadata }: R2Object) => ({
  ...(httpMetadata ? { httpMetadata } : {}),
  ...(customMetadata ? { customMetadata } : {}),
});

async function listKeys(namespace: KVNamespace) {
  const { keys } = await namespace.list();
  return Promise.all(
    keys.map(async ({ name: key, metadata = null }) => ({ key, value: (await namespace.get(key)) ?? '', metadata: metadata as unknown })),
  );
}

/** Reads everything that is stored outside objects. */
export async function takeWorld(): Promise<World> {
  const { results } = await env.DB.prepare(
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY rowid",
  ).all<SchemaEntry>();
  const virtual = results.filter(({ sql }) => /^CREATE VIRTUAL/i.test(sql)).map(({ name }) => name);
  const own = results.filter(({ type, name }) => type !== 'table' || !virtual.some((table) => name.startsWith(`${table}_`)));
  const tables = own.filter(({ type, name }) => type === 'table' && !virtual.includes(name)).map(({ name }) => name);
  // The triggers of full-text tables fill them again; all others would have their effect a second time.
  const isFirst = ({ type, name, sql }: SchemaEntry) =>
    type === 'table' ||
    (type === 'trigger' && virtual.some((table) => new RegExp(`INSERT INTO "?${table}\\b`, 'i').test(sql)) && name !== '');
  const joined = (entries: readonly SchemaEntry[]) => entries.map(({ sql }) => sql).join(';\n');
  // Without generated columns.
  const infos = await env.DB.batch<{ name: string }>(tables.map((name) => env.DB.prepare(`PRAGMA table_info("${name}")`)));
  const columnsOf = (index: number) => (infos[index]?.results ?? []).map(({ name }) => `"${name}"`).join(', ');
  const contents = await env.DB.batch<Row>(tables.map((name, index) => env.DB.prepare(`SELECT ${columnsOf(index)} FROM "${name}"`)));
  const rows = tables.flatMap((table, index) => (contents[index]?.results ?? []).map((row) => ({ table, row })));
  const buckets = Object.fromEntries(await Promise.all(BUCKETS.map(async ([name, bucket]) => [name, await listObjects(bucket)])));
  const kv = Object.fromEntries(await Promise.all(NAMESPACES.map(async ([name, namespace]) => [name, await listKeys(namespace)])));
  const schema = { before: joined(own.filter(isFirst)), after: joined(own.filter((entry) => !isFirst(entry))) };
  return { tables, schema, rows, buckets, kv, text: JSON.stringify(rows) };
}

/** Empties the storage and stores a world again, with objects that never ran. */
export async function restoreWorld({ schema, rows, buckets, kv }: World): Promise<void> {
  await emptyStorage();
  const inserts = rows.map(({ table, row }) => {
    const columns = Object.keys(row);
    const text = `INSERT OR REPLACE INTO "${table}" (${columns.map((name) => `"${name}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    return env.DB.prepare(text).bind(...Object.values(row).map((value) => (Array.isArray(value) ? new Uint8Array(value) : value)));
  });
  await env.DB.batch([
    env.DB.prepare('PRAGMA defer_foreign_keys = on'),
    env.DB.prepare(schema.before),
    ...inserts,
    env.DB.prepare(schema.after),
  ]);
  for (const [name, bucket] of BUCKETS) {
    for (const { key, bytes, ...metadata } of buckets[name] ?? []) await bucket.put(key, bytes, metadata);
  }
  for (const [name, namespace] of NAMESPACES) {
    for (const { key, value, metadata } of kv[name] ?? []) await namespace.put(key, value, { metadata: metadata as object });
  }
}

/** Runs the alarms of all objects that are due, until none is left. */
export async function settleObjects(): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    let isDone = true;
    for (const [, objects] of OBJECTS) {
      for (const id of await listDurableObjectIds(objects)) {
        const stub = objects.get(id);
        const alarm = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm()).catch(() => null);
        if (alarm === null || alarm > Date.now() + DUE_MS) continue;
        isDone = false;
        await runDurableObjectAlarm(stub);
      }
    }
    if (isDone) return;
  }
  throw new Error('the alarms of objects have no end');
}

async function valuesOf(stub: DurableObjectStub): Promise<unknown> {
  return runInDurableObject(stub, async (_, { storage }) => {
    const values = Object.fromEntries(await storage.list());
    const tables = storage.sql
      .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'")
      .toArray()
      .map(({ name }) => String(name));
    return [values, Object.fromEntries(tables.map((name) => [name, storage.sql.exec(`SELECT * FROM "${name}"`).toArray()]))];
  });
}

/** Moments this close to now come from the real clock, which is half a year after the clock of the tests. */
const REAL_SECONDS = 60 * 86_400;

/** Ids and seeds that the work draws, moments of the real clock, and how long something took: different in each run. */
function normalize(text: string, world: World, columns: RegExp | null): string {
  const real = Math.floor(Date.now() / 1000);
  return text
    .replaceAll(/\b[0-9a-f]{64}\b/g, (hash) => (world.text.includes(hash) ? hash : '<hash>'))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => (world.text.includes(id) ? id : '<id>'))
    .replaceAll(/\brow:(\w+):[0-9A-F]{16}:/g, 'row:$1:<drawn>:')
    .replaceAll(/\b\d{10,13}(?:\.\d+)?\b/g, (digits) => {
      const seconds = Number(digits) > 1e12 ? Number(digits) / 1000 : Number(digits);
      return Math.abs(seconds - real) < REAL_SECONDS ? '0' : digits;
    })
    .replaceAll(/"([a-z_A-Z]*(?:duration|latency|tookMs|Ms|_ms))":[\d.]+/g, '"$1":0')
    .replaceAll(columns ?? /$^/g, '<varies>');
}

/**
 * Everything that is stored, as lines that two runs with the same effect share. `skipped`: tables that are not compared; `varies`:
 * texts that differ in each run.
 */
export async function stateOf(world: World, skipped: RegExp, varies: RegExp | null = null): Promise<string[]> {
  const lines: string[] = [];
  const add = (where: string, value: unknown) => lines.push(`${where} ${normalize(JSON.stringify(value) ?? '', world, varies)}`);
  const tables = world.tables.filter((name) => !skipped.test(name));
  const contents = await env.DB.batch<Row>(tables.map((name) => env.DB.prepare(`SELECT * FROM "${name}"`)));
  for (const [index, table] of tables.entries()) for (const row of contents[index]?.results ?? []) add(table, row);
  for (const [name, bucket] of BUCKETS) {
    const { objects } = await bucket.list({ include: ['customMetadata'] });
    for (const { key, etag, customMetadata } of objects) add(name, name === SEALED ? [key] : [key, etag, customMetadata]);
  }
  for (const [name, namespace] of NAMESPACES) {
    for (const { key, value } of await listKeys(namespace)) add(name, [key, value]);
  }
  for (const [name, objects] of OBJECTS) {
    if (skipped.test(name)) continue;
    for (const id of await listDurableObjectIds(objects)) {
      const values = await valuesOf(objects.get(id)).catch((error: unknown) => String(error));
      if (JSON.stringify(values) !== '[{},{}]') add(name, [id.toString(), values]);
    }
  }
  return lines.sort();
}

/** The lines that only one of two states has. */
export function differenceOf(expected: readonly string[], found: readonly string[]): string[] {
  const rest = [...found];
  const missing = expected.filter((line) => {
    const at = rest.indexOf(line);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [...missing.map((line) => `- ${line}`), ...rest.map((line) => `+ ${line}`)].map((line) => line.slice(0, 700));
}
