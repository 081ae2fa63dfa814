import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { curl, curlWith } from './curl.ts';
import { photograph } from './gallery.ts';
import { SUPERUSER } from './services.ts';
import type { Visitor, World } from './world.ts';

/** Goes wherever a text of a user is shown as anything but text. */
export const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;
export const EMAIL = 'ada@portal.example';
const FIRST_PASSWORD = 'four plain words together';
const PASSWORD = 'another four plain words';
const SECRET = /^gda_[A-Za-z0-9]{43}_[A-Za-z0-9]+$/;
const PLANTED = 'planted-by-somebody-else';

/** From sign-up to a working token to its end, as somebody lives it. */
export async function journey(world: World, visitor: Visitor): Promise<void> {
  const { page, faults } = visitor;
  await signUp(world, page);
  await forgetPassword(world, page);
  await startSession(world, visitor);
  await nameOneself(world.url, page);
  const secret = await makeToken(world, page);
  await changeAllowlist(page, secret);
  const rotated = await rotate(world, page, secret);
  await revoke(page, rotated);
  await leak(world, page);
  await newToken(world, page, 'my bot');
  assert.deepEqual(faults, []);
}

/** Signs up, at first with a password that is known from a breach, and opens the link in the mail. */
async function signUp({ url, linkTo, asked }: World, page: Page): Promise<void> {
  await page.goto(`${url}/portal/signup`);
  await page.getByLabel('Email address').fill(EMAIL);
  await page.getByLabel('Display name').fill('Ada');
  await page.getByLabel('Password').fill('password1');
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.getByRole('alert').filter({ hasText: 'breach' }).waitFor();
  await page.getByLabel('Password').fill(FIRST_PASSWORD);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.waitForURL('**/portal/check-mail');
  await page.goto(await linkTo(EMAIL, '/auth/verify-email'));
  await verifyAddress(page, FIRST_PASSWORD);
  assert.ok((await asked('captcha')) >= 2 && (await asked('breached-passwords')) >= 2, 'captcha and breached passwords were asked');
}

/** Sends the form of the page that the link in a verification mail leads to. */
export async function verifyAddress(page: Page, password: string): Promise<void> {
  await page.getByRole('heading', { name: 'Verify your email address' }).waitFor();
  await expectNoToken(page);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('status').filter({ hasText: 'verified' }).waitFor();
}

/** The token of a link leaves the address bar as soon as the page has read it. */
async function expectNoToken(page: Page): Promise<void> {
  await page.waitForURL((address) => !address.href.includes('token'));
}

/** Has a new password set by a link in a mail, which is good once. */
async function forgetPassword({ url, linkTo }: World, page: Page): Promise<void> {
  await page.goto(`${url}/portal/forgot-password`);
  await page.getByLabel('Email address').fill(EMAIL);
  await page.getByRole('button', { name: 'Send the link' }).click();
  const link = await linkTo(EMAIL, '/portal/reset-password');
  await page.goto(link);
  await expectNoToken(page);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('status').filter({ hasText: 'password' }).waitFor();
  await page.goto(link);
  await expectNoToken(page);
  await page.getByLabel('Password').fill(FIRST_PASSWORD);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
}

/** Signs in twice: neither a session that somebody planted nor the one before is gone on with. */
async function startSession({ url }: World, { page, context }: Visitor): Promise<void> {
  await context.addCookies([{ name: 'portal_refresh', value: PLANTED, url: `${url}/auth`, httpOnly: true }]);
  await signIn(url, page, EMAIL, PASSWORD);
  const cookies = (await context.cookies(`${url}/auth/refresh`)).filter(({ name }) => name === 'portal_refresh');
  assert.ok(
    cookies.some(({ value, httpOnly, sameSite }) => value !== PLANTED && httpOnly && sameSite === 'Strict'),
    'signing in makes a session of its own',
  );
  const planted = await fetch(`${url}/auth/refresh`, { method: 'POST', headers: { Cookie: `portal_refresh=${PLANTED}` } });
  assert.equal(planted.status, 401);
  const first = await sessionId(context, url);
  await signIn(url, page, EMAIL, PASSWORD);
  assert.notEqual(await sessionId(context, url), first, 'the session changes with each sign-in');
}

