import { startBundle } from '../../scripts/lib/bundle.ts';
import { runMain } from '../../scripts/lib/main.ts';
import { SMOKE_CHECKS } from './smoke-checks.ts';

/** `npm run smoke`: smoke test of the deployable bundle. `--reuse` uses the existing `dist/`. */
await runMain(async () => {
  const reuseBuild = process.argv.includes('--reuse');
  const bundle = await startBundle({ reuseBuild });
  let failed = 0;
  try {
    for (const [name, check] of Object.entries(SMOKE_CHECKS)) {
      try {
        await check(bundle);
        console.log(`  ok    ${name}`);
      } catch (error) {
        failed += 1;
        console.error(`  FAIL  ${name}\n${error instanceof Error ? error.message : error}`);
      }
    }
  } finally {
    await bundle.dispose();
  }
  console.log(`smoke: ${Object.keys(SMOKE_CHECKS).length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
