import { expect } from '@playwright/test';
import { authors, PROJECT_PAGE } from './authors.ts';
import { refuseOthers } from './defences.ts';
import { accountDialogs, userDialog } from './dialogs.ts';
import { indexDocumentation, useDocumentation } from './documentation.ts';
import { useFileTools } from './file-tools.ts';
import { complaintsAbout, type PageReport, visitPages } from './gallery.ts';
import { giveaways } from './giveaways.ts';
import { seedHistory } from './history.ts';
import { findItems } from './items.ts';
import { EMAIL, journey, signInAsSuperuser, verifyAddress } from './journey.ts';
import { useFromOtherOrigin } from './other-origin.ts';
import { overview } from './overview.ts';
import { ACCOUNT_PAGES, ADMIN_PAGES, OPEN_PAGES, SEEDED_PAGES } from './pages.ts';
import { dayOfPlayer } from './player-day.ts';
import { replayDump, sendDump } from './replay.ts';
import { signedWebhooks } from './signed-webhooks.ts';
import { measurePages, reportSpeed } from './speed.ts';
import { useTools } from './tools.ts';
import { webhookConditions } from './webhook-conditions.ts';
import { webhooks } from './webhooks.ts';
import { test } from './world.ts';

const MAILBOX = '/portal/dev/mailbox';

// Each journey continues with the accounts and data of those before it.
test.describe.configure({ mode: 'serial' });

/** Problems of pages and dialogs, which end no journey. The last test reports them. */
const problems: string[] = [];

test('a user signs up, creates a token and revokes it', ({ world, person }) => journey(world, person));

test('requests of other origins are refused', ({ world, person }) => refuseOthers(world, person));

test('a page of another site uses the public API, its images and its event stream', ({ world }) => useFromOtherOrigin(world));

test('a giveaway goes from its creation to its winner', async ({ world, person, administrator }) => {
  await signInAsSuperuser(world.url, administrator.page);
  problems.push(...(await giveaways(world.url, person.page, administrator.page)));
});

test('an administrator replays a dump', async ({ world, administrator }) => {
  await seedHistory(world.bundle, EMAIL);
  await sendDump(world);
  await replayDump(world.url, administrator.page);
});

test('a webhook posts a custom message and image', async ({ world, person }) => {
  problems.push(...(await webhooks(world, person)));
});

test('a signed webhook delivers, replays and rotates its secret', async ({ world, person }) => {
  problems.push(...(await signedWebhooks(world, person)));
});

test('five conditions of webhooks, and a post that follows from one', async ({ world, person }) => {
  problems.push(...(await webhookConditions(world, person)));
});

test('an author takes a mod from its claim to its releases', async ({ world, person, administrator }) => {
  problems.push(...(await authors(world, person, administrator)));
});

test('a reader searches the documentation and sends a request', async ({ world, person }) => {
  await indexDocumentation(world.url, await world.bundle.mintToken({ superuser: true }));
  problems.push(...(await useDocumentation(world.url, person.page, await world.bundle.mintToken())));
});

test('a player sees the day on the first screen and finds the next visit of a merchant', async ({ world }) => {
  problems.push(...(await dayOfPlayer(world)));
});

test('a visitor uses the tools on a phone and on a desktop, and sends their links', async ({ world }) => {
  problems.push(...(await useTools(world)));
});

test('a visitor finds the price of an item, the cost of a recipe and a name in German', async ({ world }) => {
  problems.push(...(await findItems(world)));
});

test('a visitor finds a build, has a stat sheet read and changes a mod', async ({ world }) => {
  problems.push(...(await useFileTools(world)));
});

test('public pages and those of an account pass in both themes and sizes', async ({ world, person }) => {
  problems.push(...report(await visitPages(world, person, [...ACCOUNT_PAGES, PROJECT_PAGE, ...OPEN_PAGES, ...SEEDED_PAGES])));
});

test('pages of an administrator pass in both themes and sizes', async ({ world, administrator }) => {
  problems.push(...report(await visitPages(world, administrator, ADMIN_PAGES)));
});

test('a chart shows the value at the pointer, and those before it by keyboard', async ({ world, person: { page } }) => {
  await page.goto(`${world.url}/activity`);
  // A script makes the chart focusable when it follows the pointer.
  const area = page.locator('.plot .chart-area[tabindex="0"]').first();
  const readout = page.locator('.chart output').first();
  await area.hover();
  await readout.filter({ hasText: '·' }).waitFor();
  await area.focus();
  await page.keyboard.press('Home');
  const first = await readout.textContent();
  expect(await area.getAttribute('aria-valuetext')).toBe(first);
  await page.keyboard.press('ArrowRight');
  expect(await area.getAttribute('aria-valuenow')).toBe('1');
  expect(await readout.textContent()).not.toBe(first);
});

test('public pages are light and fast on a phone', async ({ world }) => {
  problems.push(...reportSpeed(await measurePages(world.browser, world.url, [...OPEN_PAGES, ...SEEDED_PAGES])));
});

test('the first page of an administrator in four states, and a rejected dump', async ({ world, administrator }) => {
  problems.push(...(await overview(world, administrator)));
});

test('dialogs of accounts fit phones and desktops', async ({ world, person, administrator }) => {
  problems.push(...(await accountDialogs(world, person)), ...(await userDialog(world, administrator)));
});

test('the mailbox of a development server shows its mails', async ({ world }) => {
  await world.withMailbox(async (url) => {
    const visitor = await world.visitor();
    await visitor.page.goto(`${url}/portal/signup`);
    await visitor.page.getByLabel('Email address').fill('bob@portal.example');
    await visitor.page.getByLabel('Password').fill('four plain words together');
    await visitor.page.getByRole('button', { name: 'Create the account' }).click();
    await visitor.page.waitForURL('**/portal/check-mail');
    problems.push(...report(await visitPages({ ...world, url }, visitor, [MAILBOX])));
    await visitor.page.getByRole('link', { name: /\/auth\/verify-email/ }).click();
    await verifyAddress(visitor.page, 'four plain words together');
    problems.push(...visitor.faults);
  });
});

test('no page or dialog has a problem', ({ person, administrator }) => {
  expect([...problems, ...person.faults, ...administrator.faults]).toEqual([]);
});

function report(reports: readonly PageReport[]): string[] {
  for (const { path, bytes, shift } of reports) {
    console.log(`        ${path.padEnd(34)} ${(bytes / 1024).toFixed(1).padStart(6)} KB gzip, shift ${shift.toFixed(3)}`);
  }
  return complaintsAbout(reports);
}
