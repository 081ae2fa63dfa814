import { spawnSync } from 'node:child_process';
import { TOOLS } from './commands.ts';
import { ROOT } from './paths.ts';

/** Runs the tests of a configuration in the foreground, with these arguments of vitest, and exits as they do. */
export function runTests(config: string, ...args: string[]): void {
  const all = [TOOLS.vitest, 'run', '--config', config, ...args];
  process.exitCode = spawnSync(process.execPath, all, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}
