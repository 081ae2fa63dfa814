import { REGIONS } from '../../src/platform/storage/regional-objects.ts';
import { runWrangler } from '../lib/commands.ts';
import { readWranglerConfig } from '../lib/config.ts';
import { UserError } from '../lib/main.ts';
import type { EnvironmentName } from './options.ts';
import { apiBase, requestPlatform } from './platform-api.ts';
import type { DeployConfig, Finding } from './preflight.ts';

/** Where the database lies, and whether it has read replicas. */
export interface Placement {
  /** Name of D1's location in lower case; null when the platform does not tell. */
  region: string | null;
  hasReplicas: boolean;
}

const regionOf = ({ vars }: Pick<DeployConfig, 'vars'>): string => (typeof vars.REGION === 'string' ? vars.REGION.trim() : '');
const isRegion = (region: string): boolean => REGIONS.some((name) => name === region);

/** Arguments of wrangler that create a database in the region of the environment. Throws without a valid region: a database never moves. */
export function createDatabaseArgs(title: string, environment: EnvironmentName): string[] {
  const region = regionOf(readWranglerConfig(environment));
  if (!isRegion(region)) throw new UserError(`--create needs REGION in [env.${environment}.vars]: one of ${REGIONS.join(', ')}.`);
  return ['d1', 'create', title, '--location', region];
}

/** Reads the placement of the database through wrangler. */
export async function readPlacement(environment: EnvironmentName): Promise<Placement> {
  const { stdout } = await runWrangler(['d1', 'info', 'DB', '--env', environment, '--json']);
  const info = JSON.parse(stdout) as { running_in_region?: string; read_replication?: { mode?: string } };
  return { region: info.running_in_region?.toLowerCase() ?? null, hasReplicas: info.read_replication?.mode === 'auto' };
}

/**
 * Switches on read replicas, for which wrangler has no command, by the REST API. Without `CLOUDFLARE_API_TOKEN` and
 * `CLOUDFLARE_ACCOUNT_ID` prints the step.
 */
export async function enableReplicas(databaseId: string, env: Readonly<Record<string, string | undefined>> = process.env): Promise<void> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: account } = env;
  if (!token || !account) {
    console.log('  to do: switch on read replication of the database in the dashboard (D1, Settings), or repeat --create with');
    console.log('  CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID. Until then every reader waits for the location of the database.');
    return;
  }
  const { isOk, status, excerpt } = await requestPlatform(`${apiBase(env)}/accounts/${account}/d1/database/${databaseId}`, token, {
    method: 'PUT',
    body: { read_replication: { mode: 'auto' } },
  });
  if (!isOk) throw new UserError(`Read replication could not be switched on: ${status} ${excerpt}`);
  console.log(`  read replication is on (${databaseId})`);
}

/** Findings about the region and the replicas. `placement` null: not read. Pure. */
export function placementFindings(config: Pick<DeployConfig, 'vars'>, placement: Placement | null): Finding[] {
  const region = regionOf(config);
  const findings: Finding[] = [];
  if (region === '') {
    findings.push({ kind: 'setup', text: `REGION is empty: set the location of the database, one of ${REGIONS.join(', ')}` });
  } else if (!isRegion(region)) findings.push({ kind: 'setup', text: `REGION must be one of ${REGIONS.join(', ')}` });
  else if (placement?.region && placement.region !== region) {
    findings.push({
      kind: 'setup',
      text: `REGION is ${region}, but the database is in ${placement.region}: objects would lie far from it`,
    });
  }
  if (placement === null) findings.push({ kind: 'note', text: 'location and read replication of the database were not checked' });
  else if (!placement.hasReplicas) {
    findings.push({
      kind: 'setup',
      text: 'read replication of the database is off: repeat with --create, or switch it on in the dashboard',
    });
  }
  return findings;
}
