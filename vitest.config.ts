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

/**
 * Tests that need a runtime and storage of their own: those that read whole tables, move clocks that others see, or look at
 * what is left in memory. The others share a runtime, which spares them loading the service again for each file.
 */
const ALONE = [
  'test/contract/**/*.test.ts',
  ...[
    'events',
    'rotations',
    'game-status',
    'platform',
    'codexes',
    'leaderboards',
    'updates',
    'feeds',
    'market',
    'misc',
    'schedule',
    'admin',
    'service',
    'giveaways',
    'activity',
  ].map((area) => `test/worker/${area}/**/*.test.ts`),
  'test/worker/tokens/token-jobs.test.ts',
];

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
      setupFiles: ['./test/support/apply-migrations.ts'],
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
      workerProject('worker-shared', { include: ['test/worker/**/*.test.ts'], exclude: ALONE, isolate: false }),
    ],
  },
});
