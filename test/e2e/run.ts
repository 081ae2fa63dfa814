import type { Browser } from '@playwright/test';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { withTimeout } from '../../src/platform/kit/with-timeout.ts';
import { authors, PROJECT_PAGE } from './authors.ts';
import { refuseOthers } from './defences.ts';
import { accountDialogs, userDialog } from './dialogs.ts';
import { indexDocumentation, useDocumentation } from './documentation.ts';
import { findChromium, installChromium } from './find-chromium.ts';
import { complaintsAbout, type PageReport, visitPages } from './gallery.ts';
import { giveaways } from './giveaways.ts';
import { seedHistory } from './history.ts';
import { journeyOverHttp } from './http-journey.ts';
import { EMAIL, journey, signInAsSuperuser, verifyAddress } from './journey.ts';
import { overview } from './overview.ts';
import { replayDump, sendDump } from './replay.ts';
import { startServices } from './services.ts';
import { signedWebhooks } from './signed-webhooks.ts';
import { measurePages, reportSpeed } from './speed.ts';
import { webhookConditions } from './webhook-conditions.ts';
import { webhooks } from './webhooks.ts';
import { launchBrowser, SCREENSHOTS, startWorld, type Visitor, type World } from './world.ts';

const OPEN_PAGES = [
  '/',
  '/docs',
  '/docs/quickstart',
  '/docs/errors',
  '/docs/reference/gems',
  '/codex',
  '/status',
  '/live',
  '/codex/mount',
  '/activity',
  '/servers',
  '/market',
  '/leaderboards',
  '/players',
  '/merchants',
  '/mods',
  '/mods/packs',
  '/updates',
  '/docs/privacy',
  '/docs/terms',
  '/portal/login',
  '/portal/signup',
  '/portal/check-mail',
  '/portal/verify-email',
  '/portal/forgot-password',
  '/portal/reset-password?token=none',
  '/auth/verify-email?token=none',
  '/auth/verify-email-change?token=none',
];
/** Pages of seeded data. */
const SEEDED_PAGES = [
  '/leaderboards/1',
  '/codex/recipe/entry?path=prefabs%2Frecipes%2Frecipe_cat.binfab',
  '/codex/crafting?path=prefabs%2Frecipes%2Frecipe_cat.binfab&quantity=3',
  '/codex/changes',
  '/codex/changes/2',
  '/market',
  '/market/item?name=Sun+Sap',
  '/search?q=merchant',
];
const ACCOUNT_PAGES = [
  'tokens',
  'usage',
  'webhooks',
  'webhooks/signed',
  'webhooks/designs',
  'projects',
  'giveaways',
  'account',
  'sessions',
].map((name) => `/portal/${name}`);
const ADMIN_PAGES = ['', 'users', 'usage', 'settings', 'jobs', 'interest-items', 'supporters', 'ingest', 'mods', 'giveaways'].map(
  (name) => `/portal/admin${name && '/'}${name}`,
);
/** Ends a browser that hangs: twice what the journeys take on a busy machine. */
const JOURNEY_MS = 900_000;
const MAILBOX = '/portal/dev/mailbox';

/**
 * `npm run e2e`: tests the portal in a browser, on the deployable bundle, with mocks of all external services. `--reuse` uses the
 * existing `dist/`. `--ci` installs a browser if none is found, or uses plain HTTP if that fails. Screenshots are in
 * `.local/screenshots`.
 */
await runMain(async () => {
  const isCi = process.argv.includes('--ci');
  const reuseBuild = process.argv.includes('--reuse');
  const browser = await openBrowser(isCi);
  if (!browser) return withoutBrowser(reuseBuild);
  try {
    await withTimeout(inBrowser(browser, reuseBuild), JOURNEY_MS, 'the journey');
  } finally {
    await browser.close();
  }
});

async function inBrowser(browser: Browser, reuseBuild: boolean): Promise<void> {
  const world = await startWorld(browser, { reuseBuild });
  try {
    const complaints = [...(await runJourneys(world)), ...(await mailbox(world))];
    for (const complaint of complaints) console.error(`  FAIL  ${complaint}`);
    console.log(`e2e: ${complaints.length} problems; screenshots in ${SCREENSHOTS}`);
    if (complaints.length > 0) process.exitCode = 1;
  } finally {
    await world.stop();
  }
}

