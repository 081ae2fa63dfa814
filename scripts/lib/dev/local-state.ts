import { readFileSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { TOOL_ENV } from '../commands.ts';
import { WRANGLER_CONFIG } from '../config.ts';
import { applyMigrations } from '../migrations.ts';
import { inRoot } from '../paths.ts';
import { isOfAnotherVersion, type LocalState, moveStateAside, stateBehind } from './served-state.ts';

const LOADER = inRoot('scripts', 'lib', 'dev', 'local-state-worker.js');
const HOST = '127.0.0.1';

/**
 * Opens database and archive of a state folder through a helper Worker: wrangler's proxy makes a call for every step of every
 * statement and is about ten times slower.
 */
export async function openLocalState(state: string): Promise<LocalState> {
  Object.assign(process.env, TOOL_ENV, { WRANGLER_LOG: 'warn' });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(WRANGLER_CONFIG);
  const { d1Databases, r2Buckets, compatibilityDate } = workerOptions;
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      name: 'local-state',
      modules: true,
      script: readFileSync(LOADER, 'utf8'),
      compatibilityDate,
      d1Databases,
      r2Buckets,
      host: HOST,
      port: 0,
      cf: false,
      logRequests: false,
      resourcePersistencePath: state,
      unsafeDirectSockets: [{ host: HOST, port: 0 }],
    } as Parameters<typeof convertV4MiniflareOptions>[0]),
  );
  await mf.ready;
  const url = (await mf.unsafeGetDirectURL()).origin;
  return { ...stateBehind({ url, key: '' }), dispose: () => mf.dispose() };
}

/** Opens the state and applies all migrations. Incompatible state is first moved to another folder. */
export async function openMigratedState(state: string): Promise<LocalState> {
  let opened = await openLocalState(state);
  try {
    if (await isOfAnotherVersion(opened.binding)) {
      await opened.dispose();
      moveStateAside(state);
      opened = await openLocalState(state);
    }
    await applyMigrations(opened.binding);
    return opened;
  } catch (error) {
    await opened.dispose();
    throw error;
  }
}
