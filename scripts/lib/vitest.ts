import { spawnSync } from 'node:child_process';
import { planAssets, syncAssets } from './assets.ts';
import { TOOLS } from './commands.ts';
import { ROOT } from './paths.ts';

/** Runs the tests of a configuration in the foreground, with the arguments of this command, and exits as they do. */
export function runTests(config: string, ...options: string[]): void {
  syncAssets(planAssets(ROOT));
  const args = [TOOLS.vitest, 'run', '--config', config, ...options, ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}
