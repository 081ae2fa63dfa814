import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkTypescriptPackage } from './lib/clients/check-package.ts';
import { checkReferenceSamples } from './lib/clients/check-samples.ts';
import { startFlakyProxy } from './lib/clients/flaky-proxy.ts';
import { hasPython, PYTHON, PYTHON_CLIENT } from './lib/clients/python-client.ts';
import type { DemoServer } from './lib/demo-client.ts';
import { withDemoWorld } from './lib/demo-world.ts';
import { runMain } from './lib/main.ts';
import { failingExamples } from './lib/openapi/openapi-examples.ts';
import { inRoot } from './lib/paths.ts';

const NODE = [process.execPath, '--disable-warning=ExperimentalWarning'] as const;

/** Programs of each language: what uses the client through a proxy that fails, and an example. */
const PROGRAMS = {
  typescript: [
    [...NODE, inRoot('test', 'clients', 'check_client.ts')],
    [...NODE, inRoot('clients', 'typescript', 'examples', 'merchant-bot.ts'), '--once'],
  ],
  python: [
    [PYTHON, inRoot('test', 'clients', 'check_client.py')],
    [PYTHON, join(PYTHON_CLIENT, 'examples', 'merchant_bot.py'), '--once'],
    // Last: it empties the market.
    [PYTHON, inRoot('test', 'clients', 'decode_bodies.py')],
  ],
} as const;

/**
 * `npm run clients`: what clients rely on, against the bundle with made-up data. Every example of the OpenAPI document succeeds, the
 * TypeScript and the Python client pass their checks, the code samples of the reference are right, and a program decodes the bodies that existing clients read; without Python it
 * only says so. `--reuse` takes the `dist/` of the build just made.
 */
await runMain(async () => {
  for (const line of await checkTypescriptPackage()) console.log(`  ok   TypeScript package: ${line}`);
  for (const line of await checkReferenceSamples()) console.log(`  ok   ${line}`);
  await withDemoWorld({ reuseBuild: process.argv.includes('--reuse') }, async (server) => {
    const first = await failingExamples(server, { removing: false });
    const isPythonThere = hasPython();
    if (!isPythonThere) console.log(`bodies and Python client: skipped, ${PYTHON} 3.10 or newer not found`);
    const proxy = await startFlakyProxy(server.base_url);
    for (const program of [...PROGRAMS.typescript, ...(isPythonThere ? PROGRAMS.python : [])]) {
      if ((await run(program, server, proxy.url)) !== 0) process.exitCode = 1;
    }
    await proxy.close();
    // Last: the bodies are read from what these remove.
    const last = await failingExamples(server, { removing: true });
    const failed = [...first.failed, ...last.failed];
    for (const failure of failed) console.error(`  FAIL ${failure}`);
    console.log(`examples: ${first.sent + last.sent} requests, ${failed.length} failed`);
    if (failed.length > 0) process.exitCode = 1;
  });
});

async function run([program = '', ...args]: readonly string[], server: DemoServer, proxyUrl: string): Promise<number> {
  const { base_url: url, token, superuser_token: master } = server;
  const names = { BASE_URL: url, GAME_DATA_URL: url, PROXY_URL: proxyUrl, TOKEN: token, MASTER_TOKEN: master };
  const env = { ...process.env, ...names, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(program, args, { env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
