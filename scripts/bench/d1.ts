import { spawnSync } from 'node:child_process';
import { planAssets, syncAssets } from '../lib/assets.ts';
import { TOOLS } from '../lib/commands.ts';
import { ROOT } from '../lib/paths.ts';

/** `npm run bench -- d1`: counts D1 statements per request of every public route, with the seeds and inputs of the contract tests. */
syncAssets(planAssets(ROOT));
const args = [TOOLS.vitest, 'run', '--config', 'vitest.long.config.ts', '--silent=false', 'test/long/d1-statements.test.ts'];
process.exitCode = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
