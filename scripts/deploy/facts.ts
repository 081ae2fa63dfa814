import { readdirSync } from 'node:fs';
import { objectOf, objectsIn, textOf } from '../../src/platform/kit/values/json-values.ts';
import { inRoot } from '../lib/paths.ts';
import { readSecretsFile } from '../lib/secrets-file.ts';
import { type Account, PlatformError, platformId, requestAccount, requestWorker } from './platform-api.ts';
import type { Facts } from './preflight.ts';

/** Names of the migration files, in order. */
export function migrationFiles(): string[] {
  return readdirSync(inRoot('migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

interface FactsOptions {
  /** Name of the Worker. */
  worker: string;
  /** Secrets that come with the deployment; null: none. */
  secretsFile: string | null;
  /** Id of the database; null when it does not exist yet. */
  databaseId: string | null;
}

/** Reads the state of the account and of its database. Changes nothing. */
export async function readFacts(account: Account, { worker, secretsFile, databaseId }: FactsOptions): Promise<Facts> {
  const brought = secretsFile === null ? [] : Object.keys(readSecretsFile(secretsFile));
  const stored = objectsIn(await requestWorker(account, `/workers/scripts/${worker}/secrets`)).map(({ name }) => String(name));
  if (databaseId === null) return { secrets: [...brought, ...stored], database: null, placement: null };
  const path = `/d1/database/${platformId(databaseId, 'database id')}`;
  const info = objectOf(await requestAccount(account, path));
  const applied = await query(account, path, 'SELECT name FROM d1_migrations');
  const restores = await query(account, path, 'SELECT count(*) AS n FROM restore_progress');
  const [count] = await query(account, path, 'SELECT count(*) AS n FROM users WHERE is_superuser = 1');
  return {
    secrets: [...brought, ...stored],
    database: { applied: applied.map(({ name }) => String(name)), superusers: Number(count?.n ?? 0), isRestoring: restores.length > 0 },
    placement: {
      region: textOf(info.running_in_region)?.toLowerCase() ?? null,
      hasReplicas: objectOf(info.read_replication).mode === 'auto',
    },
  };
}

/** Rows of a query; empty if the table does not exist. */
async function query(account: Account, path: string, sql: string) {
  try {
    const results = await requestAccount(account, `${path}/query`, { method: 'POST', body: { sql }, what: 'the database cannot be read' });
    return objectsIn(objectsIn(results)[0]?.results);
  } catch (error) {
    if (error instanceof PlatformError && /no such table/i.test(error.message)) return [];
    throw error;
  }
}
