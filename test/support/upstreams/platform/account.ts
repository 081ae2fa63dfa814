import { createHash, randomUUID } from 'node:crypto';

/** A secret or another binding of a version. Of the value of a secret only a hash is stored. */
export interface VersionBinding {
  name: string;
  type: string;
  text?: string;
  json?: unknown;
  hash?: string;
}

export interface Version {
  id: string;
  number: number;
  created_on: string;
  bindings: VersionBinding[];
}

export interface Deployment {
  id: string;
  created_on: string;
  versions: { version_id: string; percentage: number }[];
}

/** A Worker with its versions and deployments, newest first. */
export interface Worker {
  migrationTag: string | undefined;
  versions: Version[];
  deployments: Deployment[];
  subdomain: { enabled: boolean; previews_enabled: boolean };
}

export interface Database {
  uuid: string;
  name: string;
  running_in_region: string;
  read_replication: { mode: string };
  version: 'production';
  created_at: string;
}

/** Everything that the account has. JSON, except the rows of databases. */
export interface Account {
  databases: Database[];
  namespaces: { id: string; title: string }[];
  buckets: string[];
  workers: Record<string, Worker>;
  /** The Worker that was deployed last: the address of the service leads to it. */
  serving: string;
  /** Counts of the analytics by version. */
  counts: Record<string, { requests: number; errors: number }>;
  mayReadAnalytics: boolean;
  /** Path of the service that the newest version responds to with 500; empty: none. */
  brokenPath: string;
  /** Uploaded SQL files by their hash. */
  uploads: Record<string, string>;
}

export function emptyAccount(): Account {
  return {
    databases: [],
    namespaces: [],
    buckets: [],
    workers: {},
    serving: '',
    counts: {},
    mayReadAnalytics: true,
    brokenPath: '',
    uploads: {},
  };
}

export const isSecret = ({ type }: VersionBinding): boolean => type === 'secret_text';

/** Adds a version. Secrets that are not among the bindings stay as they were in the newest version, when the upload keeps them. */
export function addVersion(worker: Worker, bindings: readonly VersionBinding[], keepsSecrets: boolean): Version {
  const kept = keepsSecrets ? (worker.versions[0]?.bindings ?? []).filter(isSecret) : [];
  const stored = bindings.map((binding) => (isSecret(binding) ? secretBinding(binding.name, binding.text ?? '') : binding));
  const version = {
    id: randomUUID(),
    number: worker.versions.length + 1,
    created_on: timestamp(worker),
    bindings: [...stored, ...kept.filter(({ name }) => !stored.some((one) => one.name === name))],
  };
  worker.versions.unshift(version);
  return version;
}

export function addDeployment(worker: Worker, versions: Deployment['versions']): Deployment {
  const deployment = { id: randomUUID(), created_on: timestamp(worker), versions };
  worker.deployments.unshift(deployment);
  return deployment;
}

export const secretBinding = (name: string, text: string): VersionBinding => ({
  name,
  type: 'secret_text',
  hash: createHash('sha256').update(text).digest('hex'),
});

/** Secrets that a deployed version has with another value. A secret that one of them lacks is not among them. */
export function changedSecrets(worker: Worker, target: Version): string[] {
  const deployed = new Set(worker.deployments[0]?.versions.map(({ version_id }) => version_id));
  const current = worker.versions.filter(({ id }) => deployed.has(id)).flatMap(({ bindings }) => bindings.filter(isSecret));
  const isChanged = ({ name, hash }: VersionBinding) => current.some((one) => one.name === name && one.hash !== hash);
  return target.bindings
    .filter(isSecret)
    .filter(isChanged)
    .map(({ name }) => name);
}

/** Times grow by a second with each change, so that their order does not depend on a clock. */
function timestamp({ versions, deployments }: Worker): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, versions.length + deployments.length)).toISOString();
}
