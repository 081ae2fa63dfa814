import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { buildTypescriptClient, requireClientPackages, TYPESCRIPT_CLIENT } from '../../scripts/lib/clients/client-package.ts';
import { inRoot } from '../../scripts/lib/paths.ts';

/** Maximum size of the client with its dependencies, minified and compressed. */
const MAX_GZIP_BYTES = 8 * 1024;
/** An unreachable registry: a dry run needs none. */
const NO_REGISTRY = ['--registry', 'http://127.0.0.1:9/', '--fetch-retries', '0'];

/** Builds the TypeScript package and checks its published content. Returns a line per check; throws on a failure. */
export async function checkTypescriptPackage(): Promise<string[]> {
  await requireClientPackages();
  await buildTypescriptClient();
  run(process.execPath, [tool('typescript', 'bin', 'tsc'), '-p', 'tsconfig.programs.json']);
  const size = bundledBytes();
  if (size > MAX_GZIP_BYTES) throw new Error(`the client has ${size} bytes compressed; the maximum is ${MAX_GZIP_BYTES}`);
  const published = run('npm', ['publish', '--dry-run', '--ignore-scripts', '--loglevel', 'notice', ...NO_REGISTRY]);
  if (!published.includes('+ game-data-api@')) throw new Error(`npm publish --dry-run: ${published}`);
  run(process.execPath, [tool('publint', 'src', 'cli.js'), 'run', '.', '--strict']);
  return ['package and programs compile', `${size} bytes compressed, openapi-fetch included`, 'npm publish --dry-run and publint'];
}

function bundledBytes(): number {
  const { outputFiles } = buildSync({
    entryPoints: [join(TYPESCRIPT_CLIENT, 'dist', 'index.js')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

function tool(...path: readonly string[]): string {
  return inRoot('clients', 'typescript', 'node_modules', ...path);
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: TYPESCRIPT_CLIENT, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${args.join(' ')}\n${stdout}${stderr}`);
  return stdout + stderr;
}
