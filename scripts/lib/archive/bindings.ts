import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { readAll } from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { type ContentStore, createContentStore, sha256Of } from '../../../src/platform/storage/content-store.ts';
import { createDatabase, type Database } from '../../../src/platform/storage/database.ts';
import { quietTools } from '../commands.ts';
import { openLocalState } from '../dev/local-state.ts';
import { openServedState, type ServedState } from '../dev/served-state.ts';
import { refuseSecondServer } from '../dev/server-lock.ts';
import { UserError } from '../main.ts';
import { isMigrated } from '../migrations.ts';
import { LOCAL_STATE } from '../paths.ts';
import { openRemoteBindings } from '../remote-bindings.ts';
import { close, REQUEST_TIMEOUT_MS, runStep } from '../steps.ts';

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
  quietTools();
  if (!isRemote && !served && state === LOCAL_STATE) refuseSecondServer();
  const standing = 'Nothing was read or changed. Run the command again.';
  const { binding, contents, dispose } = isRemote
    ? await openRemoteArchive()
    : await runStep({ name: `Opening the local stores in ${state}`, standing }, () =>
        served ? openServedState(served) : openLocalState(state),
      );
  try {
    const step = { name: 'Reading the migrations of the database', standing, timeoutMs: REQUEST_TIMEOUT_MS };
    if (!(await runStep(step, () => isMigrated(binding))))
      throw new UserError(`The database has no tables yet: run npm run ${isRemote ? 'deploy' : 'setup'} first.`);
  } catch (error) {
    await close(dispose);
    throw error;
  }
  return {
    binding,
    db: createDatabase(binding as unknown as Parameters<typeof createDatabase>[0]),
    contents,
    dispose: () => close(dispose),
  };
}

async function openRemoteArchive() {
  const { database, bucket, dispose } = await openRemoteBindings('ARCHIVE');
  return { binding: database, contents: contentsOf(bucket), dispose };
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
