import { parseOptions, UserError } from '../lib/main.ts';

export const ENVIRONMENTS = ['staging', 'production'] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

export const USAGE = `Usage: npm run deploy -- staging|production [options]

  --check               preflight only; pending migrations count as a problem
  --rollback            give all requests to the previous version; applied migrations stay
  --with-old-secrets    with --rollback: also if a secret was changed since, whose old value comes back
  --wait MINUTES        observation time at 10 and at 50 % of the requests, 0 to 60; default: 5 on production, 0 on staging
  --create              create missing databases, namespaces and buckets, and write their ids to wrangler.toml
  --secrets-file FILE   secrets to upload with the code, as NAME=value lines or JSON
  --test-mail ADDRESS   send a mail as the service would, and look up the records of its sender; deploys nothing
  --dry-run             build offline without deploying; without an environment, all environments`;

export interface DeployOptions {
  environments: readonly EnvironmentName[];
  mode: 'deploy' | 'check' | 'dry-run' | 'rollback' | 'test-mail';
  creates: boolean;
  secretsFile: string | null;
  /** Address that gets the test mail; empty in other modes. */
  testMail: string;
  /** Whether a rollback may bring back the old value of a changed secret. */
  withOldSecrets: boolean;
  /** Observation time of each share of a rollout. */
  waitMs: number;
}

export function parseDeployOptions(args: readonly string[]): DeployOptions {
  const { values, positionals } = parseOptions(
    {
      args: [...args],
      allowPositionals: true,
      options: {
        check: { type: 'boolean' },
        rollback: { type: 'boolean' },
        'with-old-secrets': { type: 'boolean' },
        'test-mail': { type: 'string' },
        wait: { type: 'string' },
        create: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        'secrets-file': { type: 'string' },
      },
    },
    USAGE,
  );
  const [name, ...rest] = positionals;
  const testMail = values['test-mail'] ?? '';
  const mode = modeOf(values);
  const matching = ENVIRONMENTS.filter((environment) => environment === name);
  if (rest.length > 0 || (name !== undefined && matching.length === 0) || (name === undefined && mode !== 'dry-run'))
    throw new UserError(USAGE);
  if (mode !== 'deploy' && values.create)
    throw new UserError('--create cannot be combined with --check, --dry-run, --rollback or --test-mail.');
  if (mode === 'test-mail' && !testMail.includes('@')) throw new UserError('--test-mail needs the address that gets the mail.');
  if (mode !== 'rollback' && values['with-old-secrets']) throw new UserError('--with-old-secrets needs --rollback.');
  return {
    environments: name === undefined ? ENVIRONMENTS : matching,
    mode,
    creates: values.create ?? false,
    secretsFile: values['secrets-file'] ?? null,
    testMail,
    withOldSecrets: values['with-old-secrets'] ?? false,
    waitMs: minutesIn(values.wait ?? (name === 'production' ? '5' : '0')) * 60_000,
  };
}

function modeOf(values: { [Name in 'dry-run' | 'check' | 'rollback']?: boolean | undefined } & { 'test-mail'?: string | undefined }) {
  if (values['dry-run']) return 'dry-run';
  if (values.check) return 'check';
  if (values.rollback) return 'rollback';
  return values['test-mail'] === undefined ? 'deploy' : 'test-mail';
}

function minutesIn(text: string): number {
  const minutes = Number(text);
  if (!/^\d+$/.test(text) || minutes > 60) throw new UserError(`--wait must be a number of minutes from 0 to 60, not "${text}".`);
  return minutes;
}
