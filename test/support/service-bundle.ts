import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin as BundlerPlugin, build } from 'esbuild';
import { type Plugin, parseSync } from 'vite';
import type {} from 'vitest/config';
import { withForgetService } from '../../scripts/lib/service-entry.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url).href);
const FOLDER = join(ROOT, 'node_modules/.cache/test-service');
const FILE_NAME = 'service.bundled.mjs';

/** The runtime imports the bundle itself; all other modules go through the module runner. */
const ALL_BUT_THE_BUNDLE = /^(?!.*\/service\.bundled\.mjs$)/;

/** Bundles of earlier runs to keep: other runs of the same checkout may still load them. */
const KEPT_BUNDLES = 4;

/**
 * Takes wasm modules from the bindings of `wasmBindings`. Loaded as modules, each of their five million bytes would reach every runtime as a
 * number in JSON.
 */
function wasmModules(files: Record<string, string>): BundlerPlugin {
  return {
    name: 'wasm-modules',
    setup(bundler) {
      bundler.onResolve({ filter: /\.wasm$/ }, ({ path }) => {
        files[path] = join(ROOT, 'node_modules', path);
        return { path, namespace: 'wasm' };
      });
      bundler.onLoad({ filter: /.*/, namespace: 'wasm' }, ({ path }) => ({
        contents: `import { env } from 'cloudflare:workers';
          export default env.__VITEST_POOL_WORKERS_UNSAFE_EVAL.newWasmModule(env[${JSON.stringify(path)}]);`,
      }));
    },
  };
}

/** Modules of the runtime cannot be required, only imported. */
const requiredModules: BundlerPlugin = {
  name: 'required-modules',
  setup(bundler) {
    bundler.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: 'required' } : { path, external: true },
    );
    bundler.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `import content from ${JSON.stringify(path)}; module.exports = content;`,
    }));
  },
};

/** Lets a test file forget the service of its runtime, whose caches would show it the data of the file before. */
const forgettableService: BundlerPlugin = {
  name: 'forgettable-service',
  setup(bundler) {
    bundler.onLoad({ filter: /\/src\/index\.ts$/ }, ({ path }) => ({
      contents: withForgetService(readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/** Every module of the service; browser code is built elsewhere. */
function listModules(): string[] {
  return globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !file.startsWith('src/assets/') && !file.endsWith('.d.ts'));
}

interface ServiceBundle {
  path: string;
  /** The paths of wasm files by the names under which the service imports them. */
  wasmFiles: Record<string, string>;
}

/** Bundles all modules of the service into one file, whose only export gives each module by its path. Evaluates a module on first use. */
async function bundleService(): Promise<ServiceBundle> {
  const files = listModules();
  const wasmFiles: Record<string, string> = {};
  const entry = `export const modules = {\n${files.map((file) => `${JSON.stringify(file)}: () => import('./${file}'),`).join('\n')}\n};`;
  const outfile = join(FOLDER, FILE_NAME);
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: ROOT, sourcefile: 'modules.ts', loader: 'ts' },
    outfile,
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    sourcemap: 'linked',
    sourcesContent: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
    define: {
      // Packages assign it, which the plugin's text replacement cannot handle.
      'import.meta.url': 'moduleUrl',
      // A Worker has none, but the runner may define one that is not a URL.
      'self.location': 'undefined',
    },
    banner: { js: "let moduleUrl = 'file:///service.js';" },
    plugins: [wasmModules(wasmFiles), requiredModules, forgettableService],
    logLevel: 'error',
  });
  const code = outputFiles.find((file) => file.path === outfile)?.text ?? '';
  const map = outputFiles.find((file) => file.path === `${outfile}.map`)?.text ?? '';
  return { path: storeBundle(code, map), wasmFiles };
}

/** Stores the bundle in a folder named by its content, so that runs at the same time do not overwrite each other's. */
function storeBundle(code: string, map: string): string {
  const folder = join(FOLDER, createHash('sha256').update(code).digest('hex').slice(0, 16));
  const path = join(folder, FILE_NAME);
  mkdirSync(folder, { recursive: true });
  // Other runs may read the file.
  for (const [name, text] of [
    [`${path}.map`, map],
    [path, `${code}`],
  ] as const) {
    writeFileSync(`${name}.${process.pid}`, text);
    renameSync(`${name}.${process.pid}`, name);
  }
  const others = readdirSync(FOLDER).map((name) => join(FOLDER, name));
  const newestFirst = others.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of newestFirst.slice(KEPT_BUNDLES)) if (old !== folder) rmSync(old, { recursive: true, force: true });
  return path;
}

/** The values that a module exports, without types. The service has no `export *`. */
function exportsOf(path: string): string[] {
  const entries = parseSync(path, readFileSync(path, 'utf8')).module.staticExports.flatMap((statement) => statement.entries);
  return entries.filter(({ isType }) => !isType).map(({ exportName }) => exportName.name ?? 'default');
}

const isServiceModule = (id: string) => /^src\/(?!assets\/).*\.tsx?$/.test(relative(ROOT, id));

let bundled: Promise<ServiceBundle> | undefined;

/** The bundle, which is built once. */
function getBundle(): Promise<ServiceBundle> {
  bundled ??= bundleService();
  return bundled;
}

/** Bindings with the bytes of the wasm modules of the bundle. */
export async function wasmBindings(): Promise<Record<string, string>> {
  return (await getBundle()).wasmFiles;
}

/**
 * Loads the service as one bundled module in place of its thousand source files and their packages, each of which would cost every runtime
 * a round trip and a transform. A test that imports a source file gets the module that the service itself uses.
 */
export function serviceBundle(): Plugin {
  return {
    name: 'service-bundle',
    enforce: 'pre',
    config: {
      // After the Workers plugin, which would have the module runner load every module.
      order: 'post',
      handler(config) {
        const { deps } = (config as { test: { server: { deps: { inline: unknown } } } }).test.server;
        deps.inline = [ALL_BUT_THE_BUNDLE];
      },
    },
    // The test runner caches modules by their source, which does not tell that the bundle changed.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (isServiceModule(id) ? false : undefined));
      // Before it is needed, while the test runner starts. A failure is reported when a runtime starts.
      getBundle().catch(() => {});
    },
    async load(id) {
      const file = relative(ROOT, id);
      // Global setups run under Node, on the source files.
      if (this.environment.name === '__vitest__' || !isServiceModule(id)) return;
      const { path } = await getBundle();
      const lines = exportsOf(id).map((name) =>
        name === 'default' ? 'export default module.default;' : `export const ${name} = module.${name};`,
      );
      return [
        `import { modules } from ${JSON.stringify(path)};`,
        `const module = await modules[${JSON.stringify(file)}]();`,
        ...lines,
      ].join('\n');
    },
  };
}
