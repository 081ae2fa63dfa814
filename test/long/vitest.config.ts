import { defineConfig } from 'vitest/config';
import { buildAssets } from '../../scripts/lib/asset-build.ts';
import { ROOT } from '../../scripts/lib/paths.ts';
import { given, WORKERD_SETUP, workerdSettings, workerProject } from '../support/workerd-project.ts';

/** How many times as many inputs the fuzz suite tries; `FUZZ_SCALE=<number>` in the environment for a shorter run. */
const FUZZ_SCALE = process.env.FUZZ_SCALE ?? '50';

/** Copies of each row in the stores of the growth test: 1, 10 and 100 times as much. */
const GROWTH_COPIES = process.env.GROWTH_COPIES ?? '100,1000,10000';

/** Tests under Node: they measure processor time, which workerd does not tell, or run commands. */
const UNDER_NODE = [
  'test/long/archive-failures.test.ts',
  'test/long/designs-cost.test.ts',
  'test/long/ocr-cost.test.ts',
  'test/long/render-fuzz.test.ts',
  'test/long/rollout.test.ts',
  'test/long/search-worst.test.ts',
  'test/long/token-failures.test.ts',
  'test/unit/{gems,ocr}/reference.test.ts',
  'test/unit/scripts/{resources,rollout}.test.ts',
];

/** Every endpoint, job and alarm with a fault at each use of a binding. */
const FAULTS = ['test/long/faults.test.ts', 'test/long/job-kills.test.ts'];

await buildAssets();

/**
 * `npm run test:long`: what takes too long for every run of the tests. `FUZZ_SEED=<number>` in the environment sends
 * the fuzz suite elsewhere; without it the same inputs come each time. `FAULT_SHARD=2/6` runs a part of the fault tests, `FAULT_SHARE=0.2` a
 * fifth of the faults of each; `-t TITLE` runs those of one endpoint or job.
 */
export default defineConfig({
  root: ROOT,
  test: {
    silent: 'passed-only',
    projects: [
      {
        ...workerdSettings({
          FUZZ_SCALE,
          GROWTH_COPIES,
          ...given('FUZZ_SEED', 'ARCHIVE_KILLS', 'MARKET_LISTINGS', 'BOARD_DAYS', 'WEBHOOKS'),
        }),
        test: {
          name: 'long',
          include: [
            'test/long/**/*.test.ts',
            'test/contract/{access-and-fuzz,conformance,growth}.test.ts',
            'test/worker/codexes/search.test.ts',
            'test/worker/portal/tools/*.test.ts',
            'test/worker/mods-catalog/publishing/hostile-files.test.ts',
            'test/worker/upstream/hostile-*.test.ts',
            'test/worker/platform/memory-reservations.test.ts',
            'test/worker/portal/tools-agreement.test.ts',
          ],
          exclude: [...UNDER_NODE, ...FAULTS],
          ...WORKERD_SETUP,
          globalSetup: [...WORKERD_SETUP.globalSetup, './test/support/processor-time.ts'],
          testTimeout: 600_000,
        },
      },
      // Another entry: the bindings of its objects fail as well.
      workerProject('long-faults', { include: FAULTS }, './test/faults/entry.ts', given('FUZZ_SEED', 'FAULT_SHARD', 'FAULT_SHARE')),
      { test: { name: 'long-node', include: UNDER_NODE, environment: 'node', testTimeout: 1_800_000, env: { LONG_TESTS: '1' } } },
    ],
  },
});
