import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cloudflareTest, type D1Migration, readD1Migrations } from '@cloudflare/vitest-plugin';
import type { Plugin } from 'vite';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { withObjectExports } from '../../scripts/lib/service-entry.ts';
import { serviceBundle, wasmBindings } from './service-bundle.ts';

// The runtimes write a file for every Durable Object: in memory where the system has such a folder. Tests need no durable storage.
if (process.env.TMPDIR === undefined && existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url).href);

/** Entries whose objects have wrapped bindings. */
const OBJECT_ENTRIES = ['test/distance/entry.ts', 'test/faults/entry.ts'].map(fromRoot);

const objectExports: Plugin = {
  name: 'object-exports',
  enforce: 'pre',
  transform: (code, id) => (OBJECT_ENTRIES.includes(id) ? withObjectExports(code) : undefined),
};
/** The migration as one statement, because every test file applies all of them. */
function joined({ name, queries }: D1Migration): D1Migration {
  return { name, queries: [queries.map((query) => query.replace(/;\s*$/, '')).join(';\n')] };
}

/** The sample images by name: `imageBytes`. As provided values, the test runner would send them again for every file. */
function imageBindings(): Record<string, string> {
  const folder = fromRoot('test/fixtures/ocr/');
  return Object.fromEntries(readdirSync(folder).map((name) => [name, folder + name]));
}

/** Tests inside workerd with real bindings. `moreBindings`: additional bindings of this project; `main`: its entry, from the root. */
export function workerdSettings(moreBindings: Readonly<Record<string, string>> = {}, main?: string) {
  return {
    // A Worker has none, but the test runner may define one that is not a URL, and packages read it.
    define: { 'self.location': 'undefined' },
    plugins: [
      serviceBundle(),
      objectExports,
      cloudflareTest(async () => ({
        ...(main === undefined ? {} : { main }),
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          // The stale replica of `d1/stale-replica.ts`.
          d1Databases: { STALE_DB: 'stale' },
          dataBlobBindings: { ...(await wasmBindings()), ...imageBindings() },
          bindings: {
            ENVIRONMENT: 'test',
            SESSION_SECRET: 'a secret of the tests, 32 or more',
            USAGE_DELAY_SECONDS: '',
            BREACHED_PASSWORDS_URL: '',
            // Unreachable: no test posts to the real chat service.
            WEBHOOK_POST_BASE: 'nowhere://chat',
            SIGNED_WEBHOOK_POST_BASE: 'nowhere://signed',
            // Unreachable: host names can only be resolved if a test provides a resolver.
            DNS_OVER_HTTPS_URL: 'http://127.0.0.1:1/dns-query',
            SECRET_SCANNING_KEYS_URL: '',
            PASSWORD_COST: '16',
            TEST_MIGRATIONS: (await readD1Migrations(fromRoot('migrations'))).map(joined),
            ...moreBindings,
          },
        },
      })),
    ],
  };
}

/** Variables of the environment that the tests read, if they are set. */
export const given = (...names: string[]) =>
  Object.fromEntries(names.flatMap((name): [string, string][] => (process.env[name] ? [[name, process.env[name]]] : [])));

/** A stuck test fails; one that a busy machine delays for half a minute does not. */
export const TIMEOUTS = { testTimeout: 60_000, hookTimeout: 60_000 };
/** The same for a runtime that ends. */
export const TEARDOWN_TIMEOUT = 60_000;

/** Setup before the tests of a workerd project, and before each of its files. */
export const WORKERD_SETUP = {
  globalSetup: ['./test/support/upstreams/global-setup.ts'],
  setupFiles: ['./test/support/empty-storage.ts'],
};

/** A project of tests inside workerd. `main`, `moreBindings`: as for `workerdSettings`. */
export function workerProject(
  name: string,
  files: { include: string[]; exclude?: string[]; isolate?: boolean },
  main?: string,
  moreBindings: Readonly<Record<string, string>> = {},
): TestProjectInlineConfiguration {
  return {
    ...workerdSettings(moreBindings, main),
    test: {
      name,
      ...files,
      ...WORKERD_SETUP,
      ...TIMEOUTS,
    },
  };
}
