import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { drizzle } from 'drizzle-orm/d1';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { createTokenRow } from '../../src/platform/access/tokens/mint-token.ts';
import { apiTokens } from '../../src/platform/access/tokens.tables.ts';
import { type Account, ensureAccount, ORDINARY_ACCOUNT, SUPERUSER_ACCOUNT } from './accounts.ts';
import { BUNDLE_FOLDER, buildBundle, listUploads } from './build-bundle.ts';
import { TOOL_ENV } from './commands.ts';
import { productionVars, tokenPrefixIn, WRANGLER_CONFIG } from './config.ts';
import { applyMigrations } from './migrations.ts';

const WORKER_NAME = 'game-data-api';

const MODULE_TYPES: Readonly<Record<string, 'ESModule' | 'CompiledWasm' | 'Text' | 'Data'>> = {
  '.js': 'ESModule',
  '.wasm': 'CompiledWasm',
  '.txt': 'Text',
  '.html': 'Text',
  '.sql': 'Text',
  '.bin': 'Data',
};

export interface BundleOptions {
  /** Laid over the variables of wrangler.toml, which are production's; `.dev.vars` is never read. */
  vars?: Record<string, string>;
  /** Also listen on a socket that leads straight to the Worker: the ordinary address caps throughput at a third. */
  directSocket?: { host: string; port: number };
  /** Use the `dist/` of an earlier build. */
  reuseBuild?: boolean;
  /** The `dist/` of another checkout, in place of this one's. */
  bundleFolder?: string;
  /** Keep storage in this folder instead of in memory. */
  persistTo?: string;
  /** Leave the static assets out: the local runtime puts an asset router of its own in front of a Worker that has them. */
  withoutAssets?: boolean;
  /** Offer the inspector of the runtime there, 0 on any free port: benches read the heap through it. */
  inspectorPort?: number;
  /** Show what the Worker logs. */
  showLogs?: boolean;
}

export interface MintRequest {
  superuser?: boolean;
  /** Scope mask; 0 (the default) is every scope. */
  scopes?: number;
  allowedIps?: readonly string[];
  expiresAt?: number | null;
}

export interface RunningBundle {
  /** Origin of the ordinary address, without a trailing slash. */
  url: string;
  /** Origin of the direct socket, when one was asked for. It sets no CF-Connecting-IP: the client has to. */
  directUrl: string | null;
  mf: Miniflare;
  database: D1Database;
  mintToken(request?: MintRequest): Promise<string>;
  dispose(): Promise<void>;
}

/** Runs the deployable bundle in the local runtime with the bindings of wrangler.toml and a migrated database. */
export async function startBundle(options: BundleOptions = {}): Promise<RunningBundle> {
  Object.assign(process.env, TOOL_ENV, { WRANGLER_LOG: 'warn' });
  if (!(options.bundleFolder || (options.reuseBuild && existsSync(join(BUNDLE_FOLDER, 'index.js'))))) await buildBundle();
  const vars = { ...productionVars(), ...options.vars };
  const mf = new Miniflare(miniflareOptions(vars, options));
  try {
    const url = (await mf.ready).origin;
    const database = (await mf.getD1Database('DB')) as unknown as D1Database;
    await applyMigrations(database);
    const { directSocket } = options;
    return {
      url,
      directUrl: directSocket ? `http://${directSocket.host}:${directSocket.port}` : null,
      mf,
      database,
      mintToken: (request = {}) => mintToken(database, tokenPrefixIn(vars), request),
      dispose: () => mf.dispose(),
    };
  } catch (error) {
    await mf.dispose();
    throw error;
  }
}

/** wrangler's own reading of wrangler.toml, with the bundle in place of the sources. */
function miniflareOptions(vars: Record<string, string>, options: BundleOptions) {
  const { modulesRules: _, ...worker } = unstable_getMiniflareWorkerOptions(WRANGLER_CONFIG).workerOptions;
  const folder = options.bundleFolder ?? BUNDLE_FOLDER;
  return convertV4MiniflareOptions({
    ...worker,
    ...(options.withoutAssets ? { assets: undefined } : {}),
    name: WORKER_NAME,
    rootPath: folder,
    modulesRoot: folder,
    modules: readModules(folder),
    bindings: vars,
    host: '127.0.0.1',
    port: 0,
    cf: false,
    logRequests: false,
    handleStructuredLogs: ({ message }: { message: string }) => {
      if (options.showLogs) console.log(message);
    },
    unsafeDirectSockets: options.directSocket ? [options.directSocket] : [],
    resourcePersistencePath: options.persistTo,
    ...(options.inspectorPort === undefined ? {} : { inspectorPort: options.inspectorPort }),
  });
}

/** The entry point comes first; how a module is loaded follows from its name, as in wrangler's default rules. */
function readModules(folder: string) {
  const names = ['index.js', ...listUploads(folder).filter((name) => name !== 'index.js')];
  return names.map((name) => {
    const path = join(folder, name);
    const type = MODULE_TYPES[extname(name)];
    if (!type) throw new Error(`dist/${name}: unknown kind of module`);
    return { type, path, contents: readFileSync(path) };
  });
}

async function mintToken(binding: D1Database, tokenPrefix: string, request: MintRequest): Promise<string> {
  const database = drizzle(binding);
  const now = Math.floor(Date.now() / 1000);
  const account: Account = request.superuser ? SUPERUSER_ACCOUNT : ORDINARY_ACCOUNT;
  const userId = await ensureAccount(database, account, now);
  const { scopes = 0, allowedIps = [], expiresAt = null } = request;
  const { secret, row } = createTokenRow({ userId, name: 'bundle test', scopes, allowedIps, expiresAt, now, tokenPrefix });
  await database.insert(apiTokens).values(row);
  return secret;
}
