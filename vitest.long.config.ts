import { fileURLToPath } from 'node:url';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** The package exports its code alone; the bundler of a deployment does not mind. */
const alias = {
  'tesseract-wasm/dist/tesseract-core.wasm': fileURLToPath(
    new URL('./node_modules/tesseract-wasm/dist/tesseract-core.wasm', import.meta.url).href,
  ),
};
const migrationsPath = fileURLToPath(new URL('./migrations', import.meta.url).href);

/** How many times as many inputs the fuzz suite tries. */
const FUZZ_SCALE = '20';

/**
 * `npm run test:long`: what takes too long for every run of the tests. `FUZZ_SEED=<number>` in the environment sends
 * the fuzz suite elsewhere; without it the same inputs come each time.
 */
export default defineConfig({
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
          FUZZ_SCALE,
          ...(process.env.FUZZ_SEED ? { FUZZ_SEED: process.env.FUZZ_SEED } : {}),
        },
      },
    })),
  ],
  test: {
    name: 'long',
    silent: 'passed-only',
    include: ['test/long/**/*.test.ts', 'test/contract/fuzz.test.ts'],
    globalSetup: ['./test/support/upstreams/global-setup.ts', './test/support/pictures-setup.ts'],
    setupFiles: ['./test/support/empty-storage.ts'],
    testTimeout: 600_000,
  },
});
