import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../lib/archive/bindings.ts';
import { loadDemo } from '../lib/archive/demo.ts';
import { demoBuilds } from '../lib/archive/demo-builds.ts';
import { openMigratedState } from '../lib/dev/local-state.ts';

export interface BulkFigures {
  files: number;
  /** Total size of the files. */
  bytes: number;
  firstSeconds: number;
  /** Second import of the same build. */
  againSeconds: number;
  /** Import of the next version. */
  nextSeconds: number;
  nextChanges: number;
}

/** Imports the large demo with the Node driver twice, then its next version, into separate state. */
export async function measureBulkSync(files: number, entries: number): Promise<BulkFigures> {
  const state = mkdtempSync(join(tmpdir(), 'bench-archive-'));
  try {
    await (await openMigratedState(state)).dispose();
    const { first, second } = demoBuilds({ files, entries });
    const archive = await openArchive({ isRemote: false, state });
    const seconds: number[] = [];
    let nextChanges = 0;
    try {
      await loadDemo({
        branch: 'live-us',
        archive,
        builds: [first, first, second],
        parallel: 4,
        onBuild(_build, { version }, elapsed) {
          seconds.push(elapsed);
          nextChanges = version ? version.filesAdded + version.filesModified + version.filesRemoved : 0;
        },
      });
    } finally {
      await archive.dispose();
    }
    const [firstSeconds = 0, againSeconds = 0, nextSeconds = 0] = seconds;
    const bytes = [...first.logical.values()].reduce((sum, { length }) => sum + length, 0);
    return { files: first.logical.size, bytes, firstSeconds, againSeconds, nextSeconds, nextChanges };
  } finally {
    rmSync(state, { recursive: true });
  }
}
