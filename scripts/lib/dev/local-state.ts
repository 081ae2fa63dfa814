import { readFileSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { quietTools } from '../commands.ts';
import { WRANGLER_CONFIG } from '../config.ts';
import { applyMigrations } from '../migrations.ts';
import { inRoot } from '../paths.ts';
import { RUNTIME_LOG } from './runtime-log.ts';
import { isOfAnotherVersion, type LocalState, moveStateAside, stateBehind } from './served-state.ts';

const LOADER = inRoot('scripts', 'lib', 'dev', 'local-state-worker.js');
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const HOST = '127.0.0.1';

/**
 * Opens database and archive of a state folder through a helper Worker: wrangler's proxy makes a call for every step of every
 * statement and is about ten times slower.
 */
export async function openLocalState(state: string): Promise<LocalState> {
  quietTools();
  const { workerOptions } = unstable_getMiniflareWorkerOptions(WRANGLER_CONFIG);
  const { d1Databases, r2Buckets, compatibilityDate } = workerOptions;
  const restoreHandlers = keepStopHandlers();
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
      ...RUNTIME_LOG,
      resourcePersistencePath: state,
      unsafeDirectSockets: [{ host: HOST, port: 0 }],
    } as Parameters<typeof convertV4MiniflareOptions>[0]),
  );
  restoreHandlers();
  await mf.ready;
  const url = (await mf.unsafeGetDirectURL()).origin;
  return { ...stateBehind({ url, key: '' }), dispose: () => mf.dispose() };
}

/**
 * Miniflare exits the process at a stop signal. Returns a function that removes these handlers for signals that the script handles
 * itself: it disposes the runtime after its work.
 */
function keepStopHandlers(): () => void {
  const own = STOP_SIGNALS.map((signal) => ({ signal, handlers: process.listeners(signal) }));
  return () => {
    for (const { signal, handlers } of own) {
      const added = process.listeners(signal).filter((handler) => handlers.length > 0 && !handlers.includes(handler));
      for (const handler of added) process.off(signal, handler);
    }
  };
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
