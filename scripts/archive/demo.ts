import { parseArgs } from 'node:util';
import { BRANCHES } from '../../src/game/branches.data.ts';
import { startCdn } from '../../test/support/archive/cdn.ts';
import { openArchive } from '../lib/archive/bindings.ts';
import { loadDemo } from '../lib/archive/demo.ts';
import { demoBuilds } from '../lib/archive/demo-builds.ts';
import { createProgressBar } from '../lib/archive/progress-bar.ts';
import { runMain, UserError } from '../lib/main.ts';
import { LOCAL_STATE } from '../lib/paths.ts';
import { onStopRequest } from '../lib/stop-signals.ts';

const BRANCH = 'live-us';
const DEFAULT_FILES = 20_000;
const DEFAULT_ENTRIES = 12_000;
const MIB = 1024 * 1024;

/**
 * `npm run archive -- demo`: generates a demo game of two versions, serves it in the publisher's format on a loopback port, and
 * imports both versions with the real engine. `--serve <port>` only serves the second version, for `npm run archive -- sync`
 * or a service whose configuration points there.
 */
await runMain(async () => {
  const { values } = parseArgs({
    options: {
      files: { type: 'string' },
      entries: { type: 'string' },
      state: { type: 'string' },
      serve: { type: 'string' },
    },
  });
  const files = countFrom('--files', values.files, DEFAULT_FILES);
  const entries = countFrom('--entries', values.entries, DEFAULT_ENTRIES);
  const { first, second } = demoBuilds({ files, entries });
  if (values.serve !== undefined) return await serve(Number(values.serve));

  const archive = await openArchive({ isRemote: false, state: values.state ?? LOCAL_STATE });
  const bar = createProgressBar(process.stderr);
  try {
    await loadDemo({
      branch: BRANCH,
      archive,
      builds: [first, second],
      parallel: 4,
      onProgress: bar.show,
      onBuild(build, { version }, seconds) {
        bar.end();
        const bytes = [...build.files.values()].reduce((sum, { length }) => sum + length, 0);
        const what = version
          ? `${version.filesAdded} added, ${version.filesModified} modified, ${version.filesRemoved} removed`
          : 'nothing new';
        console.log(`${build.versionTag} (${(bytes / MIB).toFixed(1)} MiB in ${build.files.size} files): ${what}, ${seconds.toFixed(1)} s`);
      },
    });
  } finally {
    await archive.dispose();
  }

  async function serve(port: number): Promise<void> {
    const stopped = new Promise<void>((resolve) => onStopRequest(resolve));
    const cdn = await startCdn(port);
    cdn.publish(BRANCHES[BRANCH].pointerFile, second);
    console.log(`UPDATES_SOURCE_BASE="${cdn.origin}"\nnpm run archive -- sync --branch ${BRANCH} --from ${cdn.origin}\n(Ctrl-C stops)`);
    await stopped;
    await cdn.stop();
    process.exit();
  }
});

function countFrom(name: string, text: string | undefined, fallback: number): number {
  const count = Number(text ?? fallback);
  if (!(Number.isInteger(count) && count > 0)) throw new UserError(`${name} must be a positive integer.`);
  return count;
}
