import { BRANCHES, type Branch } from '../../../src/game/branches.data.ts';
import type { Build } from '../../../test/support/archive/build.ts';
import { startCdn } from '../../../test/support/archive/cdn.ts';
import type { ArchiveBindings } from './bindings.ts';
import { bulkSync } from './bulk-sync.ts';
import { acquireBranch } from './holder.ts';
import { openSource } from './source.ts';

export interface DemoOptions {
  branch: Branch;
  archive: Omit<ArchiveBindings, 'dispose'>;
  /** In the order of publication. */
  builds: readonly Build[];
  parallel: number;
}

/** Serves builds one after the other from a mock patch network on a loopback port, and imports each with the real engine. */
export async function loadDemo({ branch, archive, builds, parallel }: DemoOptions): Promise<void> {
  const cdn = await startCdn();
  const source = openSource(branch, cdn.origin);
  const lease = await acquireBranch({ ...archive, branch, takeOver: false });
  try {
    for (const build of builds) {
      cdn.publish(BRANCHES[branch].pointerFile, build);
      const now = () => Math.floor(Date.now() / 1000);
      const { contents } = archive;
      await bulkSync({ source, store: lease.store, contents, parallel, now, onProgress: () => {} });
    }
  } finally {
    await lease.release();
    await cdn.stop();
  }
}
