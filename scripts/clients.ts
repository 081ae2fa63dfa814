import { spawn, spawnSync } from 'node:child_process';
import type { DemoServer } from './lib/demo-client.ts';
import { withDemoWorld } from './lib/demo-world.ts';
import { runMain } from './lib/main.ts';
import { failingExamples } from './lib/openapi/openapi-examples.ts';
import { inRoot } from './lib/paths.ts';

const PYTHON = 'python3';
const PROGRAM = inRoot('test', 'clients', 'decode_bodies.py');

/**
 * `npm run clients`: what clients rely on, against the bundle with made-up data. Every example of the OpenAPI document succeeds, and a
 * program in another language decodes the bodies that existing clients read; without Python it only says so. `--reuse` takes the
 * `dist/` of the build just made.
 */
await runMain(async () => {
  await withDemoWorld({ reuseBuild: process.argv.includes('--reuse') }, async (server) => {
    const first = await failingExamples(server, { removing: false });
    if (spawnSync(PYTHON, ['--version']).status !== 0) console.log(`bodies: skipped, there is no ${PYTHON}`);
    else process.exitCode = await decode(server);
    // Last: the bodies are read from what these remove.
    const last = await failingExamples(server, { removing: true });
    const failed = [...first.failed, ...last.failed];
    for (const failure of failed) console.error(`  FAIL ${failure}`);
    console.log(`examples: ${first.sent + last.sent} requests, ${failed.length} failed`);
    if (failed.length > 0) process.exitCode = 1;
  });
});

async function decode({ base_url: url, token, superuser_token: master }: DemoServer): Promise<number> {
  const env = { ...process.env, BASE_URL: url, TOKEN: token, MASTER_TOKEN: master, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(PYTHON, [PROGRAM], { env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
