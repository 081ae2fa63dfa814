import { defineConfig } from 'vitest/config';
import { workerProject } from './test/support/workerd-project.ts';

/** `npm run test:endpoints`: the suites over every registered endpoint. Their files store data when they are loaded, so each has a runtime. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    maxWorkers: '100%',
    projects: [
      workerProject('contract', { include: ['test/contract/**/*.test.ts'] }),
      // Another entry: its objects have bindings behind the simulated distance.
      workerProject('distance', { include: ['test/distance/**/*.test.ts'] }, './test/distance/entry.ts'),
    ],
  },
});
