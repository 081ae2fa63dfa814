import { BRANCH_NAMES, type Branch } from '../../../src/game/branches.data.ts';
import { UserError } from '../main.ts';
import { LOCAL_STATE } from '../paths.ts';

/** Options of the commands that write the archive. */
export const ARCHIVE_OPTIONS = {
  branch: { type: 'string' },
  remote: { type: 'boolean' },
  parallel: { type: 'string' },
  state: { type: 'string' },
  'take-over': { type: 'boolean' },
} as const;

const DEFAULT_PARALLEL = 4;
const MAX_PARALLEL = 32;

export const ARCHIVE_OPTIONS_HELP = `  --remote              into the deployed database and bucket (needs wrangler login, or CLOUDFLARE_API_TOKEN)
  --parallel <n>        packed directories, or groups of loose files, imported in parallel (default ${DEFAULT_PARALLEL})
  --state <DIR>         folder of local state (default: that of wrangler dev)
  --take-over           write even if another process seems to be syncing the branch`;

type Values = {
  [Name in keyof typeof ARCHIVE_OPTIONS]?: ((typeof ARCHIVE_OPTIONS)[Name]['type'] extends 'string' ? string : boolean) | undefined;
};

export interface ArchiveOptions {
  branch: Branch;
  isRemote: boolean;
  parallel: number;
  state: string;
  takeOver: boolean;
}

/** Checks the parsed options. Throws UserError. */
export function readArchiveOptions(values: Values, usage: string): ArchiveOptions {
  const branch = BRANCH_NAMES.find((name) => name === values.branch);
  if (!branch) throw new UserError(`--branch must be ${BRANCH_NAMES.join(' or ')}.\n\n${usage}`);
  const parallel = Number(values.parallel ?? DEFAULT_PARALLEL);
  if (!(Number.isInteger(parallel) && parallel >= 1 && parallel <= MAX_PARALLEL)) {
    throw new UserError(`--parallel must be an integer from 1 to ${MAX_PARALLEL}.`);
  }
  const isRemote = values.remote ?? false;
  if (isRemote && values.state) throw new UserError('--state cannot be combined with --remote.');
  return { branch, isRemote, parallel, state: values.state ?? LOCAL_STATE, takeOver: values['take-over'] ?? false };
}
