import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { mintToken, type RunningBundle, readModules, TOKEN_KEY } from '../../scripts/lib/bundle.ts';
import { CommandError, quietTools, runCommand, runNode } from '../../scripts/lib/commands.ts';
import { productionVars, tokenFormatIn } from '../../scripts/lib/config.ts';
import { applyMigrations } from '../../scripts/lib/migrations.ts';
import { inRoot } from '../../scripts/lib/paths.ts';

/** A built version of the service: a checkout with its bundle in `dist/`. */
export interface BuiltVersion {
  name: string;
  root: string;
}

export interface MixedBundle extends Pick<RunningBundle, 'url' | 'mf' | 'database' | 'mintToken' | 'dispose'> {
  /** Classes of the Worker that the version of the objects lacks. They keep the Worker's version. */
  lackedClasses: string[];
  /** Classes of the Worker that use the objects' version. */
  sharedClasses: string[];
  /** Lines that both versions logged. */
  logs: string[];
}

/** Checks a revision out into a temporary folder, with the packages of this checkout, and builds its bundle with its own scripts. */
export async function buildRevision(revision: string): Promise<BuiltVersion & { remove(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'skew-'));
  const root = join(folder, 'checkout');
  const remove = async () => {
    await runCommand('git', ['worktree', 'remove', '--force', root]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await required('git worktree', runCommand('git', ['worktree', 'add', '--detach', root, revision]));
    symlinkSync(inRoot('node_modules'), join(root, 'node_modules'));
    await required(`the build of ${revision}`, runNode(join(root, 'scripts', 'run.mjs'), ['bundle'], { cwd: root }));
    return { name: revision, root, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function required(name: string, running: ReturnType<typeof runNode>): Promise<void> {
  const { code, output } = await running;
  if (code !== 0) throw new CommandError(`${name} failed`, output);
}

/**
 * Starts the Worker of one version over the objects of another. Both use one database, KV and R2, with the migrations of this checkout.
 * `persistTo`: folder of the storage.
 */
export async function startMixed(
  serving: BuiltVersion,
  objects: BuiltVersion,
  options: { vars: Record<string, string>; persistTo: string },
): Promise<MixedBundle> {
  quietTools();
  const vars = { ...productionVars(), TOKEN_KEY, ...options.vars };
  const [front, back] = [workerOf('serving', serving, vars), workerOf('objects', objects, vars)];
  const present = new Set(Object.values(back.durableObjects).map(({ className }) => className));
  const bindings = Object.entries(front.durableObjects);
  const classes = bindings.map(([, { className }]) => className);
  const durableObjects = Object.fromEntries(
    bindings.map(([name, binding]) => [name, present.has(binding.className) ? { ...binding, scriptName: 'objects' } : binding]),
  );
  const logs: string[] = [];
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      workers: [{ ...front, durableObjects }, back],
      host: '127.0.0.1',
      port: 0,
      cf: false,
      logRequests: false,
      handleStructuredLogs: ({ message }: { message: string }) => {
        logs.push(message);
      },
      resourcePersistencePath: options.persistTo,
    }),
  );
  try {
    const url = (await mf.ready).origin;
    const database = (await mf.getD1Database('DB', 'serving')) as unknown as D1Database;
    await applyMigrations(database);
    return {
      url,
      mf,
      database,
      mintToken: (request = {}) => mintToken(database, tokenFormatIn(vars), request),
      dispose: () => mf.dispose(),
      logs,
      lackedClasses: classes.filter((name) => !present.has(name)),
      sharedClasses: classes.filter((name) => present.has(name)),
    };
  } catch (error) {
    await mf.dispose();
    throw error;
  }
}

/** Options of a version's wrangler.toml, with its bundle. The variables without a value there have the defaults of its code. */
function workerOf(name: string, { root }: BuiltVersion, vars: Record<string, string>) {
  const { modulesRules: _, ...worker } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml')).workerOptions;
  const folder = join(root, 'dist');
  const durableObjects = (worker.durableObjects ?? {}) as Record<string, { className: string }>;
  return {
    ...worker,
    assets: undefined,
    durableObjects,
    name,
    rootPath: folder,
    modulesRoot: folder,
    modules: readModules(folder),
    bindings: vars,
  };
}
