import type { Branch } from '../../../src/game/branches.data.ts';
import { BRANCHES } from '../../../src/game/branches.data.ts';
import type { Build } from '../../../test/support/archive/build.ts';
import { startCdn } from '../../../test/support/archive/cdn.ts';
import type { ArchiveBindings } from './bindings.ts';
import { type BulkProgress, type BulkResult, bulkSync } from './bulk-sync.ts';
import { holdBranch } from './holder.ts';
import { openSource } from './source.ts';

export interface DemoOptions {
  branch: Branch;
  archive: ArchiveBindings;
  /** In the order in which the publisher brought them out. */
  builds: readonly Build[];
  parallel: number;
  onProgress?(progress: BulkProgress): void;
  /** After each build. */
  onBuild?(build: Build, result: BulkResult, seconds: number): Promise<void> | void;
}

/** Serves builds from a patch network on a loopback port, one after the other, and takes each in with the real engine. */
export async function loadDemo({ branch, archive, builds, parallel, onProgress = () => {}, onBuild }: DemoOptions): Promise<void> {
  const cdn = await startCdn();
  const source = openSource(branch, cdn.origin);
  const held = await holdBranch({ ...archive, branch, takeOver: false });
  try {
    for (const build of builds) {
      cdn.publish(BRANCHES[branch].pointerFile, build);
      const startedAt = performance.now();
      const now = () => Math.floor(Date.now() / 1000);
      const { contents } = archive;
      const result = await bulkSync({ source, store: held.store, contents, parallel, now, onProgress });
      await onBuild?.(build, result, (performance.now() - startedAt) / 1000);
    }
  } finally {
    await held.release();
    await cdn.stop();
  }
}
