import { BRANCHES } from '../../src/game/branches.data.ts';
import { type Build, makeBuild } from '../../test/support/archive/build.ts';
import { CDN_PREFIX, startCdn } from '../../test/support/archive/cdn.ts';
import { type RunningBundle, startBundle } from '../lib/bundle.ts';
import { UserError } from '../lib/main.ts';
import { watchIsolate } from '../lib/measure/isolate-memory.ts';
import { memoryOf, runtimePids } from '../lib/measure/runtime-process.ts';

const MIB = 1024 * 1024;
export const BRANCH = 'live-us';
const SAMPLE_MS = 20;
const TIMEOUT_SECONDS = 600;
const FILES_PER_MIB = 20;

export interface ServiceSync {
  seconds: number;
  /** Peak of heap, buffers and WebAssembly memory of the service's isolate, in MiB. */
  peakIsolate: number;
  /** Peak growth of the runtime process in MiB, including the simulated bucket and database. */
  processGrowth: number;
  archiveBytes: number;
  files: number;
}

/** Imports one large archive with the service's own driver, on the deployable bundle, and measures the runtime's memory. */
export async function measureServiceSync(archiveMib: number): Promise<ServiceSync> {
  const cdn = await startCdn();
  const vars = { ENVIRONMENT: 'development', LOG_SAMPLE: '0', UPDATES_SOURCE_BASE: cdn.origin, UPDATES_SOURCE_PREFIX: CDN_PREFIX };
  const bundle = await startBundle({ vars, inspectorPort: 0 });
  try {
    await enableArchiver(bundle);
    // A small build first, to exclude one-time allocations of the runtime.
    cdn.publish(BRANCHES[BRANCH].pointerFile, oneArchive('WARM', 4 * MIB, 100));
    await syncOnce(bundle, 1);
    const build = oneArchive('LARGE', archiveMib * MIB, archiveMib * FILES_PER_MIB);
    cdn.publish(BRANCHES[BRANCH].pointerFile, build);
    const [pid] = runtimePids();
    if (pid === undefined) throw new UserError('The runtime process was not found; its memory cannot be measured.');
    const before = memoryOf(pid).now;
    const watch = watchMemory(pid);
    const isolate = await watchIsolate(bundle.mf);
    const startedAt = performance.now();
    await syncOnce(bundle, 2);
    const seconds = (performance.now() - startedAt) / 1000;
    const peak = await isolate.resetPeaks();
    await isolate.stop();
    const archiveBytes = build.files.get('large/archive0.tfa')?.length ?? 0;
    const growth = (watch.stop() - before) / MIB;
    return { seconds, peakIsolate: (peak.heap + peak.wasm) / MIB, processGrowth: growth, archiveBytes, files: archiveMib * FILES_PER_MIB };
  } finally {
    await bundle.dispose();
    await cdn.stop();
  }
}

/** Enables the service's archiver, which is off by default. */
export async function enableArchiver({ database }: RunningBundle): Promise<void> {
  await database.prepare("INSERT INTO setting_overrides (key, value, updated_at) VALUES ('updates_archiver_enabled', 'true', 0)").run();
}

/** One archive of `files` files of equal size with nearly incompressible content. */
export function oneArchive(versionTag: string, bytes: number, files: number): Build {
  const content: Record<string, Uint8Array<ArrayBuffer>> = {};
  let state = files;
  for (let number = 0; number < files; number += 1) {
    const words = new Uint32Array(Math.floor(bytes / files / 4));
    for (let index = 0; index < words.length; index += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      words[index] = state ^ (state >>> 15);
    }
    content[`file_${number}.bin`] = new Uint8Array(words.buffer);
  }
  return makeBuild({ versionTag, contentPath: `bench/${versionTag}`, packed: { large: [content] }, options: { level: 1 } });
}

/** Lets the service import the published build and waits until `ordinal` is its current version. */
export async function syncOnce({ mf, database }: RunningBundle, ordinal: number): Promise<void> {
  const objects = await mf.getDurableObjectNamespace('ARCHIVE_SYNC');
  const stub = objects.getByName(BRANCH) as unknown as { start(branch: string, now: number): Promise<string> };
  await stub.start(BRANCH, Math.floor(Date.now() / 1000));
  const until = performance.now() + TIMEOUT_SECONDS * 1000;
  while (performance.now() < until) {
    const row = await database
      .prepare('SELECT current_ordinal, status, error FROM archive_branches WHERE branch = ?')
      .bind(BRANCH)
      .first<{ current_ordinal: number; status: string; error: string | null }>();
    if (row?.current_ordinal === ordinal) return;
    if (row?.status === 'error') throw new UserError(`The sync failed: ${row.error}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new UserError('The sync did not finish.');
}

function watchMemory(pid: number) {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid).now);
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}
