import { defineConfig } from '@playwright/test';
import { inRoot } from '../../scripts/lib/paths.ts';

/** Timeout of an action; long enough for a busy machine. */
const ACTION_MS = 90_000;
/** A journey of some minutes, and the visits to all pages. */
const JOURNEY_MS = 600_000;
/** Ends a browser that hangs: twice what all journeys take on a busy machine. */
const ALL_MS = 900_000;

/** The browser tests, started by `npm run e2e`, which finds the browser. */
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '*.spec.ts',
  workers: 1,
  timeout: JOURNEY_MS,
  globalTimeout: ALL_MS,
  reporter: 'list',
  reportSlowTests: null,
  outputDir: inRoot('.local', 'e2e'),
  use: {
    actionTimeout: ACTION_MS,
    navigationTimeout: ACTION_MS,
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] },
  },
});
