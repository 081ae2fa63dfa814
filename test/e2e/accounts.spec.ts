import { expect } from '@playwright/test';
import { authors, PROJECT_PAGE } from './authors.ts';
import { refuseOthers } from './defences.ts';
import { accountDialogs, userDialog } from './dialogs.ts';
import { problemsOn } from './gallery.ts';
import { giveaways } from './giveaways.ts';
import { seedUsage } from './history.ts';
import { EMAIL, journey, signInAsSuperuser, verifyAddress } from './journey.ts';
import { overview } from './overview.ts';
import { ACCOUNT_PAGES, ADMIN_PAGES } from './pages.ts';
import { replayDump } from './replay.ts';
import { signedWebhooks } from './signed-webhooks.ts';
import { webhookConditions } from './webhook-conditions.ts';
import { webhooks } from './webhooks.ts';
import { test } from './world.ts';

const MAILBOX = '/portal/dev/mailbox';
/** Public pages that know their reader. */
const PAGES_FOR_READERS = ['/', '/docs', '/portal/login', '/mods/packs'];

// Each journey continues with the accounts and data of those before it.
test.describe.configure({ mode: 'serial' });

/** Problems of pages and dialogs, which end no journey. The last test reports them. */
const problems: string[] = [];

test('a user signs up, creates a token and revokes it', ({ world, person }) => journey(world, person));

test('requests of other origins are refused', ({ world, person }) => refuseOthers(world, person));

test('a giveaway goes from its creation to its winner', async ({ world, person, administrator }) => {
  await signInAsSuperuser(world.url, administrator.page);
  problems.push(...(await giveaways(world.url, person.page, administrator.page)));
});

test('an administrator replays a dump', ({ world, administrator }) => replayDump(world.url, administrator.page));

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

test('pages of an account pass in both themes and sizes', async ({ world, person }) => {
  await seedUsage(world.bundle, EMAIL);
  problems.push(...(await problemsOn(world, person, [...ACCOUNT_PAGES, PROJECT_PAGE, ...PAGES_FOR_READERS])));
});

test('pages of an administrator pass in both themes and sizes', async ({ world, administrator }) => {
  problems.push(...(await problemsOn(world, administrator, ADMIN_PAGES)));
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
    problems.push(...(await problemsOn({ ...world, url }, visitor, [MAILBOX])));
    await visitor.page.getByRole('link', { name: /\/auth\/verify-email/ }).click();
    await verifyAddress(visitor.page, 'four plain words together');
    problems.push(...visitor.faults);
  });
});

test('no page or dialog has a problem', ({ person, administrator }) => {
  expect([...problems, ...person.faults, ...administrator.faults]).toEqual([]);
});
