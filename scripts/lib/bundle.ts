import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { drizzle } from 'drizzle-orm/d1';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import type { TokenFormat } from '../../src/platform/access/tokens/token-format.ts';
import { createTokenRow } from '../../src/platform/access/tokens/token-format.ts';
import { apiTokens } from '../../src/platform/access/tokens.tables.ts';
import { type Account, ensureAccount, ORDINARY_ACCOUNT, SUPERUSER_ACCOUNT } from './accounts.ts';
import { BUNDLE_FOLDER, buildBundle, listUploads } from './build-bundle.ts';
import { quietTools } from './commands.ts';
import { productionVars, tokenFormatIn, WRANGLER_CONFIG } from './config.ts';
import { applyMigrations } from './migrations.ts';
import { withForgetService } from './service-entry.ts';

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
  /** Override the variables of the top level of wrangler.toml and the defaults. `.dev.vars` is never read. */
  vars?: Record<string, string>;
  /** Also listen on a direct socket to the Worker: the proxy of the ordinary address reduces throughput to a third. */
  directSocket?: { host: string; port: number };
  /** Use the `dist/` of an earlier build. */
  reuseBuild?: boolean;
  /** Use the `dist/` of another checkout. */
  bundleFolder?: string;
  /** Keep storage in this folder instead of in memory. */
  persistTo?: string;
  /** Omit the static assets: the local runtime puts an asset router in front of a Worker with assets. */
  withoutAssets?: boolean;
  /** Port of the runtime's inspector, 0 for any free port. Benchmarks read the heap through it. */
  inspectorPort?: number;
  /** Print the Worker's log. */
  showLogs?: boolean;
  /** Modules in front, entry first, which import the bundle as `./index.js` and may call `globalThis.forgetService`. */
  wrapper?: Readonly<Record<string, string>>;
}

export interface MintRequest {
  superuser?: boolean;
  /** Scope mask; 0 (the default) is every scope. */
  scopes?: number;
  allowedIps?: readonly string[];
  expiresAt?: number | null;
}

export interface RunningBundle {
  /** Origin of the server, without a trailing slash. */
  url: string;
  /** Origin of the direct socket, if requested. It does not set CF-Connecting-IP; the client must. */
  directUrl: string | null;
  mf: Miniflare;
  database: D1Database;
  /** Key of its tokens. */
  tokenKey: string;
  mintToken(request?: MintRequest): Promise<string>;
  dispose(): Promise<void>;
}

/** The bundle may run as production, which has no default key. */
export const TOKEN_KEY = 'key of tokens in a local bundle, 32 or more';

/** Builds the bundle into `dist/`, unless an earlier build may be used. */
export async function ensureBundle({ reuseBuild }: Pick<BundleOptions, 'reuseBuild'>): Promise<void> {
  if (!reuseBuild || !existsSync(join(BUNDLE_FOLDER, 'index.js'))) await buildBundle();
}

/** Starts the deployable bundle in the local runtime with the bindings of wrangler.toml and a migrated database. */
export async function startBundle(options: BundleOptions = {}): Promise<RunningBundle> {
  quietTools();
  if (options.bundleFolder === undefined) await ensureBundle(options);
  const vars = { ...productionVars(), TOKEN_KEY, ...options.vars };
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
      tokenKey: vars.TOKEN_KEY,
      mintToken: (request = {}) => mintToken(database, tokenFormatIn(vars), request),
      dispose: () => mf.dispose(),
    };
  } catch (error) {
    await mf.dispose();
    throw error;
  }
}

/** Options of wrangler.toml as wrangler parses them, with the bundle instead of the sources. */
function miniflareOptions(vars: Record<string, string>, options: BundleOptions) {
  const { modulesRules: _, ...worker } = unstable_getMiniflareWorkerOptions(WRANGLER_CONFIG).workerOptions;
  const folder = options.bundleFolder ?? BUNDLE_FOLDER;
  return convertV4MiniflareOptions({
    ...worker,
    ...(options.withoutAssets ? { assets: undefined } : {}),
    name: WORKER_NAME,
    rootPath: folder,
    modulesRoot: folder,
    modules: wrappedModules(folder, options.wrapper),
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

/** Lists the modules of a bundle with the entry point first. File extensions determine the module type, as in wrangler's default rules. */
export function readModules(folder: string) {
  const names = ['index.js', ...listUploads(folder).filter((name) => name !== 'index.js')];
  return names.map((name) => {
    const path = join(folder, name);
    const type = MODULE_TYPES[extname(name)];
    if (!type) throw new Error(`dist/${name}: unknown module type`);
    return { type, path, contents: readFileSync(path) };
  });
}

/** The modules of a bundle, with those of a wrapper in front. */
function wrappedModules(folder: string, wrapper: BundleOptions['wrapper']) {
  const [index, ...bundle] = readModules(folder);
  if (!wrapper || !index) return index ? [index, ...bundle] : bundle;
  const own = Object.entries(wrapper).map(([name, contents]) => ({
    type: 'ESModule' as const,
    path: join(folder, name),
    contents,
  }));
  return [...own, { ...index, contents: withForgetService(index.contents.toString()) }, ...bundle];
}

/** Stores a new token of the local accounts and returns its secret. */
export async function mintToken(binding: D1Database, format: TokenFormat, request: MintRequest): Promise<string> {
  const database = drizzle(binding);
  const now = Math.floor(Date.now() / 1000);
  const account: Account = request.superuser ? SUPERUSER_ACCOUNT : ORDINARY_ACCOUNT;
  const userId = await ensureAccount(database, account, now);
  const { scopes = 0, allowedIps = [], expiresAt = null } = request;
  const { secret, row } = createTokenRow({ userId, name: 'bundle test', scopes, allowedIps, expiresAt, now, format });
  await database.insert(apiTokens).values(row);
  return secret;
}
