import { BRANCH_NAMES } from '../../src/game/branches.data.ts';
import { openArchive } from '../lib/archive/bindings.ts';
import { type BulkProgress, bulkSync } from '../lib/archive/bulk-sync.ts';
import { acquireBranch } from '../lib/archive/holder.ts';
import { openSource } from '../lib/archive/source.ts';
import { parseOptions, runMain, UserError } from '../lib/main.ts';
import { LOCAL_STATE } from '../lib/paths.ts';
import { onStopRequest } from '../lib/stop-signals.ts';

const ARCHIVE_SYNC_USAGE = `Usage: npm run archive -- sync --branch <${BRANCH_NAMES.join('|')}> --from <URL|DIR> [options]

  --from <URL>          the patch network: its base address with the prefix, or without for the usual one
  --from <DIR>          a folder that mirrors it: public/<pointer>, content/<path>/<version>.manifest, .../recovery/<file>
  --remote              into the deployed database and bucket (needs wrangler login, or CLOUDFLARE_API_TOKEN)
  --parallel <n>        packed directories imported in parallel (default 4)
  --state <DIR>         folder of local state (default: that of wrangler dev)
  --take-over           sync even if another process seems to be syncing the branch

Can be stopped at any time and run again: it goes on where it was.`;

const DEFAULT_PARALLEL = 4;
const MAX_PARALLEL = 32;

/** Parses the command line of `npm run archive -- sync`. Throws UserError. */
function parseArchiveSyncOptions(args: readonly string[]) {
  const values = parseOptions(
    {
      args: [...args],
      options: {
        branch: { type: 'string' },
        from: { type: 'string' },
        remote: { type: 'boolean' },
        parallel: { type: 'string' },
        state: { type: 'string' },
        'take-over': { type: 'boolean' },
      },
    },
    ARCHIVE_SYNC_USAGE,
  ).values;
  const branch = BRANCH_NAMES.find((name) => name === values.branch);
  if (!branch) throw new UserError(`--branch must be ${BRANCH_NAMES.join(' or ')}.\n\n${ARCHIVE_SYNC_USAGE}`);
  if (!values.from) throw new UserError(`--from is missing.\n\n${ARCHIVE_SYNC_USAGE}`);
  const parallel = Number(values.parallel ?? DEFAULT_PARALLEL);
  if (!(Number.isInteger(parallel) && parallel >= 1 && parallel <= MAX_PARALLEL)) {
    throw new UserError(`--parallel must be an integer from 1 to ${MAX_PARALLEL}.`);
  }
  const isRemote = values.remote ?? false;
  if (isRemote && values.state) throw new UserError('--state cannot be combined with --remote.');
  return { branch, from: values.from, isRemote, parallel, state: values.state ?? LOCAL_STATE, takeOver: values['take-over'] ?? false };
}

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
