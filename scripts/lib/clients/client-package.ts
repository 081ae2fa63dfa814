import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildAssets } from '../asset-build.ts';
import { UserError } from '../main.ts';
import { inRoot } from '../paths.ts';

export const TYPESCRIPT_CLIENT = inRoot('clients', 'typescript');
const OUTPUT = join(TYPESCRIPT_CLIENT, 'dist');

/** Installs missing packages of the TypeScript client. It has its own lockfile, because its package is checked with tools of its own. */
export async function requireClientPackages(): Promise<void> {
  if (existsSync(inRoot('clients', 'typescript', 'node_modules', '.package-lock.json'))) return;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: TYPESCRIPT_CLIENT, stdio: 'inherit' });
  if (status !== 0) throw new UserError('The packages of clients/typescript could not be installed.');
}

/** Compiles the TypeScript client to `dist`. Throws the errors of the compiler. */
export async function buildTypescriptClient(): Promise<void> {
  await requireClientPackages();
  await buildAssets();
  rmSync(OUTPUT, { recursive: true, force: true });
  const { status, stdout, stderr, error } = spawnSync('npm', ['run', 'build', '--silent'], { cwd: TYPESCRIPT_CLIENT, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`clients/typescript cannot be built\n${stdout}${stderr}`);
}
