import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIngestLog } from '../../src/areas/ingest/ingest.store.ts';
import { createIngestWork } from '../../src/areas/leaderboards/index.ts';
import { createSettingRegistry } from '../../src/platform/settings/setting-values.ts';
import { platformSettings, type SettingDeclarations } from '../../src/platform/settings/settings.data.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { areaDeclarations } from '../lib/area-declarations.ts';
import { startBundle } from '../lib/bundle.ts';
import { createDumpWorld } from '../lib/dumps/board-dumps.ts';
import { runMain } from '../lib/main.ts';
import { watchIsolate } from '../lib/measure/isolate-memory.ts';
import { median, quantile } from '../lib/measure/quantiles.ts';
import { runtimeMemory, runtimeProcessorSeconds } from '../lib/measure/runtime-process.ts';
import { inRoot } from '../lib/paths.ts';
import { type BoardsTarget, boardsTarget } from './boards-load.ts';
import { createReport } from './report.ts';

const LIFTED = { LOG_SAMPLE: '0', ENVIRONMENT: 'development', RATE_LIMIT_MULTIPLIER: '1000000' };
const SOCKET = { host: '127.0.0.1', port: 18_803 };
const HOUR = 3600;
const MIB = 1024 * 1024;
const DAY = 86_400;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const READS = Number(process.env.BENCH_READS ?? 200);
const HISTORY_HOURS = Number(process.env.BENCH_HISTORY_HOURS ?? 720);
/** 600,000 rows on 165 boards, ten of them with 20,000. */
const FULL = { seed: 1, boards: 165, entries: 2581, large: { boards: 10, entries: 20_000 }, players: 90_000 };
const SMALL = { seed: 2, boards: 12, entries: 150, players: 200 };

const printMeasured = createReport(58, 14);
const report = (name: string, measured: string, target?: { text: string; isMet: boolean }) =>
  printMeasured(name, measured, target?.text, target?.isMet);

const atMost = (value: number, limit: number, unit: string) => ({ text: `at most ${limit} ${unit}`, isMet: value <= limit });

/** CPU seconds of the runtime for some work. */
async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = runtimeProcessorSeconds();
  await work();
  return runtimeProcessorSeconds() - before;
}

