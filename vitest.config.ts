import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { WORKERD_SETUP, workerdProject } from './test/support/workerd-project.ts';

/** Tests that need a runtime of their own: the suites over every route, and those that leave the service's memory in another state. */
const ALONE = [
  'test/contract/**/*.test.ts',
  'test/worker/game-status/entry.test.ts',
  'test/worker/events/chaos.test.ts',
  // Wait for a message of the stream, which files that ran before them in a shared runtime may hold up.
  'test/worker/mods-catalog/events.test.ts',
  'test/worker/mods-catalog/mirror/mirror.test.ts',
];

/** Tests inside workerd against the real bindings. */
function workerProject(name: string, files: { include: string[]; exclude?: string[]; isolate?: boolean }): TestProjectInlineConfiguration {
  return {
    ...workerdProject(),
    test: {
      name,
      ...files,
      ...WORKERD_SETUP,
      // A stuck test fails; one that a busy machine delays for some seconds does not.
      testTimeout: 30_000,
      hookTimeout: 30_000,
    },
  };
}

/** `unit` runs pure code under Node, the others inside workerd. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    // The default leaves one core for watching; a run has nothing to watch.
    maxWorkers: '100%',
    projects: [
      // Pure code shares nothing that one file could spoil for another, so the files share their workers.
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], environment: 'node', isolate: false, testTimeout: 30_000 } },
      // The game writes arrays in two forms: what reads its files passes the same tests over files of the other one.
      {
        test: {
          name: 'unit-plain-arrays',
          include: ['test/unit/codexes/**/*.test.ts'],
          setupFiles: ['test/support/codex/plain-arrays.ts'],
          environment: 'node',
          isolate: false,
          testTimeout: 30_000,
        },
      },
      workerProject('worker', { include: ALONE }),
      // Loading the service takes longer than most tests: files share a runtime, whose storage is emptied before each.
      workerProject('worker-shared', {
        include: ['test/worker/**/*.test.ts', 'test/security/**/*.test.ts'],
        exclude: ALONE,
        isolate: false,
      }),
    ],
  },
});
