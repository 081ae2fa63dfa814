import { LOCAL_STATE } from '../config.ts';
import type { ServedState } from '../dev/local-state.ts';
import { openArchive } from './bindings.ts';
import { loadDemo } from './demo.ts';
import { demoBuilds } from './demo-builds.ts';
import { readDemoMark, writeDemoMark } from './demo-mark.ts';

const BRANCH = 'live-us';
const FILES = 800;
const ENTRIES = 200;

/** Gives an empty local archive a small made-up game of two versions, once, so that the archive and the codexes have content. */
export async function ensureDemoArchive(served: ServedState): Promise<void> {
  const mark = readDemoMark();
  if (mark === 'done') return;
  const archive = await openArchive({ isRemote: false, state: LOCAL_STATE, served });
  try {
    const known = await archive.binding.prepare('SELECT branch FROM archive_branches LIMIT 1').first();
    if (mark === 'begun' || known === null) {
      writeDemoMark('begun');
      const { first, second } = demoBuilds({ files: FILES, entries: ENTRIES });
      await loadDemo({ branch: BRANCH, archive, builds: [first, second], parallel: 4 });
      console.log('The archive has a small made-up game of two versions (DEMO_ARCHIVE=off: none); the codexes follow within two minutes.');
    }
    writeDemoMark('done');
  } finally {
    await archive.dispose();
  }
}
