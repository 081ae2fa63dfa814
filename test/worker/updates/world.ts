import { env } from 'cloudflare:workers';
import { createSyncEngine, type ProbeOutcome, type SyncEngineDeps } from '../../../src/areas/updates/sync/engine/engine.service.ts';
import { SERVICE_LIMITS, type SyncLimits } from '../../../src/areas/updates/sync/engine/limits.data.ts';
import { type CompletedVersion, createD1SyncStore, type SyncStore } from '../../../src/areas/updates/sync/engine/sync.store.ts';
import { contentKey, createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import type { Build } from '../../support/archive/build.ts';
import { memorySource } from '../../support/archive/memory-source.ts';
import { snapshotTables } from '../../support/table-snapshot.ts';

export const NOW = 1_780_930_000;
/** Expiry of leases in tests: never reached. */
const FAR = 4_000_000_000;

export const db = createDatabase(env.DB);
export const contents = createContentStore(env.ARCHIVE);

const TABLES = ['branches', 'versions', 'files', 'dirs', 'changes', 'blobs', 'manifest', 'work'].map((name) => `archive_${name}`);

export async function emptyArchive(): Promise<void> {
  await env.DB.batch(TABLES.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  const { objects } = await env.ARCHIVE.list();
  if (objects.length > 0) await env.ARCHIVE.delete(objects.map(({ key }) => key));
}

export interface SyncOptions {
  branch?: string;
  limits?: Partial<SyncLimits>;
  now?: number;
  /** Maximum number of steps: simulates a crash between steps. */
  steps?: number;
  holder?: string;
  /** Wraps the dependencies of the engine, to inject faults. */
  wrap?(deps: SyncEngineDeps): SyncEngineDeps;
}

export interface SyncRun {
  probe: ProbeOutcome;
  version: CompletedVersion | null;
  /** Files of the build that were downloaded, in order. */
  opened: string[];
  steps: number;
}

export async function storeOf(branch = 'live-us', holder = 'test'): Promise<SyncStore> {
  const store = createD1SyncStore({ db, branch, holder });
  if (!(await store.acquireLease(0, FAR))) throw new Error(`${branch} is held`);
  return store;
}

/** Syncs a build with the real engine and real stores until it is complete. */
export async function sync(build: Build | null, options: SyncOptions = {}): Promise<SyncRun> {
  const { branch, limits = {}, now = NOW, holder, steps: maxSteps = Number.POSITIVE_INFINITY, wrap = (deps) => deps } = options;
  const source = memorySource(() => build);
  const store = await storeOf(branch, holder);
  const engine = createSyncEngine(wrap({ source, store, contents, limits: { ...SERVICE_LIMITS, ...limits } }));
  const probe = await engine.probe(now);
  let steps = 0;
  let version: CompletedVersion | null = null;
  while (steps < maxSteps) {
    const outcome = await engine.step(now);
    if (outcome.kind === 'idle') break;
    steps += 1;
    if (outcome.kind === 'completed') version = outcome.version;
  }
  return { probe, version, opened: source.opened, steps };
}

export async function rows<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...values)
    .all<Row>();
  return results;
}

/** Content of every path of a version. */
export async function treeAt(ordinal: number, branch = 'live-us'): Promise<Map<string, string>> {
  const found = await rows<{ path: string; sha: string }>(
    `SELECT dir || name AS path, content_sha256 AS sha FROM archive_files
     WHERE branch = ? AND from_ordinal <= ? AND to_ordinal > ? ORDER BY path`,
    branch,
    ordinal,
    ordinal,
  );
  const stored = new Map((await env.ARCHIVE.list()).objects.map((object) => [object.key, object]));
  const tree = new Map<string, string>();
  for (const { path, sha } of found) {
    // A list has at most 1000 objects.
    const object = stored.get(contentKey(sha)) ?? (await env.ARCHIVE.head(contentKey(sha)));
    tree.set(path, object ? await textOf(object) : 'MISSING');
  }
  return tree;
}

/** Texts of objects by key and ETag, which is the MD5 of the contents. */
const knownTexts = new Map<string, string>();

/** The text of a listed object. An object is read once, and again if its contents change. */
async function textOf({ key, etag }: R2Object): Promise<string> {
  const version = `${key} ${etag}`;
  const text = knownTexts.get(version) ?? (await (await env.ARCHIVE.get(key))?.text()) ?? 'MISSING';
  knownTexts.set(version, text);
  return text;
}

export function textsOf(files: ReadonlyMap<string, Uint8Array>): Map<string, string> {
  const texts = [...files].map(([path, bytes]): [string, string] => [path, new TextDecoder().decode(bytes)]);
  return new Map(texts.sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function changesOf(ordinal: number, branch = 'live-us'): Promise<{ type: string; path: string; size: number }[]> {
  return rows('SELECT type, path, size FROM archive_changes WHERE branch = ? AND ordinal = ? ORDER BY type, path', branch, ordinal);
}

/** Changes of a version as `type path`. */
export async function changeLines(ordinal: number, branch = 'live-us'): Promise<string[]> {
  return (await changesOf(ordinal, branch)).map(({ type, path }) => `${type} ${path}`);
}

/** All rows of the archive except the lease. */
export async function everything(): Promise<Record<string, unknown[]>> {
  const found = await env.DB.batch<Record<string, unknown>>(TABLES.map((table) => env.DB.prepare(`SELECT * FROM ${table}`)));
  const lines = found.map(({ results }) =>
    results.map((row) => JSON.stringify({ ...row, lease_holder: undefined, lease_until: undefined })).sort(),
  );
  return Object.fromEntries(TABLES.map((table, index) => [table, lines[index] ?? []]));
}

/** Saves all rows; returns a function that restores them. Contents in the bucket are not restored. */
export const snapshot = () => snapshotTables(TABLES);
