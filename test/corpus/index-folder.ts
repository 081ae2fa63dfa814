import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { D1Database } from '@cloudflare/workers-types';
import { type FolderScan, scanFolder } from '../../scripts/lib/archive/folder-scan.ts';
import { openMigratedState } from '../../scripts/lib/dev/local-state.ts';
import { createDumpWrites } from '../../src/areas/codexes/changes/dumps.store.ts';
import type { SourceFile } from '../../src/areas/codexes/indexer/codex-source.domain.ts';
import { createCodexWrites } from '../../src/areas/codexes/indexer/codex-writes.store.ts';
import { createIndexSteps, createRun, type IndexRun } from '../../src/areas/codexes/indexer/index-run.service.ts';
import { IndexStorage } from '../../src/areas/codexes/indexer/index-storage.store.ts';
import { createTranslationWrites } from '../../src/areas/codexes/languages/translations.store.ts';
import { compareBytes, splitPath } from '../../src/areas/updates/paths.domain.ts';
import { readAll } from '../../src/areas/updates/sync/engine/build-files.domain.ts';
import type { ByteRange, ContentStore } from '../../src/platform/storage/content-store.ts';
import { createDatabase, type Database } from '../../src/platform/storage/database.ts';

const BRANCH = 'live-us';
const NOW = 1_780_930_000;
/** Every nth file of a sample is kept; shared tables and languages always are. */
const IS_SAMPLED = /^(?:blueprints|prefabs\/(?!meta\/|collections\/[^/]*$))/;

/** Cost of one kind of step of a build. */
export interface StepCost {
  steps: number;
  /** Processor seconds of this process: all steps, and the largest one. Includes its SQLite, not the database. */
  cpu: number;
  maxCpu: number;
  /** Seconds inside D1, which wait for other processes of the machine. */
  database: number;
  /** Processor seconds of D1: all steps, and the largest one; 0 where the system does not tell. */
  databaseCpu: number;
  maxDatabaseCpu: number;
  statements: number;
  /** The most statements of a step. */
  maxStatements: number;
  rowsRead: number;
  rowsWritten: number;
  /** The most rows that a single transaction wrote, and its seconds in D1. */
  maxRowsWritten: number;
  maxDatabase: number;
  /** The longest parameter, in bytes. */
  maxParameter: number;
  /** Largest heap and buffers at the end of a step beyond those before the build, in bytes: with garbage, and without it. */
  maxMemory: number;
  maxLive: number;
}

export interface IndexedFolder {
  costs: ReadonlyMap<string, StepCost>;
  dump: Uint8Array;
  /** JSON lines of the changes; null for the first version. */
  changes: Uint8Array | null;
}

/** An index of folders in a database of its own: the steps of the index object, with the object's storage in this process. */
export interface FolderIndex {
  /** `share`: 1 for all files, else every (1 / share)th prefab and model. */
  index(dir: string, share?: number): Promise<IndexedFolder>;
  /** The database, counted by `measure`, and the dumps. */
  db: Database;
  contents: Pick<ContentStore, 'open'>;
  /** What the database does for a piece of work. */
  measure(work: () => Promise<unknown>): Promise<Pick<StepCost, 'statements' | 'rowsRead' | 'rowsWritten'>>;
  binding: D1Database;
  dispose(): Promise<void>;
}

