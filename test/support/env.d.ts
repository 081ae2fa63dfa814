import type { D1Migration } from '@cloudflare/vitest-plugin';

declare global {
  namespace Cloudflare {
    interface Env {
      /** Migrations handed to the test worker by the configuration. */
      TEST_MIGRATIONS: D1Migration[];
    }
  }
}
