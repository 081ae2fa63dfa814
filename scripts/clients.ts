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

/** Programs of each language: a test of the client through a failing proxy, and an example. */
const PROGRAMS = {
  typescript: [
    [...NODE, inRoot('test', 'clients', 'check_client.ts')],
    [...NODE, inRoot('clients', 'typescript', 'examples', 'merchant-bot.ts'), '--once'],
  ],
  python: [
    [PYTHON, inRoot('test', 'clients', 'check_client.py')],
    [PYTHON, join(PYTHON_CLIENT, 'examples', 'merchant_bot.py'), '--once'],
    // Must run last: it deletes all market listings.
    [PYTHON, inRoot('test', 'clients', 'decode_bodies.py')],
  ],
} as const;

/**
 * `npm run clients`: tests clients against the bundle with demo data. Sends every example of the OpenAPI document, tests the TypeScript
 * and the Python client, checks the code samples of the reference, and decodes the responses that existing clients read. Without Python,
 * its programs are skipped with a notice. `--reuse` uses the existing `dist/`.
 */
await runMain(async () => {
  for (const line of await checkTypescriptPackage()) console.log(`  ok   TypeScript package: ${line}`);
  for (const line of await checkReferenceSamples()) console.log(`  ok   ${line}`);
  await withDemoWorld({ reuseBuild: process.argv.includes('--reuse') }, async (server) => {
    const first = await failingExamples(server, { removing: false });
    const canRunPython = hasPython();
    if (!canRunPython) console.log(`responses and Python client: skipped, ${PYTHON} 3.10 or newer not found`);
    const proxy = await startFlakyProxy(server.base_url);
    for (const program of [...PROGRAMS.typescript, ...(canRunPython ? PROGRAMS.python : [])]) {
      if ((await run(program, server, proxy.url)) !== 0) process.exitCode = 1;
    }
    await proxy.close();
    // Must run last: these examples delete data that the other checks read.
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
