import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { UserError } from '../main.ts';
import { inRoot } from '../paths.ts';

export const TYPESCRIPT_CLIENT = inRoot('clients', 'typescript');

/** Installs missing packages of the TypeScript client. It has its own lockfile, because its generator needs TypeScript 5. */
export async function requireClientPackages(): Promise<void> {
  if (existsSync(inRoot('clients', 'typescript', 'node_modules', '.package-lock.json'))) return;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: TYPESCRIPT_CLIENT, stdio: 'inherit' });
  if (status !== 0) throw new UserError('The packages of clients/typescript could not be installed.');
}