/** Null if no browser is available and `isCi` is set; otherwise a missing browser is an error. */
async function openBrowser(isCi: boolean): Promise<Browser | null> {
  const why = findChromium() === null && isCi ? await installChromium() : null;
  const executablePath = findChromium();
  if (executablePath === null) {
    if (!isCi) throw new UserError('Chromium not found: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
    console.log(`e2e: no browser (${why ?? 'not found'}): the test uses plain HTTP and does not check pages`);
    return null;
  }
  try {
    return await launchBrowser(executablePath);
  } catch (error) {
    if (!isCi) throw error;
    console.log(`e2e: ${executablePath} does not start: the test uses plain HTTP and does not check pages`);
    return null;
  }
}

async function withoutBrowser(reuseBuild: boolean): Promise<void> {
  const services = await startServices({ reuseBuild });
  try {
    await journeyOverHttp(services, [...OPEN_PAGES, ...ACCOUNT_PAGES, ...ADMIN_PAGES]);
    console.log('  ok    sign-up, token and revocation over plain HTTP');
  } finally {
    await services.stop();
  }
}

/** Runs all journeys of a user and of an administrator. Returns the problems. */
async function runJourneys(world: World): Promise<string[]> {
  const person = await world.visitor();
  await journey(world, person);
  console.log('  ok    sign-up, token, revocation');
  await refuseOthers(world, person);
  console.log('  ok    requests of other origins are refused');
  const administrator = await world.visitor();
  await signInAsSuperuser(world.url, administrator.page);
  const problems = await giveaways(world.url, person.page, administrator.page);
  console.log('  ok    a giveaway from creation to its winner');
  await seedHistory(world.bundle, EMAIL);
  await sendDump(world);
  await replayDump(world.url, administrator.page);
  console.log('  ok    a replayed dump');
  problems.push(...(await webhooks(world, person)));
  problems.push(...(await signedWebhooks(world, person)));
  console.log('  ok    a webhook with a custom message and image');
  problems.push(...(await webhookConditions(world, person)));
  console.log('  ok    five conditions of webhooks, and a post that follows from one');
  problems.push(...(await authors(world, person, administrator)));
  console.log('  ok    a mod from its claim to its releases');
  await indexDocumentation(world.url, await world.bundle.mintToken({ superuser: true }));
  problems.push(...(await useDocumentation(world.url, person.page, await world.bundle.mintToken())));
  console.log('  ok    search and the Run panel in the documentation');
  const reports = [
    ...(await visitPages(world, person, [...ACCOUNT_PAGES, PROJECT_PAGE, ...OPEN_PAGES, ...SEEDED_PAGES])),
    ...(await visitPages(world, administrator, ADMIN_PAGES)),
  ];
  await valuesOfChart(world, person);
  console.log('  ok    a chart shows the value at the pointer');
  const slow = reportSpeed(await measurePages(world.browser, world.url, [...OPEN_PAGES, ...SEEDED_PAGES]));
  const states = await overview(world, administrator);
  console.log('  ok    the first page of a superuser in four states, and a rejected dump');
  const seen = [...states, ...(await accountDialogs(world, person)), ...(await userDialog(world, administrator))];
  return [...problems, ...report(reports), ...slow, ...seen, ...person.faults, ...administrator.faults];
}

/** Points at a chart, which then shows the value and its time. */
async function valuesOfChart({ url }: World, { page }: Visitor): Promise<void> {
  await page.goto(`${url}/activity`);
  // A script makes the chart focusable when it follows the pointer.
  await page.locator('.plot svg[data-points][tabindex="0"]').first().hover();
  await page.locator('.chart output').filter({ hasText: '·' }).first().waitFor();
}

/** Checks the mailbox page of a development server without a mail provider. */
async function mailbox(world: World): Promise<string[]> {
  return world.withMailbox(async (url) => {
    const visitor = await world.visitor();
    await visitor.page.goto(`${url}/portal/signup`);
    await visitor.page.getByLabel('Email address').fill('bob@portal.example');
    await visitor.page.getByLabel('Password').fill('four plain words together');
    await visitor.page.getByRole('button', { name: 'Create the account' }).click();
    await visitor.page.waitForURL('**/portal/check-mail');
    const reports = await visitPages({ ...world, url }, visitor, [MAILBOX]);
    await visitor.page.getByRole('link', { name: /\/auth\/verify-email/ }).click();
    await verifyAddress(visitor.page, 'four plain words together');
    return [...report(reports), ...visitor.faults];
  });
}

function report(reports: readonly PageReport[]): string[] {
  for (const { path, bytes, shift } of reports) {
    console.log(`        ${path.padEnd(34)} ${(bytes / 1024).toFixed(1).padStart(6)} KB gzip, shift ${shift.toFixed(3)}`);
  }
  return complaintsAbout(reports);
}
