import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { ensureBundle } from '../../scripts/lib/bundle.ts';
import { TOOL_ENV } from '../../scripts/lib/commands.ts';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import { BROWSER_ARGS, findChromium, installChromium } from './find-chromium.ts';
import { SCREENSHOTS } from './gallery.ts';
import { journeyOverHttp } from './http-journey.ts';
import { ACCOUNT_PAGES, ADMIN_PAGES, OPEN_PAGES } from './pages.ts';
import { startServices } from './services.ts';

/**
 * `npm run e2e`: tests the portal in a browser, on the deployable bundle, with mocks of all external services. `--reuse` uses the
 * existing `dist/`. `--ci` installs a browser if none is found, or uses plain HTTP if that fails, and takes no screenshots; otherwise
 * they are in `.local/screenshots`. Other options go to Playwright.
 */
await runMain(async () => {
  const options = process.argv.slice(2);
  const isCi = options.includes('--ci');
  await ensureBundle({ reuseBuild: options.includes('--reuse') });
  const executablePath = await pathOfBrowser(isCi);
  if (executablePath === null) return withoutBrowser();
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js');
  const passedOn = options.filter((option) => option !== '--ci' && option !== '--reuse');
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  const env = { ...process.env, ...TOOL_ENV, CHROMIUM_PATH: executablePath, E2E_SCREENSHOTS: String(!isCi) };
  const child = spawn(process.execPath, [cli, 'test', '--config', inRoot('test', 'e2e'), ...passedOn], { stdio: 'inherit', env });
  const [code] = await once(child, 'close');
  process.exitCode = code ?? 1;
});

/** Null if no browser is available and `isCi` is set; otherwise a missing browser is an error. */
async function pathOfBrowser(isCi: boolean): Promise<string | null> {
  const why = findChromium() === null && isCi ? await installChromium() : null;
  const executablePath = findChromium();
  if (executablePath === null) {
    if (!isCi) throw new UserError('Chromium not found: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
    console.log(`e2e: no browser (${why ?? 'not found'}): the test uses plain HTTP and does not check pages`);
    return null;
  }
  try {
    await (await chromium.launch({ executablePath, args: BROWSER_ARGS })).close();
    return executablePath;
  } catch (error) {
    if (!isCi) throw error;
    console.log(`e2e: ${executablePath} does not start: the test uses plain HTTP and does not check pages`);
    return null;
  }
}

async function withoutBrowser(): Promise<void> {
  const services = await startServices();
  try {
    await journeyOverHttp(services, [...OPEN_PAGES, ...ACCOUNT_PAGES, ...ADMIN_PAGES]);
    console.log('  ok    sign-up, token and revocation over plain HTTP');
  } finally {
    await services.stop();
  }
}