export async function createFolderIndex(state: string): Promise<FolderIndex> {
  const { binding, dispose } = await openMigratedState(state);
  const meter = { cost: emptyCost() };
  const db = createDatabase(metered(binding, meter) as unknown as Parameters<typeof createDatabase>[0]);
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const contents = {
    has: async (sha256: string) => objects.has(sha256),
    open: async (sha256: string, range?: ByteRange) => {
      const bytes = objects.get(sha256);
      return toStream(range ? bytes?.subarray(range.offset, range.offset + range.length) : bytes);
    },
    async putStream({ sha256, body }: { sha256: string; body: ReadableStream<Uint8Array> }) {
      objects.set(sha256, await readAll(body as unknown as AsyncIterable<Uint8Array>));
      return { created: true };
    },
    async delete(hashes: readonly string[]) {
      for (const hash of hashes) objects.delete(hash);
    },
  };
  const storage = new IndexStorage({ sql: sqlStorage() } as unknown as DurableObjectStorage);
  let ordinal = 0;
  return {
    binding,
    dispose,
    db,
    contents,
    async measure(work) {
      meter.cost = emptyCost();
      await work();
      return meter.cost;
    },
    async index(dir, share = 1) {
      ordinal += 1;
      const scan = await scanFolder(dir, { roots: null, onProgress: () => {} });
      const { files, readContent } = filesOf(scan, share);
      const costs = new Map<string, StepCost>();
      globalThis.gc?.();
      const base = memoryNow();
      const steps = createIndexSteps({
        storage,
        source: {
          currentOrdinal: async () => ordinal,
          listFiles: async (_branch, _ordinal, after, limit) => pageOf(files, after, limit),
          readContent,
          openContent: async (sha256) => toStream(await readContent(sha256)),
        },
        writes: createCodexWrites(db),
        translations: createTranslationWrites(db),
        dumps: createDumpWrites(db, contents),
        contents,
        classFigures: { put: async () => {}, get: async () => null },
        baseUrl: '',
        planNextBuild: async () => null,
      });
      for (let run: IndexRun | null = createRun(BRANCH, ordinal, NOW); run; ) {
        const { step } = run;
        globalThis.gc?.();
        meter.cost = emptyCost();
        const before = process.cpuUsage();
        const databaseBefore = childCpu();
        const next: { note: IndexRun } | null = (await steps[step](run)) as { note: IndexRun } | null;
        const { user, system } = process.cpuUsage(before);
        const maxMemory = memoryNow() - base;
        globalThis.gc?.();
        const cost = { ...meter.cost, steps: 1, cpu: (user + system) / 1e6, databaseCpu: childCpu() - databaseBefore };
        add(costs, step, { ...cost, maxMemory, maxLive: memoryNow() - base });
        run = next?.note ?? null;
      }
      const [row] = (await binding.prepare('SELECT sha256, changes_sha256 FROM codex_dumps WHERE ordinal = ?').bind(ordinal).all()).results;
      const dump = objects.get(String(row?.sha256)) ?? new Uint8Array();
      return { costs, dump, changes: row?.changes_sha256 == null ? null : (objects.get(String(row.changes_sha256)) ?? null) };
    },
  };
}

