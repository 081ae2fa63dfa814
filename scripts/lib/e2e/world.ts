import { mkdirSync, rmSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { inRoot } from '../paths.ts';
import { type Services, startServices } from './services.ts';

export const SCREENSHOTS = inRoot('.local', 'screenshots');
/** Address of the captcha's script; nothing else outside the machine is asked for. */
const CAPTCHA_SCRIPT = 'https://challenges.cloudflare.com/**';

/** Stands in for the captcha's widget: everybody solves it. What it answers is checked by the provider's stand-in. */
const CAPTCHA_WIDGET = `window.turnstile = {
  render(place, { action }) { place.dataset.solved = action; return place; },
  getResponse: (place) => 'solved.' + place.dataset.solved + '.' + crypto.randomUUID(),
  reset() {},
};`;

export interface World extends Services {
  browser: Browser;
  /** Secrets that were shown once: no page may show them again. */
  secrets: Set<string>;
  /** A browser of its own: no cookies, every fault of a page counted. */
  visitor(options?: Parameters<Browser['newContext']>[0]): Promise<Visitor>;
}

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Errors of scripts, refusals by the policy, and dialogs that a smuggled script opened. */
  faults: string[];
}

export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** The services with a browser to look at them. */
export async function startWorld(browser: Browser, options: { reuseBuild: boolean }): Promise<World> {
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  mkdirSync(SCREENSHOTS, { recursive: true });
  const services = await startServices(options);
  return { ...services, browser, secrets: new Set(), visitor: (options) => newVisitor(browser, options) };
}

/** How long a step may take: a busy machine is no failure. */
const TIMEOUT_MS = 90_000;

async function newVisitor(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
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
