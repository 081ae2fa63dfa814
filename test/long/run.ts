import { spawnSync } from 'node:child_process';
import { planAssets, syncAssets } from '../../scripts/lib/assets.ts';
import { TOOLS } from '../../scripts/lib/commands.ts';
import { ROOT } from '../../scripts/lib/paths.ts';

/** `npm run test:long`: runs the fuzz suites with more runs, and tests that take too long for `npm test`. */
syncAssets(planAssets(ROOT));
const args = [TOOLS.vitest, 'run', '--config', 'vitest.long.config.ts', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
