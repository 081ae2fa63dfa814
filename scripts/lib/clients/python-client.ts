import { spawnSync } from 'node:child_process';
import { inRoot } from '../paths.ts';

export const PYTHON = 'python3';
export const PYTHON_CLIENT = inRoot('clients', 'python');

/** Whether this machine has the Python that the client needs, 3.10 or newer. */
export function hasPython(): boolean {
  const check = 'import sys; sys.exit(sys.version_info < (3, 10))';
  return spawnSync(PYTHON, ['-c', check], { stdio: 'ignore' }).status === 0;
}

/** Whether this machine has pip for that Python. */
export function hasPip(): boolean {
  return hasPython() && spawnSync('pip', ['--version'], { stdio: 'ignore' }).status === 0;
}
