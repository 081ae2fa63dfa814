import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { RunningBundle } from '../../scripts/lib/bundle.ts';
import { hasPython, PYTHON, PYTHON_CLIENT } from '../../scripts/lib/clients/python-client.ts';
import type { DemoServer } from '../../scripts/lib/demo-client.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import { COORDINATOR } from '../../src/areas/events/event-variables.domain.ts';
import { checkTypescriptPackage } from './check-package.ts';
import { checkReferenceSamples } from './check-samples.ts';
import { type ExampleServer, failingExamples } from './examples.ts';
import { startFlakyProxy } from './flaky-proxy.ts';

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
    // Must run after the others: it deletes all market listings.
    [PYTHON, inRoot('test', 'clients', 'decode_bodies.py')],
  ],
} as const;

/** Programs that must run last: they delete logged events, by a clock that is ahead. */
const LAST_PROGRAMS = {
  typescript: [[...NODE, inRoot('test', 'clients', 'check_faults.ts')]],
  python: [[PYTHON, inRoot('test', 'clients', 'check_faults.py')]],
} as const;
const SECONDS_PER_DAY = 86_400;
const NO_EXAMPLES = { sent: 0, failed: [] };

/** Checks what the clients need no server for. `hasOnlyFaults`: only the package that the requests through the proxy use. */
export async function checkPackages(hasOnlyFaults: boolean): Promise<void> {
  for (const line of await checkTypescriptPackage()) console.log(`  ok   TypeScript package: ${line}`);
  if (!hasOnlyFaults) for (const line of await checkReferenceSamples()) console.log(`  ok   ${line}`);
}

/**
 * Sends every example of the OpenAPI document, tests the TypeScript and the Python client, decodes the responses that existing clients
 * read, and sends requests of both clients through a proxy that drops, delays and reorders by a seed (environment variable `SEED`). Without
 * Python, its programs are skipped with a notice. Returns the number of failures.
 */
export async function runClients(server: ExampleServer, bundle: RunningBundle, hasOnlyFaults: boolean): Promise<number> {
  const first = hasOnlyFaults ? NO_EXAMPLES : await failingExamples(server, { removing: false });
  const canRunPython = hasPython();
  if (!canRunPython) console.log(`responses and Python client: skipped, ${PYTHON} 3.10 or newer not found`);
  const proxy = await startFlakyProxy(server.base_url, createPruner(bundle));
  const programs = (hasOnlyFaults ? [LAST_PROGRAMS] : [PROGRAMS, LAST_PROGRAMS]).flatMap(({ typescript, python }) => [
    ...typescript,
    ...(canRunPython ? python : []),
  ]);
  let failed = 0;
  for (const program of programs) {
    if ((await run(program, server, proxy.url)) !== 0) failed += 1;
  }
  await proxy.close();
  // Must run last: these examples delete data that the other checks read.
  const last = hasOnlyFaults ? NO_EXAMPLES : await failingExamples(server, { removing: true });
  const failures = [...first.failed, ...last.failed];
  for (const failure of failures) console.error(`  FAIL ${failure}`);
  console.log(`examples: ${first.sent + last.sent} requests, ${failures.length} failed`);
  return failed + failures.length;
}

/** Deletes all logged events, as the service does with those older than seven days. Clock and ids increase with each run. */
function createPruner({ mf }: RunningBundle): () => Promise<void> {
  let days = 0;
  return async () => {
    const objects = await mf.getDurableObjectNamespace('EVENT_COORDINATOR');
    const coordinator = objects.get(objects.idFromName(COORDINATOR)) as unknown as { setTestOffset(seconds: number): Promise<void> };
    days += 8;
    await coordinator.setTestOffset(days * SECONDS_PER_DAY);
  };
}

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
