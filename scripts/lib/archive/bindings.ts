import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { getPlatformProxy } from 'wrangler';
import { readAll } from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { type ContentStore, createContentStore, sha256Of } from '../../../src/platform/storage/content-store.ts';
import { createDatabase, type Database } from '../../../src/platform/storage/database.ts';
import { TOOL_ENV } from '../commands.ts';
import { readWranglerConfig, remoteEnvironment } from '../config.ts';
import { openLocalState } from '../dev/local-state.ts';
import { openServedState, type ServedState } from '../dev/served-state.ts';
import { refuseSecondServer } from '../dev/server-lock.ts';
import { UserError } from '../main.ts';
import { isMigrated } from '../migrations.ts';
import { inRoot, LOCAL_STATE } from '../paths.ts';

const REMOTE_CONFIG = inRoot('.local', 'archive-remote.wrangler.json');

export interface ArchiveBindings {
  binding: D1Database;
  db: Database;
  contents: Pick<ContentStore, 'put' | 'putStream'>;
  dispose(): Promise<void>;
}

export interface BindingsOptions {
  isRemote: boolean;
  /** Folder of the local state. */
  state: string;
  /** The running server that uses the state. */
  served?: ServedState | undefined;
}

/** Opens the archive's database and bucket, local or deployed, from Node. */
export async function openArchive({ isRemote, state, served }: BindingsOptions): Promise<ArchiveBindings> {
  Object.assign(process.env, TOOL_ENV, { WRANGLER_LOG: 'warn' });
  if (!isRemote && !served && state === LOCAL_STATE) refuseSecondServer();
  const { binding, contents, dispose } = isRemote
    ? await openRemoteArchive()
    : served
      ? openServedState(served)
      : await openLocalState(state);
  if (!(await isMigrated(binding))) {
    await dispose();
    throw new UserError(`The database has no tables yet: run npm run ${isRemote ? 'deploy' : 'setup'} first.`);
  }
  return { binding, db: createDatabase(binding as unknown as Parameters<typeof createDatabase>[0]), contents, dispose };
}

/** Opens the deployed database and bucket through wrangler's proxy. Its configuration has these bindings only and does not run the Worker. */
async function openRemoteArchive() {
  const { name, compatibility_date, d1_databases, r2_buckets } = readWranglerConfig(remoteEnvironment());
  const remote = <Item extends object>(items: readonly Item[]) => items.map((item) => ({ ...item, remote: true }));
  const buckets = r2_buckets.filter(({ binding }: { binding: string }) => binding === 'ARCHIVE');
  mkdirSync(dirname(REMOTE_CONFIG), { recursive: true });
  writeFileSync(
    REMOTE_CONFIG,
    JSON.stringify({ name, compatibility_date, d1_databases: remote(d1_databases), r2_buckets: remote(buckets) }),
  );
  const proxy = await getPlatformProxy<{ DB: D1Database; ARCHIVE: R2Bucket }>({
    configPath: REMOTE_CONFIG,
    envFiles: [],
    remoteBindings: true,
  });
  return { binding: proxy.env.DB, contents: contentsOf(proxy.env.ARCHIVE), dispose: () => proxy.dispose() };
}

/** Reads files into memory, because R2 needs the length of a stream and Node's streams have none. */
export function contentsOf(bucket: R2Bucket): Pick<ContentStore, 'put' | 'putStream'> {
  const store = createContentStore(bucket as unknown as Parameters<typeof createContentStore>[0]);
  return {
    put: store.put,
    async putStream({ sha256, body }) {
      const bytes = await readAll(body as AsyncIterable<Uint8Array>);
      if ((await sha256Of(bytes)) !== sha256) throw new Error(`${sha256} changed while it was read`);
      const { created } = await store.put(bytes);
      return { created };
    },
  };
}
