import { buildAssets } from './lib/asset-build.ts';
import { runNode, TOOLS } from './lib/commands.ts';
import { runMain } from './lib/main.ts';
import { inRoot } from './lib/paths.ts';

interface Step {
  name: string;
  program: string;
  args: readonly string[];
}

/** Steps that run in parallel. Most steps keep one core busy, and small machines have two. */
const WIDTH = 2;

/** The longest first, so that both workers end at about the same time. */
const STEPS: readonly Step[] = [
  { name: 'tests of the commands', program: TOOLS.vitest, args: ['run', '--config', 'test/commands/vitest.config.ts'] },
  { name: 'types: src and worker tests', program: TOOLS.tsc, args: ['-p', 'tsconfig.json'] },
  { name: 'types: scripts and unit tests', program: TOOLS.tsc, args: ['-p', 'tsconfig.node.json'] },
  { name: 'types: scripts of tools', program: TOOLS.tsc, args: ['-p', 'tsconfig.browser.json'] },
  { name: 'binding types are up to date', program: script('types.ts'), args: ['--check'] },
  { name: 'configuration page is up to date', program: script('configuration.ts'), args: ['--check'] },
  { name: 'lint and format', program: TOOLS.biome, args: ['ci', '--colors=off', '--error-on-warnings', '.'] },
  { name: 'import direction, timers of objects, case in SQL, clocks of tests', program: script('check-imports.ts'), args: [] },
  { name: 'plain words', program: script('check-words.ts'), args: [] },
  { name: 'migrations are up to date', program: script('migrations.ts'), args: ['--check'] },
  { name: 'OpenAPI document', program: script('check-openapi.ts'), args: [] },
];

/** `npm run check`: runs all checks of the sources except the tests. */
await runMain(async () => {
  await buildAssets();
  const waiting = [...STEPS];
  let failed = 0;
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      if (!(await passes(step))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
  console.log(`check: ${STEPS.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});

async function passes({ name, program, args }: Step): Promise<boolean> {
  const start = performance.now();
  const { code, output } = await runNode(program, args);
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
  console.log(`  ${code === 0 ? 'ok  ' : 'FAIL'} ${seconds} s  ${name}`);
  if (code !== 0) console.log(`${output.trim()}\n`);
  return code === 0;
}

function script(name: string): string {
  return inRoot('scripts', name);
}
