import { readFileSync, writeFileSync } from 'node:fs';
import { CommandError, runWrangler } from '../lib/commands.ts';
import { readWranglerConfig, WRANGLER_CONFIG } from '../lib/config.ts';
import type { EnvironmentName } from './options.ts';
import { createDatabaseArgs, enableReplicas } from './placement.ts';
import { platformId } from './platform-api.ts';

/** Creates missing databases, namespaces and buckets, and writes their ids to wrangler.toml. */
export async function createResources(environment: EnvironmentName): Promise<void> {
  const { d1_databases: databases, r2_buckets: buckets, name } = readWranglerConfig(environment);
  for (const { database_name: title = '' } of databases) {
    const find = async () => {
      const listed = JSON.parse((await runWrangler(['d1', 'list', '--json'])).stdout) as { name: string; uuid: string }[];
      const found = listed.find((database) => database.name === title);
      return found && platformId(found.uuid, 'database id');
    };
    const id = (await find()) ?? (await created(createDatabaseArgs(title, environment), find, title));
    writeId(environment, 'd1_databases', 'database_id', id);
    await enableReplicas(id);
  }
  const title = `${name}-cache`;
  const find = async () => {
    const listed = JSON.parse((await runWrangler(['kv', 'namespace', 'list'])).stdout) as { title: string; id: string }[];
    const found = listed.find((namespace) => namespace.title === title);
    return found && platformId(found.id, 'namespace id');
  };
  writeId(environment, 'kv_namespaces', 'id', (await find()) ?? (await created(['kv', 'namespace', 'create', title], find)));
  for (const { bucket_name: bucket = '' } of buckets) {
    try {
      await runWrangler(['r2', 'bucket', 'info', bucket]);
    } catch (error) {
      if (!(error instanceof CommandError) || !/not exist|not found|10006/i.test(error.output)) throw error;
      await runWrangler(['r2', 'bucket', 'create', bucket]);
      console.log(`  created bucket ${bucket}`);
    }
  }
}

/** Runs `create`, then reads the id from the list, because the output of `create` has no stable format. */
async function created(args: readonly string[], find: () => Promise<string | undefined>, title = args.at(-1)): Promise<string> {
  await runWrangler(args);
  const id = await find();
  if (id === undefined) throw new Error(`wrangler ${args.join(' ')} succeeded, but the list does not show the new resource`);
  console.log(`  created ${title} (${id})`);
  return id;
}

function writeId(environment: EnvironmentName, table: string, key: string, id: string): void {
  writeFileSync(WRANGLER_CONFIG, withId(readFileSync(WRANGLER_CONFIG, 'utf8'), { environment, table, key, id }));
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
  if (!line || (next >= 0 && start + line.index > next)) throw new Error(`wrangler.toml has no ${key} in ${header}`);
  const at = start + line.index;
  return `${toml.slice(0, at)}${key} = "${id}"${toml.slice(at + line[0].length)}`;
}
