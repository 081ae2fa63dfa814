import type { D1Migration } from '@cloudflare/vitest-plugin';

declare global {
  namespace Cloudflare {
    interface Env {
      /** Migrations handed to the test worker by the configuration. */
      TEST_MIGRATIONS: D1Migration[];
      /** A second database that simulates a stale replica: `freezeReplica`. */
      STALE_DB: D1Database;
      /** Paths of the endpoints that the contract suites test, separated by spaces; all when absent. */
      ENDPOINT_PATHS?: string;
      /** Factor on the number of fuzz runs; 1 when absent. */
      FUZZ_SCALE?: string;
      /** Seed of the fuzz runs; a fixed one when absent. */
      FUZZ_SEED?: string;
      /** Part of the fault tests to run, such as `2/6`; all when absent. */
      FAULT_SHARD?: string;
      /** Share of the faults of each endpoint and job to try, chosen by the seed: 0 to 1; all when absent. */
      FAULT_SHARE?: string;
    }
  }
}
