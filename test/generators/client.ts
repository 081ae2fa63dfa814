import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { OUT, program, ROOT } from './places.ts';

/** Number of requests of each program in `calls/`. */
const REQUESTS = 3;

/** Generates a client, compiles it with a program that uses it in strict mode, and runs the program against the service. */
export function checkClient(name: string, generate: () => void): string {
  mkdirSync(join(OUT, name), { recursive: true });
  generate();
  const calls = join(ROOT, 'calls', `${name}.ts`);
  compile(name, calls);
  const bundle = join(OUT, name, 'calls.mjs');
  buildSync({
    entryPoints: [calls],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    nodePaths: [join(ROOT, 'node_modules')],
    banner: REQUIRE,
  });
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundle], { encoding: 'utf8' });
  if (status !== 0 || stdout.trim() !== `${REQUESTS} requests`) throw new Error(`requests: ${stdout}${stderr}`);
  return `generates, compiles with --strict, ${REQUESTS} requests succeeded`;
}

/** CommonJS packages call `require` at run time. */
const REQUIRE = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };

function compile(name: string, calls: string): void {
  const config = join(OUT, name, 'tsconfig.json');
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [calls] }));
  const { status, stdout } = spawnSync(process.execPath, [program('typescript', 'bin/tsc'), '-p', config], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`compilation: ${stdout}`);
}
