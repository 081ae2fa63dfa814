import { openArchive } from '../lib/archive/bindings.ts';
import { bulkSync } from '../lib/archive/bulk-sync.ts';
import { acquireBranch } from '../lib/archive/holder.ts';
import { parseArchiveSyncOptions } from '../lib/archive/options.ts';
import { createProgressBar } from '../lib/archive/progress-bar.ts';
import { openSource } from '../lib/archive/source.ts';
import { runMain, UserError } from '../lib/main.ts';
import { onStopRequest } from '../lib/stop-signals.ts';

/**
 * `npm run archive -- sync`: imports the newest build of a branch on the local machine. Use it for the initial import of several
 * gigabytes, which is slow in the service. The service announces versions once they are complete.
 */
await runMain(async () => {
  const options = parseArchiveSyncOptions(process.argv.slice(2));
  const stopping = new AbortController();
  onStopRequest(() => stopping.abort(new UserError('Stopped. Run the command again to continue.')));
  const source = openSource(options.branch, options.from);
  const archive = await openArchive(options);
  const bar = createProgressBar(process.stderr);
  try {
    const lease = await acquireBranch({ ...archive, branch: options.branch, takeOver: options.takeOver });
    try {
      const now = () => Math.floor(Date.now() / 1000);
      const { contents } = archive;
      const { probe, version } = await bulkSync({
        source,
        store: lease.store,
        contents,
        parallel: options.parallel,
        now,
        onProgress: bar.show,
        signal: stopping.signal,
      });
      bar.end();
      if (version) {
        const { ordinal, versionTag, filesAdded, filesModified, filesRemoved } = version;
        console.log(
          `${options.branch} ${ordinal} (${versionTag}): ${filesAdded} added, ${filesModified} modified, ${filesRemoved} removed.`,
        );
      } else {
        console.log(probe === 'unpublished' ? `${options.branch} is not published.` : `${options.branch}: no new version.`);
      }
    } finally {
      await lease.release();
    }
  } finally {
    bar.end();
    await archive.dispose();
  }
});