/** Processor seconds of the child processes, which run the database; 0 without `/proc`. */
function childCpu(): number {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
    // Fields 14 and 15 after the name in brackets: user and system time in hundredths of a second.
    const times = children.map((child) =>
      readFileSync(`/proc/${child}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
        .slice(11, 13),
    );
    return times.flat().reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return 0;
  }
}

function memoryNow(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function filesOf({ folder, entries }: FolderScan, share: number) {
  const step = Math.round(1 / share);
  const files: SourceFile[] = [...entries.values()]
    .map(({ path, sha1, size }) => ({ path, sha256: sha1, size }))
    .sort((one, other) => compareByDirectory(one.path, other.path))
    .filter(({ path }, index) => index % step === 0 || !IS_SAMPLED.test(path));
  const paths = new Map(files.map(({ path, sha256 }) => [sha256, path]));
  const readContent = async (sha256: string) => Uint8Array.from(await readFile(join(folder, paths.get(sha256) ?? '')));
  return { files, readContent };
}

function compareByDirectory(one: string, other: string): number {
  const [a, b] = [splitPath(one), splitPath(other)];
  return compareBytes(a.dir, b.dir) || compareBytes(a.name, b.name);
}

function pageOf(files: readonly SourceFile[], after: string | null, limit: number): SourceFile[] {
  const first = after === null ? 0 : files.findIndex(({ path }) => compareByDirectory(path, after) > 0);
  return first < 0 ? [] : files.slice(first, first + limit);
}

function toStream(bytes: Uint8Array | undefined): ReadableStream<Uint8Array> | null {
  return bytes === undefined ? null : (new Blob([Uint8Array.from(bytes)]).stream() as ReadableStream<Uint8Array>);
}

/** The SQL of an object's storage over a database in memory. */
function sqlStorage() {
  const database = new DatabaseSync(':memory:');
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  return {
    exec(sql: string, ...values: SQLInputValue[]) {
      const statement = prepared.get(sql) ?? database.prepare(sql);
      prepared.set(sql, statement);
      const isRead = /^\s*SELECT/i.test(sql);
      if (!isRead) statement.run(...values);
      return {
        toArray: () => (isRead ? statement.all(...values) : []),
        // A copy of the statement, because its rows are read while others run.
        [Symbol.iterator]: () => (isRead ? database.prepare(sql).iterate(...values) : [].values()),
      };
    },
  };
}

const emptyCost = (): StepCost => ({
  ...{ steps: 0, cpu: 0, maxCpu: 0, database: 0, statements: 0, maxStatements: 0, rowsRead: 0, rowsWritten: 0 },
  ...{ databaseCpu: 0, maxDatabaseCpu: 0, maxRowsWritten: 0, maxDatabase: 0, maxParameter: 0, maxMemory: 0, maxLive: 0 },
});

function add(costs: Map<string, StepCost>, step: string, cost: StepCost): void {
  const sum = costs.get(step) ?? emptyCost();
  costs.set(step, {
    steps: sum.steps + 1,
    cpu: sum.cpu + cost.cpu,
    maxCpu: Math.max(sum.maxCpu, cost.cpu),
    database: sum.database + cost.database,
    databaseCpu: sum.databaseCpu + cost.databaseCpu,
    maxDatabaseCpu: Math.max(sum.maxDatabaseCpu, cost.databaseCpu),
    statements: sum.statements + cost.statements,
    maxStatements: Math.max(sum.maxStatements, cost.statements),
    rowsRead: sum.rowsRead + cost.rowsRead,
    rowsWritten: sum.rowsWritten + cost.rowsWritten,
    maxRowsWritten: Math.max(sum.maxRowsWritten, cost.maxRowsWritten),
    maxDatabase: Math.max(sum.maxDatabase, cost.maxDatabase),
    maxParameter: Math.max(sum.maxParameter, cost.maxParameter),
    maxMemory: Math.max(sum.maxMemory, cost.maxMemory),
    maxLive: Math.max(sum.maxLive, cost.maxLive),
  });
}

interface Result {
  meta: { rows_read: number; rows_written: number; duration: number };
}

/** Counts the statements of a D1 binding and what their results say. */
function metered(binding: D1Database, meter: { cost: StepCost }): D1Database {
  const count = (results: readonly Result[]) => {
    const { cost } = meter;
    const written = results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
    const seconds = results.reduce((sum, { meta }) => sum + meta.duration, 0) / 1000;
    cost.statements += results.length;
    cost.rowsRead += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
    cost.rowsWritten += written;
    cost.database += seconds;
    cost.maxRowsWritten = Math.max(cost.maxRowsWritten, written);
    cost.maxDatabase = Math.max(cost.maxDatabase, seconds);
  };
  const prepare = (sql: string, values: readonly unknown[] = []): unknown => {
    const statement = binding.prepare(sql).bind(...values);
    const counted = async (result: Promise<unknown>) => {
      const value = await result;
      count([value as Result]);
      return value;
    };
    return {
      ...statement,
      bind(...bound: unknown[]) {
        const longest = Math.max(0, ...bound.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
        meter.cost.maxParameter = Math.max(meter.cost.maxParameter, longest);
        return prepare(sql, bound);
      },
      all: () => counted(statement.all()),
      run: () => counted(statement.run()),
      // Without metadata: run for the rows of the query builder.
      raw: () => statement.raw(),
    };
  };
  return {
    prepare,
    async batch(statements: Parameters<D1Database['batch']>[0]) {
      const results = await binding.batch(statements);
      count(results as unknown as Result[]);
      return results;
    },
  } as unknown as D1Database;
}
