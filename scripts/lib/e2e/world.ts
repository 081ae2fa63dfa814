import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { startUpstreams, stopUpstreams } from '../../../test/support/upstreams/registry.ts';
import { type RunningBundle, startBundle } from '../bundle.ts';
import { UserError } from '../main.ts';
import { inRoot } from '../paths.ts';

export const SUPERUSER = { email: 'root@portal.example', password: 'a superuser of the browser tests' };
export const SCREENSHOTS = inRoot('.local', 'screenshots');
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Address of the captcha's script; nothing else outside the machine is asked for. */
const CAPTCHA_SCRIPT = 'https://challenges.cloudflare.com/**';

/** Stands in for the captcha's widget: everybody solves it. What it answers is checked by the provider's stand-in. */
const CAPTCHA_WIDGET = `window.turnstile = {
  render(place, { action }) { place.dataset.solved = action; return place; },
  getResponse: (place) => 'solved.' + place.dataset.solved + '.' + crypto.randomUUID(),
  reset() {},
};`;

export interface World {
  bundle: RunningBundle;
  url: string;
  browser: Browser;
  /** A browser of its own: no cookies, every fault of a page counted. */
  visitor(options?: Parameters<Browser['newContext']>[0]): Promise<Visitor>;
  stop(): Promise<void>;
}

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Errors of scripts, refusals by the policy, and dialogs that a smuggled script opened. */
  faults: string[];
}

/** The bundle that would be deployed, as a development server, with stand-ins of the outside services and a browser. */
export async function startWorld({ reuseBuild }: { reuseBuild: boolean }): Promise<World> {
  const executablePath = BROWSERS.find((path) => existsSync(path));
  if (!executablePath) throw new UserError(`No browser found (${BROWSERS.join(', ')}); on Debian: apt-get install chromium`);
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  mkdirSync(SCREENSHOTS, { recursive: true });
  const upstreams = await startUpstreams(() => 0);
  const captcha = upstreams.find(({ name }) => name === 'captcha');
  await fetch(`${captcha?.url}/control`, { method: 'PUT', body: JSON.stringify({ state: { hostname: '127.0.0.1' } }) });
  const vars = upstreams.filter(({ name }) => name !== 'mail').map(({ vars }) => vars ?? {});
  const bundle = await startBundle({ reuseBuild, vars: Object.assign({}, ...vars, OWN_VARS) });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  return {
    bundle,
    url: bundle.url,
    browser,
    visitor: (options) => newVisitor(browser, options),
    async stop() {
      await browser.close();
      await bundle.dispose();
      await stopUpstreams(upstreams);
    },
  };
}

const OWN_VARS = {
  ENVIRONMENT: 'development',
  SESSION_SECRET: 'a secret of the browser tests, 32 or more',
  SUPERUSER_EMAIL: SUPERUSER.email,
  SUPERUSER_PASSWORD: SUPERUSER.password,
  CAPTCHA_SITEKEY: '1x00000000000000000000AA',
  CAPTCHA_SECRET: 'captcha-secret',
  RATE_LIMIT_MULTIPLIER: '100',
};

async function newVisitor(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await context.route(CAPTCHA_SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: CAPTCHA_WIDGET }));
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) faults.push(`policy: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { context, page, faults };
}

const run = promisify(execFile);

/** What curl says to the command line that the portal shows: status and body. */
export async function curl(command: string): Promise<{ status: number; body: string }> {
  const { stdout } = await run('sh', ['-c', `${command} -s -w '\\n%{http_code}'`]);
  const cut = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(cut + 1)), body: stdout.slice(0, cut) };
}