/** Id of the session that pages are shown for. */
async function sessionId(context: BrowserContext, url: string): Promise<string> {
  const credential = (await context.cookies(`${url}/portal/tokens`)).find(({ name }) => name === 'portal_session')?.value ?? '';
  const { sid } = JSON.parse(Buffer.from(credential.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
  assert.ok(sid);
  return sid;
}

/** Signs in with a wrong password first: what goes wrong is said. */
export async function signIn(url: string, page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${url}/portal/login`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/portal/tokens');
}

export const signInAsSuperuser = (url: string, page: Page) => signIn(url, page, SUPERUSER.email, SUPERUSER.password);

async function nameOneself(url: string, page: Page): Promise<void> {
  await page.goto(`${url}/portal/account`);
  await page.getByText(EMAIL).first().waitFor();
  await page.getByLabel('Display name').fill(HOSTILE);
  await page.locator('#profile-form').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  await page.reload();
  await page.locator('.who').filter({ hasText: '<img' }).waitFor();
}

/** Makes a token with one scope for addresses of this machine; returns its secret. */
async function makeToken(world: World, page: Page): Promise<string> {
  await page.goto(`${world.url}/portal/tokens`);
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.getByLabel('Name').fill(HOSTILE);
  await dialog.getByLabel('All access').uncheck();
  await dialog.getByLabel('rotations:read').check();
  await dialog.getByLabel('Address or network to add').fill('300.1.1.1');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: 'is not an IP address' }).waitFor();
  await dialog.getByLabel('Address or network to add').fill('127.0.0.0/8');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('button', { name: 'Add my address' }).click();
  await dialog.getByRole('listitem').nth(1).waitFor();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = await shownSecret(world, page);
  const command = await page.locator('#secret-command').innerText();
  const answer = await curl(command);
  assert.equal(answer.status, 200, answer.body);
  assert.deepEqual(JSON.parse(answer.body).scope_names, ['rotations:read']);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
  await forgetSecret(page, secret);
  await page.getByRole('heading', { name: '<img src=x' }).waitFor();
  return secret;
}

async function shownSecret({ secrets }: World, page: Page): Promise<string> {
  await page.getByRole('dialog', { name: 'Copy the token now' }).waitFor();
  const secret = await page.locator('#secret').innerText();
  assert.match(secret, SECRET);
  secrets.add(secret);
  return secret;
}

/** Closes the dialog: the secret is in no page any more. */
async function forgetSecret(page: Page, secret: string): Promise<void> {
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.locator('#secret:empty').waitFor({ state: 'attached' });
  assert.ok(!(await page.content()).includes(secret));
  await page.reload();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  assert.ok(!(await page.content()).includes(secret));
}

async function changeAllowlist(page: Page, secret: string): Promise<void> {
  const url = new URL(page.url()).origin;
  for (const [network, status] of [
    ['203.0.113.0/24', 403],
    ['127.0.0.0/8', 200],
  ] as const) {
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the token' });
    await dialog.getByLabel('Replace the allowed addresses').check();
    await dialog.getByLabel('Address or network to add').fill(network);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal((await curlWith(secret, url)).status, status);
  }
}

async function rotate(world: World, page: Page, secret: string): Promise<string> {
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog', { name: 'Rotate the token' }).getByRole('button', { name: 'Rotate' }).click();
  const next = await shownSecret(world, page);
  assert.equal((await curlWith(secret, world.url)).status, 401);
  assert.equal((await curlWith(next, world.url)).status, 200);
  await forgetSecret(page, next);
  return next;
}

async function revoke(page: Page, secret: string): Promise<void> {
  const url = new URL(page.url()).origin;
  await page.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke the token' });
  await dialog.getByRole('button', { name: 'possibly compromised' }).click();
  const suggested = await dialog.getByLabel('Reason').inputValue();
  await dialog.getByLabel('Reason').fill(`${suggested} ${HOSTILE}`);
  const answered = page.waitForResponse(/\/revoke$/);
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await answered;
  await expectDead(secret, url, 'revoked');
  await page.getByText('revoked', { exact: true }).waitFor();
  await page.getByText('(possibly compromised "><img').waitFor();
}

/** The very next request is refused. How long curl took to learn it depends on the machine, and is told. */
async function expectDead(secret: string, url: string, why: string): Promise<void> {
  const start = performance.now();
  assert.equal((await curlWith(secret, url)).status, 401);
  console.log(`  ok    ${why}: curl has its 401 ${Math.round(performance.now() - start)} ms later`);
}

/** A token that gets into public source code: the partner's report ends it, a forged one does not. */
async function leak(world: World, page: Page): Promise<void> {
  const { url, report, mails } = world;
  const secret = await newToken(world, page, 'published by mistake');
  assert.equal((await report(secret, btoa('no signature'))).status, 401);
  assert.equal((await curlWith(secret, url)).status, 200);
  const answer = await report(secret);
  assert.equal(answer.status, 200);
  assert.equal(((await answer.json()) as { label: string }[])[0]?.label, 'true_positive');
  await expectDead(secret, url, 'reported by secret scanning');
  await page.reload();
  await page.getByText('found by secret scanning').waitFor();
  const told = (await mails(EMAIL)).filter(({ subject }) => subject.includes('exposed'));
  assert.equal(told.length, 1, 'the owner gets one mail');
  assert.ok(!told[0]?.text.includes(secret));
}

/** A token for every scope that does not expire; returns its secret. */
async function newToken(world: World, page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Expires after').selectOption('never');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = await shownSecret(world, page);
  await photograph(page, 'dialog-secret');
  await forgetSecret(page, secret);
  return secret;
}
