import { expect } from 'vitest';
import type { SyncEngineDeps } from '../../../src/areas/updates/sync/engine/engine.ts';
import { type BuildParts, logicalFiles, makeBuild } from '../../support/archive/build.ts';
import { brokenPromises } from './invariants.ts';
import { everything, rows, snapshot, sync, textsOf, treeAt } from './world.ts';

export const FIRST: BuildParts = {
  versionTag: 'V-1',
  loose: { 'a.txt': 'A', 'b.txt': 'B', 'big.bin': 'large enough to be streamed' },
  packed: { p: [{ 'x/1': 'one', 'x/2': 'two' }, { 'y/3': 'three' }], 'p/q': [{ 4: 'four' }] },
};
export const SECOND: BuildParts = {
  versionTag: 'V-2',
  loose: { 'a.txt': 'A2', 'c.txt': 'C', 'big.bin': 'large enough to be streamed' },
  packed: { p: [{ 'x/1': 'one' }, { 'y/3': 'THREE', 'x/2': 'two', 'y/5': 'five' }], r: [{ 6: 'six' }] },
};
/** Small steps: many places to be interrupted at. */
export const LIMITS = {
  maxInMemoryBytes: 20,
  stepFiles: 2,
  stepDownloadBytes: 1,
  batchFiles: 1,
  looseFiles: 2,
  parallelDownloads: 1,
  parallelWrites: 1,
};

export class Killed extends Error {}

/** Kills the sync just before its `at`-th write, which is as good as just after the one before. */
function killer(at: number) {
  let writes = 0;
  const guarded =
    <Arguments extends unknown[], Result>(work: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      writes += 1;
      if (writes >= at) throw new Killed();
      return work(...args);
    };
  const wrap = (deps: SyncEngineDeps): SyncEngineDeps => ({
    ...deps,
    contents: { put: guarded(deps.contents.put), putStream: guarded(deps.contents.putStream) },
    store: {
      ...deps.store,
      quiet: guarded(deps.store.quiet),
      begin: guarded(deps.store.begin),
      take: guarded(deps.store.take),
      rollUp: guarded(deps.store.rollUp),
      complete: guarded(deps.store.complete),
    },
  });
  return { wrap, writes: () => writes };
}

export async function countWrites(parts: BuildParts): Promise<number> {
  const counter = killer(Number.POSITIVE_INFINITY);
  await sync(makeBuild(parts), { limits: LIMITS, wrap: counter.wrap });
  return counter.writes();
}

/** Runs until killed; whether it was. */
export async function syncKilled(parts: BuildParts, at: number): Promise<boolean> {
  try {
    await sync(makeBuild(parts), { limits: LIMITS, wrap: killer(at).wrap });
    return false;
  } catch (error) {
    if (error instanceof Killed) return true;
    throw error;
  }
}

/** Kills the taking in of a second build before every `stride`-th write, and compares what comes of the next run with an undisturbed one. */
export async function killEverywhere(stride: number): Promise<void> {
  await sync(makeBuild(FIRST), { limits: LIMITS });
  const restore = await snapshot();
  const writes = await countWrites(SECOND);
  const whole = await everything();
  expect(writes).toBeGreaterThan(15);
  for (let at = 1; at <= writes; at += stride) {
    await restore();
    expect(await syncKilled(SECOND, at)).toBe(true);
    expect(await treeAt(1)).toEqual(textsOf(logicalFiles(FIRST)));
    expect(await rows('SELECT current_ordinal, file_count FROM archive_branches')).toEqual([{ current_ordinal: 1, file_count: 7 }]);
    await sync(makeBuild(SECOND), { limits: LIMITS });
    expect(await everything(), `killed before write ${at}`).toEqual(whole);
  }
  expect(await brokenPromises()).toEqual([]);
}
