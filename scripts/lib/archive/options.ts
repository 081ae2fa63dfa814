import { BRANCH_NAMES, type Branch } from '../../../src/game/branches.data.ts';
import { parseOptions, UserError } from '../main.ts';
import { LOCAL_STATE } from '../paths.ts';

export const ARCHIVE_SYNC_USAGE = `Usage: npm run archive -- sync --branch <${BRANCH_NAMES.join('|')}> --from <URL|DIR> [options]

  --from <URL>          the patch network: its base address with the prefix, or without for the usual one
  --from <DIR>          a folder that mirrors it: public/<pointer>, content/<path>/<version>.manifest, .../recovery/<file>
  --remote              into the deployed database and bucket (needs wrangler login, or CLOUDFLARE_API_TOKEN)
  --parallel <n>        packed directories imported in parallel (default 4)
  --state <DIR>         folder of local state (default: that of wrangler dev)
  --take-over           sync even if another process seems to be syncing the branch

Can be stopped at any time and run again: it goes on where it was.`;

export interface ArchiveSyncOptions {
  branch: Branch;
  from: string;
  isRemote: boolean;
  parallel: number;
  state: string;
  takeOver: boolean;
}

const DEFAULT_PARALLEL = 4;
const MAX_PARALLEL = 32;

/** Parses the command line of `npm run archive -- sync`. Throws UserError. */
export function parseArchiveSyncOptions(args: readonly string[]): ArchiveSyncOptions {
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
