import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_STATE } from '../config.ts';
import { openArchive } from './bindings.ts';
import { loadDemo } from './demo.ts';
import { demoBuilds } from './demo-builds.ts';

const BRANCH = 'live-us';
const FILES = 800;
const ENTRIES = 200;
/** Beside the state, so that both go together. */
const MARK = join(LOCAL_STATE, 'demo-archive');

/**
 * Gives an empty local archive a small made-up game of two versions, once: so that the archive and the codexes have something
 * to show. `DEMO_ARCHIVE=off` leaves it empty. The service indexes it within its first minute.
 */
export async function ensureDemoArchive(): Promise<void> {
  if (process.env.DEMO_ARCHIVE === 'off' || existsSync(MARK)) return;
  const archive = await openArchive({ isRemote: false, state: LOCAL_STATE });
  try {
    const known = await archive.binding.prepare('SELECT branch FROM archive_branches LIMIT 1').first();
    if (known === null) {
      console.log('Making up a small game for the archive (DEMO_ARCHIVE=off: none) …');
      const { first, second } = demoBuilds({ files: FILES, entries: ENTRIES });
      await loadDemo({ branch: BRANCH, archive, builds: [first, second], parallel: 4 });
    }
    writeFileSync(MARK, '');
  } finally {
    await archive.dispose();
  }
}
