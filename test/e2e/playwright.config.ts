import { defineConfig } from '@playwright/test';
import { inRoot } from '../../scripts/lib/paths.ts';
import { BROWSER_ARGS } from './find-chromium.ts';

/** Timeout of an action; long enough for a busy machine. */
const ACTION_MS = 90_000;
/** A journey of some minutes, and the visits to all pages. */
const JOURNEY_MS = 600_000;
/** Ends a browser that hangs: far more than all journeys take on a busy machine. */
const ALL_MS = 1_800_000;
/** Each has a browser and a server of its own. Two keep two cores busy. */
const WORKERS = 2;

/** The browser tests, started by `npm run e2e`, which finds the browser. */
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '*.spec.ts',
  workers: WORKERS,
  fullyParallel: true,
  timeout: JOURNEY_MS,
  globalTimeout: ALL_MS,
  reporter: 'list',
  reportSlowTests: null,
  outputDir: inRoot('.local', 'e2e'),
  use: {
    actionTimeout: ACTION_MS,
    navigationTimeout: ACTION_MS,
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? '', args: BROWSER_ARGS },
  },
});
