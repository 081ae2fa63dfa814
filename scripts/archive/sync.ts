import { BRANCH_NAMES } from '../../src/game/branches.data.ts';
import { withBranch } from '../lib/archive/branch-work.ts';
import { bulkSync } from '../lib/archive/bulk-sync.ts';
import { ARCHIVE_OPTIONS, ARCHIVE_OPTIONS_HELP, readArchiveOptions } from '../lib/archive/options.ts';
import { openSource } from '../lib/archive/source.ts';
import { parseOptions, runMain, UserError } from '../lib/main.ts';

const ARCHIVE_SYNC_USAGE = `Usage: npm run archive -- sync --branch <${BRANCH_NAMES.join('|')}> --from <URL|DIR> [options]

  --from <URL>          the patch network: its base address with the prefix, or without for the usual one
  --from <DIR>          a folder that mirrors it: public/<pointer>, content/<path>/<version>.manifest, .../recovery/<file>
${ARCHIVE_OPTIONS_HELP}

Can be stopped at any time and run again: it goes on where it was.`;

/** Parses the command line of `npm run archive -- sync`. Throws UserError. */
function parseArchiveSyncOptions(args: readonly string[]) {
  const options = { ...ARCHIVE_OPTIONS, from: { type: 'string' } } as const;
  const { values } = parseOptions({ args: [...args], options }, ARCHIVE_SYNC_USAGE);
  const archiveOptions = readArchiveOptions(values, ARCHIVE_SYNC_USAGE);
  if (!values.from) throw new UserError(`--from is missing.\n\n${ARCHIVE_SYNC_USAGE}`);
  return { ...archiveOptions, from: values.from };
}

/**
 * `npm run archive -- sync`: imports the newest build of a branch on the local machine. Use it for the initial import of several
 * gigabytes, which is slow in the service. The service announces versions once they are complete.
 */
await runMain(async () => {
  const options = parseArchiveSyncOptions(process.argv.slice(2));
  const source = openSource(options.branch, options.from);
  const { probe, version } = await withBranch(options, ({ archive, store, printer, signal }) =>
    bulkSync({
      source,
      store,
      contents: archive.contents,
      parallel: options.parallel,
      now: () => Math.floor(Date.now() / 1000),
      onProgress: printer.store,
      signal,
    }),
  );
  if (version) {
    const { ordinal, versionTag, filesAdded, filesModified, filesRemoved } = version;
    console.log(`${options.branch} ${ordinal} (${versionTag}): ${filesAdded} added, ${filesModified} modified, ${filesRemoved} removed.`);
  } else {
    console.log(probe === 'unpublished' ? `${options.branch} is not published.` : `${options.branch}: no new version.`);
  }
});
