import { parseArgs } from 'node:util';
import { UserError } from '../lib/main.ts';

export const ENVIRONMENTS = ['staging', 'production'] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

export const USAGE = `Usage: npm run deploy -- staging|production [options]

  --check               preflight only; pending migrations count as a problem
  --create              create missing databases, namespaces and buckets, and write their ids to wrangler.toml
  --secrets-file FILE   secrets to upload with the code, as NAME=value lines or JSON
  --dry-run             build offline without deploying; without an environment, all environments`;

export interface DeployOptions {
  environments: readonly EnvironmentName[];
  mode: 'deploy' | 'check' | 'dry-run';
  creates: boolean;
  secretsFile: string | null;
}

export function parseDeployOptions(args: readonly string[]): DeployOptions {
  const { values, positionals } = parse(args);
  const [name, ...rest] = positionals;
  const mode = values['dry-run'] ? 'dry-run' : values.check ? 'check' : 'deploy';
  const matching = ENVIRONMENTS.filter((environment) => environment === name);
  if (rest.length > 0 || (name !== undefined && matching.length === 0) || (name === undefined && mode !== 'dry-run'))
    throw new UserError(USAGE);
  if (mode !== 'deploy' && values.create) throw new UserError('--create cannot be combined with --check or --dry-run.');
  return {
    environments: name === undefined ? ENVIRONMENTS : matching,
    mode,
    creates: values.create ?? false,
    secretsFile: values['secrets-file'] ?? null,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        check: { type: 'boolean' },
        create: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        'secrets-file': { type: 'string' },
      },
    });
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}
