import type { D1Database } from '@cloudflare/workers-types';
import { COLUMNS, withAddedFields } from '../unit/platform/stored-json.data.ts';
import type { MixedBundle } from './mixed-bundle.ts';

/** Buckets and namespaces whose values are read by their fields. Contents have the name of their hash, and backups are sealed. */
const BUCKETS = ['BOARDS', 'ARCHIVE', 'OUTBOX'];
const NAMESPACES = ['CACHE'];

/** Status by path. */
export type Statuses = ReadonlyMap<string, number>;

/** Reads every path of the document without parameters, as a superuser. */
export async function readAll({ url }: Pick<MixedBundle, 'url'>, session: string, token: string): Promise<Statuses> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, Record<string, unknown>> };
  const statuses = new Map<string, number>();
  for (const path of Object.keys(paths).filter((known) => paths[known]?.get && !known.includes('{'))) {
    // An event stream has no end.
    if (path.endsWith('/stream')) continue;
    const isPublic = path.startsWith('/v1/');
    const response = await fetch(url + path, { headers: { Authorization: `Bearer ${isPublic ? token : session}` }, redirect: 'manual' });
    await response.arrayBuffer();
    statuses.set(path, response.status);
  }
  return statuses;
}

/** Paths that fail although they did not before. */
export function newFailures(before: Statuses, after: Statuses): string[] {
  return [...after]
    .filter(([path, status]) => status >= 500 && (before.get(path) ?? 0) < 500)
    .map(([path, status]) => `${path}: ${status}`);
}

/** Replaces the values of a JSON column; returns a function that restores them. */
async function replaceColumn(database: D1Database, name: string, neighbourOf: (value: unknown) => unknown) {
  const [table, column] = name.split('.');
  const select = `SELECT DISTINCT "${column}" AS value FROM "${table}" WHERE "${column}" IS NOT NULL LIMIT 20`;
  const { results } = await database.prepare(select).all<{ value: string }>();
  const replaced = new Map(results.map(({ value }) => [value, JSON.stringify(neighbourOf(JSON.parse(value)))]));
  const update = database.prepare(`UPDATE "${table}" SET "${column}" = ?2 WHERE "${column}" = ?1`);
  for (const [value, next] of replaced) if (next !== value) await update.bind(value, next).run();
  return {
    values: results.length,
    async restore() {
      for (const [value, next] of replaced) if (next !== value) await update.bind(next, value).run();
    },
  };
}

/**
 * Replaces each stored JSON value by what a neighbour would have stored: a field more everywhere, or the form of an older version where the
 * table of stored JSON has one. Returns the number of values, and a function that restores them.
 */
export async function storeNeighbours(
  { database, mf }: Pick<MixedBundle, 'database' | 'mf'>,
  neighbour: 'newer' | 'older',
): Promise<{ values: number; restore(): Promise<void> }> {
  const restores: (() => Promise<void>)[] = [];
  let values = 0;
  for (const [name, { older }] of Object.entries(COLUMNS)) {
    if (neighbour === 'older' && !older) continue;
    const replaced = await replaceColumn(database, name, neighbour === 'newer' ? withAddedFields : () => older?.[0]);
    values += replaced.values;
    restores.push(replaced.restore);
  }
  if (neighbour === 'newer') {
    for (const name of BUCKETS) values += await addMetadata(await mf.getR2Bucket(name, 'serving'));
    for (const name of NAMESPACES) {
      const namespace = await mf.getKVNamespace(name, 'serving');
      for (const { name: key } of (await namespace.list()).keys) {
        const value = await namespace.get(key, 'text');
        if (value === null || !/^[[{]/.test(value)) continue;
        await namespace.put(key, JSON.stringify(withAddedFields(JSON.parse(value))));
        restores.push(() => namespace.put(key, value));
        values += 1;
      }
    }
  }
  return {
    values,
    async restore() {
      for (const restore of restores) await restore();
    },
  };
}

/** Adds a key to the metadata of every object that has some. It stays: every version ignores it. */
async function addMetadata(bucket: Awaited<ReturnType<MixedBundle['mf']['getR2Bucket']>>): Promise<number> {
  let values = 0;
  const { objects } = await bucket.list({ include: ['customMetadata', 'httpMetadata'] } as never);
  for (const { key, customMetadata, httpMetadata } of objects) {
    if (!customMetadata || Object.keys(customMetadata).length === 0) continue;
    const body = await (await bucket.get(key))?.arrayBuffer();
    if (!body) continue;
    await bucket.put(key, body, { httpMetadata: httpMetadata ?? {}, customMetadata: { ...customMetadata, added: '1' } });
    values += 1;
  }
  return values;
}
