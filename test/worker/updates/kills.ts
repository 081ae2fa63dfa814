import { expect } from 'vitest';
import type { SyncEngineDeps } from '../../../src/areas/updates/sync/engine/engine.service.ts';
import { type BuildParts, logicalFiles, makeBuild } from '../../support/archive/build.ts';
import { findViolations } from './invariants.ts';
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
/** Small steps: many writes at which a sync can be interrupted. */
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

/** Kills the sync before write number `at`, which is equivalent to a kill after the previous write. */
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
      recordUnchanged: guarded(deps.store.recordUnchanged),
      beginVersion: guarded(deps.store.beginVersion),
      storeResult: guarded(deps.store.storeResult),
      rollUpDirectories: guarded(deps.store.rollUpDirectories),
      completeVersion: guarded(deps.store.completeVersion),
    },
  });
  return { wrap, writes: () => writes };
}

export async function countWrites(parts: BuildParts): Promise<number> {
  const counter = killer(Number.POSITIVE_INFINITY);
  await sync(makeBuild(parts), { limits: LIMITS, wrap: counter.wrap });
  return counter.writes();
}

/** Runs a sync until write number `at`; returns whether it was killed. */
export async function syncKilled(parts: BuildParts, at: number): Promise<boolean> {
  try {
    await sync(makeBuild(parts), { limits: LIMITS, wrap: killer(at).wrap });
    return false;
  } catch (error) {
    if (error instanceof Killed) return true;
    throw error;
  }
}

/** Files that change places: between two packed directories, and between a loose file and a packed one. */
export const MOVED: BuildParts = {
  versionTag: 'V-2',
  loose: { 'b.txt': 'B', 'big.bin': 'large enough to be streamed', 'p/x/2': 'two' },
  packed: { '': [{ 'a.txt': 'A' }], p: [{ 'x/1': 'one', 'q/4': 'four' }, { 'y/3': 'three' }] },
};

/**
 * Kills the sync of a second build before every `stride`-th write, publishes the first build again under a new tag, then the second
 * one, and compares both trees with their builds.
 */
export async function takeBackEverywhere(second: BuildParts, stride: number): Promise<void> {
  await sync(makeBuild(FIRST), { limits: LIMITS });
  const restore = await snapshot();
  const writes = await countWrites(second);
  expect(writes).toBeGreaterThan(9);
  for (let at = 1; at <= writes; at += stride) {
    await restore();
    expect(await syncKilled(second, at)).toBe(true);
    await sync(makeBuild({ ...FIRST, versionTag: 'V-3' }), { limits: LIMITS });
    expect(await treeAt(2), `taken back before write ${at}`).toEqual(textsOf(logicalFiles(FIRST)));
    expect(await rows('SELECT path FROM archive_changes WHERE ordinal = 2')).toEqual([]);
    await sync(makeBuild({ ...second, versionTag: 'V-4' }));
    expect(await treeAt(3), `published again after write ${at}`).toEqual(textsOf(logicalFiles(second)));
    expect((await findViolations()).filter((line) => !line.endsWith('belongs to no file'))).toEqual([]);
  }
}

/** Kills the sync of a second build before every `stride`-th write, and compares the result of the next run with that of an uninterrupted sync. */
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
  expect(await findViolations()).toEqual([]);
}
