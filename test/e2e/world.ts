import { type Browser, type BrowserContext, test as base, type Page } from '@playwright/test';
import { seedWorld } from './history.ts';
import { type Services, startServices } from './services.ts';

/** URL of the captcha's script, the only external resource that pages load. */
const CAPTCHA_SCRIPT = 'https://challenges.cloudflare.com/**';

/** Timeout of starting the bundle and filling it. */
const START_MS = 300_000;
/** Timeout of a step; long enough for a busy machine. */
const TIMEOUT_MS = 90_000;

/** Mock of the captcha's widget, which always succeeds. The mock of the provider checks its tokens. */
const CAPTCHA_WIDGET = `window.turnstile = {
  render(place, { action }) { place.dataset.solved = action; return place; },
  getResponse: (place) => 'solved.' + place.dataset.solved + '.' + crypto.randomUUID(),
  reset() {},
};`;

export interface World extends Services {
  browser: Browser;
  /** Secrets that were displayed once and must not appear on any page again. */
  secrets: Set<string>;
  /** Creates a browser context without cookies that records faults of pages. */
  visitor(options?: Parameters<Browser['newContext']>[0]): Promise<Visitor>;
}

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Script errors, violations of the Content-Security-Policy, and dialogs opened by injected scripts. */
  faults: string[];
}

/** Tests over the server of a worker and two visitors, whose sessions last from journey to journey. */
export const test = base.extend<object, { world: World; person: Visitor; administrator: Visitor }>({
  world: [
    async ({ browser }, use) => {
      const services = await startServices();
      await seedWorld(services.bundle);
      await use({ ...services, browser, secrets: new Set(), visitor: (options) => newVisitor(browser, options) });
      await services.stop();
    },
    { scope: 'worker', timeout: START_MS },
  ],
  person: [async ({ world }, use) => use(await world.visitor()), { scope: 'worker' }],
  administrator: [async ({ world }, use) => use(await world.visitor()), { scope: 'worker' }],
});

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
