import { complaintsAbout, photograph, violationsOf, visitPages } from './lib/e2e/gallery.ts';
import { seedHistory } from './lib/e2e/history.ts';
import { EMAIL, journey, signInAsSuperuser } from './lib/e2e/journey.ts';
import { SCREENSHOTS, startWorld, type World } from './lib/e2e/world.ts';
import { runMain } from './lib/main.ts';

const OPEN_PAGES = [
  '/',
  '/portal/login',
  '/portal/signup',
  '/portal/check-mail',
  '/portal/verify-email',
  '/portal/forgot-password',
  '/portal/reset-password?token=none',
  '/portal/dev/mailbox',
];
const ACCOUNT_PAGES = ['/portal/tokens', '/portal/usage', '/portal/account', '/portal/sessions'];
const ADMIN_PAGES = ['users', 'usage', 'settings', 'jobs', 'interest-items', 'supporters', 'ingest', 'mods', 'giveaways'].map(
  (name) => `/portal/admin/${name}`,
);

/**
 * `npm run test:e2e`: the portal in a browser, on the bundle that would be deployed. `--reuse` takes the `dist/` of the build
 * just made. Screenshots are left in `.local/screenshots`.
 */
await runMain(async () => {
  const world = await startWorld({ reuseBuild: process.argv.includes('--reuse') });
  try {
    const complaints = [...(await developer(world)), ...(await administrator(world))];
    for (const complaint of complaints) console.error(`  FAIL  ${complaint}`);
    console.log(`e2e: ${complaints.length} complaints; screenshots in ${SCREENSHOTS}`);
    if (complaints.length > 0) process.exitCode = 1;
  } finally {
    await world.stop();
  }
});

/** Somebody who signs up, has a token and looks around. */
async function developer(world: World): Promise<string[]> {
  const visitor = await world.visitor();
  await journey(world, visitor);
  console.log('  ok    from sign-up to a token to its end');
  await seedHistory(world.bundle, EMAIL);
  const reports = await visitPages(world.url, visitor, [...ACCOUNT_PAGES, ...OPEN_PAGES]);
  return [...report(reports), ...(await dialogs(world, visitor)), ...visitor.faults];
}

/** Dialogs are part of no page until they are open. Who has signed out is led to sign in, and back. */
async function dialogs({ url }: World, { page }: Awaited<ReturnType<World['visitor']>>): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${url}/portal/tokens`);
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('All access').uncheck();
  const found = await violationsOf(page);
  await photograph(page, 'dialog-new-token');
  await page.keyboard.press('Escape');
  if (await page.getByRole('dialog').isVisible()) found.push('Escape does not close it');
  if ((await page.evaluate('document.activeElement?.textContent')) !== 'New token') found.push('the focus does not return to its button');
  await page.goto(`${url}/portal/account`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/portal/login');
  await page.goto(`${url}/portal/usage`);
  await page.waitForURL('**/portal/login?next=%2Fportal%2Fusage');
  return found.map((violation) => `new token  ${violation}`);
}

async function administrator(world: World): Promise<string[]> {
  const visitor = await world.visitor();
  await signInAsSuperuser(world.url, visitor.page);
  const reports = await visitPages(world.url, visitor, ADMIN_PAGES);
  await visitor.page.setViewportSize({ width: 1280, height: 900 });
  await visitor.page.goto(`${world.url}/portal/admin/users`);
  await visitor.page.getByRole('button', { name: EMAIL }).click();
  await visitor.page.getByRole('dialog', { name: 'User' }).locator('svg').waitFor();
  const found = await violationsOf(visitor.page);
  await photograph(visitor.page, 'dialog-user');
  return [...report(reports), ...found.map((violation) => `user  ${violation}`), ...visitor.faults];
}

function report(reports: Awaited<ReturnType<typeof visitPages>>): string[] {
  for (const { path, bytes, shift } of reports) {
    console.log(`        ${path.padEnd(34)} ${(bytes / 1024).toFixed(1).padStart(6)} KB gzip, shift ${shift.toFixed(3)}`);
  }
  return complaintsAbout(reports);
}
