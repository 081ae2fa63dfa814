import { readdirSync } from 'node:fs';
import { CommandError, runWrangler } from '../lib/commands.ts';
import { inRoot } from '../lib/paths.ts';
import { readSecretsFile } from '../lib/secrets-file.ts';
import type { EnvironmentName } from './options.ts';
import { readPlacement } from './placement.ts';
import type { Facts } from './preflight.ts';

/** Names of the migration files, in order. */
export function migrationFiles(): string[] {
  return readdirSync(inRoot('migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

/** Reads the account through wrangler; null without a signed-in account. */
export async function readFacts(environment: EnvironmentName, secretsFile: string | null, hasDatabase: boolean): Promise<Facts | null> {
  const brought = secretsFile === null ? [] : Object.keys(readSecretsFile(secretsFile));
  const { output } = await runWrangler(['whoami']);
  if (/not authenticated/i.test(output)) return null;
  return {
    secrets: [...brought, ...(await storedSecrets(environment))],
    database: hasDatabase ? await databaseFacts(environment) : null,
    placement: hasDatabase ? await readPlacement(environment) : null,
  };
}

async function storedSecrets(environment: EnvironmentName): Promise<string[]> {
  const stdout = await stdoutOr(['secret', 'list', '--env', environment, '--format', 'json'], /not found|does not exist|10007/i);
  return stdout === null ? [] : (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
}

async function databaseFacts(environment: EnvironmentName): Promise<NonNullable<Facts['database']>> {
  const applied = await query<{ name: string }>(environment, 'SELECT name FROM d1_migrations');
  const [count] = await query<{ n: number }>(environment, 'SELECT count(*) AS n FROM users WHERE is_superuser = 1');
  return { applied: applied.map(({ name }) => name), superusers: count?.n ?? 0 };
}

/** Rows of a query; empty if the table does not exist. */
async function query<Row>(environment: EnvironmentName, sql: string): Promise<Row[]> {
  const stdout = await stdoutOr(['d1', 'execute', 'DB', '--remote', '--env', environment, '--json', '--command', sql], /no such table/i);
  const [result] = stdout === null ? [] : (JSON.parse(stdout) as { results: Row[] }[]);
  return result?.results ?? [];
}

/** Output of wrangler; null after an expected failure. */
async function stdoutOr(args: readonly string[], expected: RegExp): Promise<string | null> {
  try {
    return (await runWrangler(args)).stdout;
  } catch (error) {
    if (error instanceof CommandError && expected.test(error.output)) return null;
    throw error;
  }
}
