import { existsSync, renameSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { readAll } from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import type { TokenFormat } from '../../../src/platform/access/tokens/token-format.ts';
import { type ContentStore, contentKey, sha256Of } from '../../../src/platform/storage/content-store.ts';
import { tokenFormatIn } from '../config.ts';
import { listApplied, listMigrations } from '../migrations.ts';
import { ROOT } from '../paths.ts';

export interface LocalState {
  binding: D1Database;
  contents: Pick<ContentStore, 'put' | 'putStream'>;
  dispose(): Promise<void>;
}

/** Endpoint of a running `npm start` for access to its state. */
export interface ServedState {
  url: string;
  key: string;
}

/** Opens database and archive of a running `npm start`. A second runtime over the same files would block the server. */
export function openServedState(served: ServedState): LocalState {
  return { ...stateBehind(served), dispose: async () => {} };
}

/** Reads the server's variables of tokens. */
export async function readTokenFormat(served: ServedState): Promise<TokenFormat> {
  return tokenFormatIn((await askAt(served)('/token-vars', '')) as Record<string, string | undefined>);
}

/** Reports that the preparations are done, so waiting requests continue. */
export async function notePrepared(served: ServedState): Promise<void> {
  await askAt(served)('/prepared', '');
}

/** Database and bucket clients over a loader's endpoints. */
export function stateBehind(served: ServedState): Omit<LocalState, 'dispose'> {
  const ask = askAt(served);
  return { binding: databaseOver(ask), contents: contentsOver(ask) };
}

function askAt({ url, key }: ServedState): Ask {
  return async (path, body) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', body, headers: { 'X-Local-State-Key': key } });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
}

/** Whether the database has migrations that this checkout lacks. */
export async function isOfAnotherVersion(database: D1Database): Promise<boolean> {
  const known = listMigrations();
  return (await listApplied(database)).some((name) => !known.includes(name));
}

/** Moves incompatible state to another folder and prints its path. */
export function moveStateAside(state: string, problem = 'is from another version'): void {
  const target = relative(ROOT, moveAside(dirname(state)));
  console.log(`The local database ${problem}. It was moved to ${target}; starting with an empty one.`);
}

/** Renames a folder to an unused name. */
function moveAside(folder: string): string {
  const name = `${folder}.old-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
  for (let attempt = 1; ; attempt += 1) {
    const target = attempt === 1 ? name : `${name}-${attempt}`;
    if (existsSync(target)) continue;
    renameSync(folder, target);
    return target;
  }
}

type Ask = (path: string, body: string | Uint8Array<ArrayBuffer>) => Promise<unknown>;

/** A statement for the loader. */
interface LocalStatement {
  sql: string;
  params: readonly unknown[];
}

/** The subset of D1Database that the scripts use. */
function databaseOver(ask: Ask): D1Database {
  const run = async (statements: readonly LocalStatement[], shape: 'rows' | 'raw' = 'rows') =>
    (await ask('/statements', JSON.stringify({ shape, statements: statements.map(({ sql, params }) => ({ sql, params })) }))) as unknown[];
  const prepare = (sql: string, params: readonly unknown[] = []) => ({
    sql,
    params,
    bind: (...values: unknown[]) => prepare(sql, values),
    all: async () => (await run([{ sql, params }]))[0],
    run: async () => (await run([{ sql, params }]))[0],
    raw: () => run([{ sql, params }], 'raw'),
    first: async () => ((await run([{ sql, params }]))[0] as { results: unknown[] }).results[0] ?? null,
  });
  return { prepare, batch: (statements: LocalStatement[]) => run(statements) } as unknown as D1Database;
}

/** Content to store. */
interface PendingObject {
  key: string;
  sha256: string;
  bytes: Uint8Array<ArrayBuffer>;
  settle(created: Promise<boolean>): void;
}

/** Combines concurrent puts into one call. */
function contentsOver(ask: Ask): Pick<ContentStore, 'put' | 'putStream'> {
  let pending: PendingObject[] = [];

  function flush(): void {
    const objects = pending;
    pending = [];
    const created = ask('/objects', bodyOf(objects)) as Promise<boolean[]>;
    for (const [index, { settle }] of objects.entries()) settle(created.then((list) => list[index] === true));
  }

  function putObject(sha256: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    if (pending.length === 0) setImmediate(flush);
    return new Promise((resolve) => pending.push({ key: contentKey(sha256), sha256, bytes, settle: resolve }));
  }

  const put = async (bytes: Uint8Array<ArrayBuffer>) => {
    const sha256 = await sha256Of(bytes);
    return { sha256, created: await putObject(sha256, bytes) };
  };
  return {
    put,
    putStream: async ({ body }) => ({ created: (await put(await readAll(body as AsyncIterable<Uint8Array>))).created }),
  };
}

function bodyOf(objects: readonly PendingObject[]): Uint8Array<ArrayBuffer> {
  const header = Buffer.from(`${JSON.stringify(objects.map(({ key, sha256, bytes }) => ({ key, sha256, size: bytes.length })))}\n`);
  return Uint8Array.from(Buffer.concat([header, ...objects.map(({ bytes }) => bytes)]));
}
