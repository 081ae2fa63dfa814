import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkInspector } from './assistant.ts';
import { checkNginx, checkRequestsCache } from './caches.ts';
import { checkClient } from './client.ts';
import { checkTypeNames } from './names.ts';
import { documentUrl, OUT, program, ROOT } from './places.ts';
import { checkPostman } from './postman.ts';
import { checkProxy } from './proxy.ts';
import { checkStream } from './streams.ts';

/** A check returns a summary for the table, or throws. */
type Check = () => string | Promise<string>;

const CLIENTS: Readonly<Record<string, readonly string[]>> = {
  'openapi-typescript': [program('openapi-typescript', 'bin/cli.js'), 'openapi.json', '-o', 'openapi-typescript/schema.ts'],
  'hey-api': [program('@hey-api/openapi-ts', 'bin/run.js'), '-i', 'openapi.json', '-o', 'hey-api/client', '--silent'],
  orval: [program('orval', 'dist/bin/orval.mjs'), '--config', join(ROOT, 'orval.config.mjs')],
  oazapfts: [program('oazapfts', 'dist/cli.js'), 'openapi.json', 'oazapfts/api.ts'],
  'swagger-typescript-api': [
    program('swagger-typescript-api', 'dist/cli.mjs'),
    ...['generate', '--path', 'openapi.json', '--output', 'swagger-typescript-api', '--name', 'api.ts'],
  ],
  // Reads OpenAPI 3.0 only.
  'openapi-zod-client': [program('openapi-zod-client', 'bin.js'), 'openapi-3.0.json', '-o', 'openapi-zod-client/api.ts'],
};

const CHECKS: Readonly<Record<string, Check>> = {
  'Redocly, 3.1': () => lint([program('@redocly/cli', 'bin/cli.js'), 'lint', 'openapi.json', '--config', join(ROOT, '../../redocly.yaml')]),
  'Redocly, 3.0': () =>
    lint([program('@redocly/cli', 'bin/cli.js'), 'lint', 'openapi-3.0.json', '--config', join(ROOT, '../../redocly.yaml')]),
  Spectral: () =>
    lint([
      program('@stoplight/spectral-cli', 'dist/index.js'),
      ...['lint', 'openapi.json', 'openapi-3.0.json', '--ruleset', join(ROOT, 'spectral.yaml'), '--fail-severity', 'hint'],
    ]),
  ...Object.fromEntries(Object.entries(CLIENTS).map(([name, command]) => [name, () => checkClient(name, () => run(command))])),
  'quicktype, Python': () => checkTypeNames('python', 'py'),
  'quicktype, Go': () => checkTypeNames('go', 'go'),
  'quicktype, C#': () => checkTypeNames('csharp', 'cs'),
  'Prism as proxy': checkProxy,
  'nginx with proxy_cache': checkNginx,
  'requests-cache': checkRequestsCache,
  'MCP inspector': () => checkInspector((args) => run([program('@modelcontextprotocol/inspector-cli', 'build/cli.js'), '--cli', ...args])),
  eventsource: () => checkStream('eventsource'),
  'event-source-polyfill': () => checkStream('event-source-polyfill'),
  // Must run last, because it also sends deletions.
  'openapi-to-postmanv2 + newman': checkPostman,
};

/** Runs a program in the folder of generated files. Throws its output on failure. */
function run([file = '', ...args]: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: OUT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
  return stdout;
}

function lint(command: readonly string[]): string {
  run(command);
  return '0 findings';
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
process.env.REDOCLY_TELEMETRY = 'off';
for (const name of ['openapi.json', 'openapi-3.0.json']) {
  const response = await fetch(documentUrl(name));
  writeFileSync(join(OUT, name), await response.text());
}
const [only] = process.argv.slice(2);
let failed = 0;
for (const [name, check] of Object.entries(CHECKS)) {
  if (only !== undefined && !name.toLowerCase().includes(only.toLowerCase())) continue;
  try {
    console.log(`  ok    ${name.padEnd(30)} ${await check()}`);
  } catch (error) {
    failed += 1;
    console.log(`  FAIL  ${name.padEnd(30)} ${(error instanceof Error ? error.message : String(error)).trim().slice(0, 4000)}`);
  }
}
console.log(`generators: ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
