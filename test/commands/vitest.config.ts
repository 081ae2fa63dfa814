import { defineConfig } from 'vitest/config';
import { inRoot, ROOT } from '../../scripts/lib/paths.ts';

/** Tests that run commands of this checkout, each as a process of its own. Part of `npm run check`. */
export default defineConfig({
  root: ROOT,
  test: {
    silent: 'passed-only',
    reporters: [inRoot('test', 'support', 'quiet-reporter.ts')],
    include: ['test/commands/**/*.test.ts'],
    environment: 'node',
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
