import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withDemoWorld } from './lib/demo-world.ts';
import { runMain } from './lib/main.ts';
import { inRoot } from './lib/paths.ts';

const FOLDER = inRoot('test', 'generators');

/**
 * `npm run check -- generators`: runs client generators, linters and proxies against the OpenAPI document of the bundle with demo data.
 * The tools need TypeScript 5 and take minutes, so they have a separate lockfile and are installed on first use. An argument selects
 * the tools whose names contain it; `--reuse` uses the existing `dist/`.
 */
await runMain(async () => {
  const args = process.argv.slice(2);
  if (!existsSync(join(FOLDER, 'node_modules'))) await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {});
  process.exitCode = await withDemoWorld({ reuseBuild: args.includes('--reuse') }, ({ base_url: url, token, superuser_token: master }) =>
    run(process.execPath, ['--disable-warning=ExperimentalWarning', 'run.ts', ...args.filter((arg) => !arg.startsWith('-'))], {
      BASE_URL: url,
      TOKEN: token,
      MASTER_TOKEN: master,
    }),
  );
});

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(program, args, { cwd: FOLDER, stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
