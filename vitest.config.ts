import { fileURLToPath } from 'node:url';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** The package exports its code alone; the bundler of a deployment does not mind. */
const alias = {
  'tesseract-wasm/dist/tesseract-core.wasm': fileURLToPath(
    new URL('./node_modules/tesseract-wasm/dist/tesseract-core.wasm', import.meta.url).href,
  ),
};
const migrationsPath = fileURLToPath(new URL('./migrations', import.meta.url).href);

/** Tests that need a runtime of their own: the suites over every route, and those that leave the service's memory in another state. */
const ALONE = ['test/contract/**/*.test.ts', 'test/worker/game-status/entry.test.ts', 'test/worker/events/chaos.test.ts'];

/** Tests inside workerd against the real bindings. */
function workerProject(name: string, files: { include: string[]; exclude?: string[]; isolate?: boolean }): TestProjectInlineConfiguration {
  return {
    resolve: { alias },
    plugins: [
      cloudflareTest(async () => ({
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          bindings: {
            ENVIRONMENT: 'test',
            SESSION_SECRET: 'a secret of the tests, 32 or more',
            USAGE_DELAY_SECONDS: '',
            BREACHED_PASSWORDS_URL: '',
            // Nowhere: no test posts to the real chat service.
            WEBHOOK_POST_BASE: 'nowhere://chat',
            SECRET_SCANNING_KEYS_URL: '',
            PASSWORD_COST: '1024',
            TEST_MIGRATIONS: await readD1Migrations(migrationsPath),
          },
        },
      })),
    ],
    test: {
      name,
      ...files,
      // A stuck test fails; one that a busy machine delays for some seconds does not.
      testTimeout: 30_000,
      hookTimeout: 30_000,
      globalSetup: ['./test/support/upstreams/global-setup.ts', './test/support/pictures-setup.ts'],
      setupFiles: ['./test/support/empty-storage.ts'],
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
      workerProject('worker', { include: ALONE }),
      // Loading the service takes longer than most tests: files share a runtime, whose storage is emptied before each.
      workerProject('worker-shared', { include: ['test/worker/**/*.test.ts'], exclude: ALONE, isolate: false }),
    ],
  },
});
