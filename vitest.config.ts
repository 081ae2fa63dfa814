import { existsSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { WORKERD_SETUP, workerdProject } from './test/support/workerd-project.ts';

// The runtimes write a file for every Durable Object: in memory where the system has such a folder. Tests need no durable storage.
if (process.env.TMPDIR === undefined && existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';

/** Tests that need a runtime of their own. */
const ALONE = [
  // The suites over every route store their data when they are loaded.
  'test/contract/**/*.test.ts',
  // Counts the rows of all objects of the runtime, then fills the memory of its isolate: work that outlives other files would count as well.
  'test/worker/platform/alone.test.ts',
];

/** Folders in the order they start: the two longest suites, pure code while their runtimes start, and the other long suites. */
const START_ORDER = ['/test/contract/conformance', '/test/distance/', '/test/unit/', '/test/contract/', ''];

/** Starts long suites early and keeps both cores busy while a runtime starts. */
class StartOrder extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const rankOf = (moduleId: string) => START_ORDER.findIndex((folder) => moduleId.includes(folder));
    return (await super.sort(files)).sort((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
  }
}

/** Tests inside workerd against the real bindings. */
function workerProject(
  name: string,
  files: { include: string[]; exclude?: string[]; isolate?: boolean },
  main?: string,
): TestProjectInlineConfiguration {
  return {
    ...workerdProject({}, main),
    test: {
      name,
      ...files,
      ...WORKERD_SETUP,
      // A stuck test fails; one that a busy machine delays for half a minute does not.
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  };
}

/** `unit` runs pure code under Node, the others inside workerd. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    // The default leaves one core for watching; a run has nothing to watch. One more than the cores was no faster: it is one more start of the service.
    maxWorkers: '100%',
    sequence: { sequencer: StartOrder },
    projects: [
      // Pure code shares nothing that one file could spoil for another, so the files share their workers.
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: ['test/support/random-sizes.ts'],
          environment: 'node',
          isolate: false,
          testTimeout: 30_000,
        },
      },
      // The game writes arrays in two forms: what reads its files passes the same tests over files of the other one.
      {
        test: {
          name: 'unit-plain-arrays',
          include: ['test/unit/codexes/**/*.test.ts'],
          setupFiles: ['test/support/random-sizes.ts', 'test/support/codex/plain-arrays.ts'],
          environment: 'node',
          isolate: false,
          testTimeout: 30_000,
        },
      },
      workerProject('worker', { include: ALONE }),
      // Another entry: its objects have bindings behind the simulated distance.
      workerProject('distance', { include: ['test/distance/**/*.test.ts'] }, './test/distance/entry.ts'),
      // Loading the service takes longer than most tests: files share a runtime, whose storage is emptied before each.
      workerProject('worker-shared', {
        include: ['test/worker/**/*.test.ts'],
        exclude: ALONE,
        isolate: false,
      }),
    ],
  },
});