/** Wall and CPU seconds of an unoptimized Python script that parses the dump. */
function pythonTimes(dump: string): { wall: number; processor: number } {
  const folder = mkdtempSync(join(tmpdir(), 'boards-bench-'));
  try {
    const file = join(folder, 'dump.cfg');
    writeFileSync(file, dump);
    const runs = Array.from({ length: ROUNDS }, () =>
      execFileSync('python3', [inRoot('scripts', 'bench', 'boards-parse.py'), file], { encoding: 'utf8' })
        .split(' ')
        .map(Number),
    );
    return { wall: median(runs.map(([wall = 0]) => wall)), processor: median(runs.map(([, processor = 0]) => processor)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Measures time and memory of the insert of a full dump, and the stored objects. */
async function measureInsert(target: BoardsTarget, dump: string, newest: number): Promise<void> {
  const rounds: Record<'accepted' | 'visible' | 'acceptedCpu' | 'visibleCpu', number>[] = [];
  const memoryBefore = runtimeMemory()?.now ?? 0;
  for (let round = ROUNDS; round > 0; round -= 1) {
    const anchor = newest - (round - 1) * DAY;
    const started = performance.now();
    let accepted = 0;
    const acceptedCpu = await processorTimeOf(async () => {
      accepted = await target.insert(`${dump}# ${round}\n`, anchor);
    });
    const rest = await processorTimeOf(() => target.untilVisible(anchor));
    const visible = (performance.now() - started) / 1000;
    rounds.push({ accepted, visible, acceptedCpu, visibleCpu: acceptedCpu + rest });
    await target.untilIdle();
  }
  const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]));
  const processMemory = ((runtimeMemory()?.peak ?? 0) - memoryBefore) / MIB;
  const peak = await insertMemory(target, dump, newest - ROUNDS * DAY);
  const python = pythonTimes(dump);
  report('insert: 202 after', `${of('accepted').toFixed(0)} ms`, atMost(of('accepted'), 1000, 'ms'));
  report('  CPU time until the response', `${of('acceptedCpu').toFixed(2)} s`);
  report('insert: visible after', `${of('visible').toFixed(2)} s`, atMost(of('visible'), 15, 's'));
  report('  CPU time until visible, storage included', `${of('visibleCpu').toFixed(2)} s`);
  report('  the same dump parsed by a Python script', `${python.wall.toFixed(2)} s`);
  report('  CPU time of the Python script', `${python.processor.toFixed(2)} s`);
  report('  visible / Python, wall time', `${(of('visible') / python.wall).toFixed(1)} x`);
  report('  visible / Python, CPU time', `${(of('visibleCpu') / python.processor).toFixed(1)} x`);
  report('  peak memory of the isolate', `${peak.toFixed(0)} MiB`, atMost(peak, 100, 'MiB'));
  report('  peak memory of the runtime process, storage and garbage included', `+ ${processMemory.toFixed(0)} MiB`);
  await reportStorage(target, newest);
}

/** Measures peak memory in a separate insert, because the measurement slows the insert down. */
async function insertMemory(target: BoardsTarget, dump: string, anchor: number): Promise<number> {
  const isolate = await watchIsolate(target.bundle.mf, { collects: true });
  await target.insert(`${dump}# memory\n`, anchor);
  await target.untilIdle();
  const { heap, wasm } = await isolate.resetPeaks();
  await isolate.stop();
  return (heap + wasm) / MIB;
}

async function reportStorage({ bundle }: BoardsTarget, anchor: number): Promise<void> {
  const bucket = await bundle.mf.getR2Bucket('BOARDS');
  let puts = 0;
  let bytes = 0;
  for (const prefix of [`boards/${anchor}/`, `players/${anchor}/`]) {
    const { objects } = await bucket.list({ prefix });
    puts += objects.length;
    bytes += objects.reduce((sum, { size }) => sum + size, 0);
  }
  const raw = (await bucket.list({ prefix: 'raw/' })).objects.at(-1)?.size ?? 0;
  report('  objects written (and the raw dump)', `${puts} + 1`);
  report('  bytes written (and of the raw dump)', `${(bytes / 1e6).toFixed(1)} + ${(raw / 1e6).toFixed(1)} MB`);
}

/** Counts the D1 statements of an insert. The count depends on the number of boards, not of rows. */
async function countStatements({ bundle }: BoardsTarget, anchor: number): Promise<void> {
  let statements = 0;
  const binding = new Proxy(bundle.database, {
    get(database, name) {
      // Without sessions all statements use this binding and are counted.
      if (name === 'withSession') return undefined;
      if (name === 'prepare') statements += 1;
      const value: unknown = Reflect.get(database, name);
      return typeof value === 'function' ? value.bind(database) : value;
    },
  });
  const bucket = (await bundle.mf.getR2Bucket('BOARDS')) as unknown as R2Bucket;
  const db = createDatabase(binding as unknown as D1Database);
  const { defaults } = createSettingRegistry([platformSettings, ...(await areaDeclarations<SettingDeclarations>('settings'))]);
  const settings = { current: () => defaults, invalidate: () => {} };
  const work = createIngestWork({
    ...{ db, bucket, settings, log: createIngestLog(db), clock: () => anchor },
    ...{ listeners: [], onRemoved: async () => {}, consumers: { activity: NO_CONSUMER, 'class-activity': NO_CONSUMER } },
  });
  const dump = createDumpWorld({ ...FULL, entries: 5, large: { boards: 0, entries: 0 } }).dump(anchor);
  const rawKey = `raw/bench-${anchor}`;
  const gzip = await new Response(new Response(dump).body?.pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
  await bucket.put(rawKey, gzip);
  const task = { id: 'bench', anchor, rawKey, digest: 'bench', bytes: dump.length, isBackfill: false, receivedAt: anchor };
  await work.ingest({ ...task, userId: null, tokenId: null });
  report('  D1 statements', String(statements), atMost(statements, 50, ''));
}

async function measureReads(name: string, target: BoardsTarget, paths: readonly string[]): Promise<void> {
  const times: number[] = [];
  for (let read = 0; read < READS; read += 1) times.push((await target.read(paths[read % paths.length] ?? '')).milliseconds);
  report(name, `${quantile(times, 0.95).toFixed(1)} ms p95`);
}

async function measureEntries(target: BoardsTarget, newest: number): Promise<void> {
  const page = (offset: number) => `/1/entries?created_at=${newest}&limit=100&offset=${offset}`;
  const { body } = await target.read(page(0));
  if (body.total !== 20_000) throw new Error(`the board has ${body.total} rows`);
  await measureReads('entries: first page of 20,000, with comparison', target, [page(0)]);
  await measureReads('entries: last page of 20,000, with comparison', target, [page(19_900)]);
  const boards = Array.from({ length: 6 }, (_, board) => `/${[1, 20, 100, 999, 3, 4][board]}/entries?created_at=${newest}&offset=10000`);
  await measureReads('entries: six boards of 20,000 in turn', target, boards);
}

async function measureHistory(target: BoardsTarget, newest: number): Promise<void> {
  const world = createDumpWorld(SMALL);
  for (let hour = HISTORY_HOURS; hour > 0; hour -= 1)
    await target.insert(world.dump(newest - hour * HOUR), newest - hour * HOUR, '&sync=true');
  await target.untilIdle();
  const names = world.names.slice(0, 20);
  const cases = async (state: string) => {
    await measureReads(
      `player history: 50 rows, ${state}`,
      target,
      names.map((name) => `/players/${name}/history`),
    );
    await measureReads(
      `player history: 500 rows of one board, ${state}`,
      target,
      names.map((name) => `/players/${name}/history?uuid=1&limit=500`),
    );
    await measureReads(`player history: unknown name, ${state}`, target, ['/players/nobody/history']);
    await measureReads(
      `player series: 30 days, ${state}`,
      target,
      names.map((name) => `/players/${name}/series?days=30`),
    );
  };
  await cases('one object per capture');
  // A run of the job plans part of a long backlog, so two runs are needed.
  for (let run = 0; run < 2; run += 1) await target.repack();
  await cases('packed by game day');
}

/** `npm run bench -- boards`: measures leaderboards at the size of the game's dumps. */
const NO_CONSUMER = { onCapture: async () => {}, has: async () => true };
await runMain(async () => {
  // Create the dump before the runtime starts: this blocks the process, and the runtime disconnects idle inspector clients.
  const newest = Math.floor((Date.now() / 1000 - 11 * HOUR) / DAY) * DAY + 11 * HOUR;
  const dump = createDumpWorld(FULL).dump(newest);
  console.log(`dump: ${(Buffer.byteLength(dump) / 1e6).toFixed(1)} MB`);
  const bundle = await startBundle({
    reuseBuild: process.env.BENCH_REUSE === '1',
    withoutAssets: true,
    directSocket: SOCKET,
    inspectorPort: 0,
    vars: LIFTED,
  });
  try {
    const target = await boardsTarget(bundle);
    await measureInsert(target, dump, newest);
    await countStatements(target, newest - 100 * DAY);
    await measureEntries(target, newest);
    await measureHistory(target, newest - 200 * DAY);
  } finally {
    await bundle.dispose();
  }
});
