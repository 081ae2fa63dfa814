import { UserError } from '../lib/main.ts';
import type { EnvironmentName } from './options.ts';
import { enableReplicas, regionForDatabase } from './placement.ts';
import { type Account, listAccount, PlatformError, platformId, requestAccount } from './platform-api.ts';
import type { DeployConfig } from './preflight.ts';

/** Code of a bucket that does not exist. */
const NO_BUCKET = 10006;

/** An environment of wrangler.toml whose resources are created. */
export interface ResourceConfig extends Pick<DeployConfig, 'vars'> {
  name?: string | undefined;
  d1_databases: readonly { database_name?: string | undefined }[];
  r2_buckets: readonly { bucket_name?: string | undefined }[];
}

interface CreateOptions {
  environment: EnvironmentName;
  config: ResourceConfig;
  /** Stores the id of a resource in a table of the environment. */
  onId(table: string, key: string, id: string): void;
}

/**
 * Creates missing databases, namespaces and buckets. A resource with the name of the configuration counts as its own, so that a second
 * run continues where one failed.
 */
export async function createResources(account: Account, { environment, config, onId }: CreateOptions): Promise<void> {
  const databases: string[] = [];
  for (const { database_name: name = '' } of config.d1_databases) {
    const path = '/d1/database';
    const find = async () => (await listAccount(account, path)).find((database) => database.name === name)?.uuid;
    const body = { name, primary_location_hint: regionForDatabase(config, environment) };
    const id = await ensure({
      what: `database ${name}`,
      find,
      create: (what) => requestAccount(account, path, { method: 'POST', body, what }),
    });
    onId('d1_databases', 'database_id', id);
    databases.push(id);
  }
  const title = `${config.name}-cache`;
  const path = '/storage/kv/namespaces';
  const find = async () => (await listAccount(account, path)).find((namespace) => namespace.title === title)?.id;
  const create = (what: string) => requestAccount(account, path, { method: 'POST', body: { title }, what });
  onId('kv_namespaces', 'id', await ensure({ what: `namespace ${title}`, find, create }));
  for (const { bucket_name: name = '' } of config.r2_buckets) {
    const body = { name };
    await ensure({
      what: `bucket ${name}`,
      find: () => findBucket(account, name),
      create: (what) => requestAccount(account, '/r2/buckets', { method: 'POST', body, what }),
    });
  }
  for (const id of databases) await enableReplicas(account, id);
  console.log('  read replication is on');
}

interface Resource {
  what: string;
  /** The id; undefined when the resource does not exist. */
  find(): Promise<unknown>;
  /** Throws PlatformError with `what` in front. */
  create(what: string): Promise<unknown>;
}

/** The id of a resource, which is created if it is missing. When the outcome is unclear, the resource is looked up again. */
async function ensure({ what, find, create }: Resource): Promise<string> {
  const present = await find();
  if (present !== undefined) return platformId(present, `id of the ${what}`);
  const failure = await create(`${what} was not created`).catch((error: unknown) => error);
  if (failure instanceof Error && !(failure instanceof PlatformError && failure.isUnclear)) throw failure;
  const id = await find();
  if (id === undefined)
    throw failure instanceof Error ? failure : new UserError(`${what} was created, but the platform does not list it yet`);
  console.log(`  created ${what}`);
  return platformId(id, `id of the ${what}`);
}

async function findBucket(account: Account, name: string): Promise<string | undefined> {
  try {
    await requestAccount(account, `/r2/buckets/${name}`);
    return name;
  } catch (error) {
    if (error instanceof PlatformError && error.codes.includes(NO_BUCKET)) return undefined;
    throw error;
  }
}

/** Replaces an id in an environment's table of wrangler.toml. Keeps comments. */
export function withId(
  toml: string,
  { environment, table, key, id }: { environment: string; table: string; key: string; id: string },
): string {
  const header = `[[env.${environment}.${table}]]`;
  const start = toml.indexOf(header);
  const line = start < 0 ? null : new RegExp(`^${key} = ".*"$`, 'm').exec(toml.slice(start));
  const next = toml.indexOf('\n[', start + header.length);
  if (!line || (next >= 0 && start + line.index > next)) throw new UserError(`wrangler.toml has no ${key} in ${header}`);
  const at = start + line.index;
  return `${toml.slice(0, at)}${key} = "${id}"${toml.slice(at + line[0].length)}`;
}
