import { REGIONS } from '../../src/platform/storage/regional-objects.ts';
import { UserError } from '../lib/main.ts';
import type { EnvironmentName } from './options.ts';
import { type Account, requestAccount } from './platform-api.ts';
import type { DeployConfig, Finding } from './preflight.ts';

/** Where the database lies, and whether it has read replicas. */
export interface Placement {
  /** Name of D1's location in lower case; null when the platform does not tell. */
  region: string | null;
  hasReplicas: boolean;
}

const regionOf = ({ vars }: Pick<DeployConfig, 'vars'>): string => (typeof vars.REGION === 'string' ? vars.REGION.trim() : '');
const isRegion = (region: string): boolean => REGIONS.some((name) => name === region);

/** The region of an environment for a new database. Throws UserError without a valid region: a database never moves. */
export function regionForDatabase(config: Pick<DeployConfig, 'vars'>, environment: EnvironmentName): string {
  const region = regionOf(config);
  if (!isRegion(region)) throw new UserError(`--create needs REGION in [env.${environment}.vars]: one of ${REGIONS.join(', ')}.`);
  return region;
}

/** Switches on read replicas. The same request again changes nothing. */
export async function enableReplicas(account: Account, databaseId: string): Promise<void> {
  await requestAccount(account, `/d1/database/${databaseId}`, {
    method: 'PUT',
    body: { read_replication: { mode: 'auto' } },
    what: 'read replication could not be switched on (also possible in the dashboard: D1, Settings)',
  });
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
