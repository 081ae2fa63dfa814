import { defineConfig } from 'vitest/config';
import { buildAssets } from './scripts/lib/asset-build.ts';
import LongFilesFirst from './test/support/long-files-first.ts';
import { given, TEARDOWN_TIMEOUT, TIMEOUTS, workerProject } from './test/support/workerd-project.ts';

/** Counts the rows of all objects of the runtime, then fills the memory of its isolate: work that outlives other files would count as well. */
const ALONE = 'test/worker/platform/alone.test.ts';

await buildAssets();

/** All tests of the service. `unit` runs pure code under Node, the others inside workerd. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    reporters: ['./test/support/quiet-reporter.ts'],
    // The default leaves one core for watching; a run has nothing to watch. One more than the cores was no faster: it is one more start of the service.
    teardownTimeout: TEARDOWN_TIMEOUT,
    maxWorkers: '100%',
    sequence: { sequencer: LongFilesFirst },
    // In the order of their names.
    projects: [
      // Another entry: its objects have bindings behind the simulated distance.
      workerProject('distance', { include: ['test/distance/**/*.test.ts'] }, './test/distance/entry.ts'),
      // Pure code shares nothing that one file could spoil for another, so the files share their workers.
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: ['test/support/random-sizes.ts'],
          environment: 'node',
          isolate: false,
          ...TIMEOUTS,
        },
      },
      // The game writes arrays in two forms: what reads its files passes the same tests over files of the other one.
      {
        test: {
          name: 'unit-plain-arrays',
          include: ['test/unit/codexes/**/*.test.ts'],
          // Models and trees of recipes contain no arrays.
          exclude: ['test/unit/codexes/{crafting,render}/**'],
          setupFiles: ['test/support/random-sizes.ts', 'test/support/codex/plain-arrays.ts'],
          environment: 'node',
          isolate: false,
          ...TIMEOUTS,
        },
      },
      workerProject('worker', { include: [ALONE] }),
      // Loading the service takes longer than most tests: files share a runtime, whose storage is emptied before each. The last project,
      // because its many short files keep both cores busy until the end.
      workerProject(
        'worker-shared',
        {
          // `contract`: the suites over every registered endpoint.
          include: ['test/worker/**/*.test.ts', 'test/contract/**/*.test.ts'],
          exclude: [ALONE],
          isolate: false,
        },
        undefined,
        given('ENDPOINT_PATHS'),
      ),
    ],
  },
});
