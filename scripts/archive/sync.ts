import { openArchive } from '../lib/archive/bindings.ts';
import { type BulkProgress, bulkSync } from '../lib/archive/bulk-sync.ts';
import { acquireBranch } from '../lib/archive/holder.ts';
import { parseArchiveSyncOptions } from '../lib/archive/options.ts';
import { openSource } from '../lib/archive/source.ts';
import { runMain, UserError } from '../lib/main.ts';
import { onStopRequest } from '../lib/stop-signals.ts';

const MIB = 1024 * 1024;

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
        onProgress: createProgressPrinter(),
        signal: stopping.signal,
      });
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
    await archive.dispose();
  }
});

/** Prints a line for each twentieth of the plan. */
function createProgressPrinter(): (progress: BulkProgress) => void {
  let printed = -1;
  return ({ done, total, files, bytes }) => {
    const step = Math.floor((20 * done) / Math.max(1, total));
    if (step === printed) return;
    printed = step;
    console.error(`${String(5 * step).padStart(3)} % ${files} files, ${(bytes / MIB).toFixed(1)} MiB`);
  };
}
