import { defineConfig } from 'vitest/config';

/** Tests that run commands of this checkout, each as a process of its own. Part of `npm run check`. */
export default defineConfig({
  test: { silent: 'passed-only', include: ['test/commands/**/*.test.ts'], environment: 'node', isolate: false, testTimeout: 30_000 },
});
