import assert from 'node:assert/strict';
import type { BrowserContext, Page } from '@playwright/test';
import { curl, curlWith } from './curl.ts';
import { takeScreenshot } from './gallery.ts';
import { SUPERUSER } from './services.ts';
import type { Visitor, World } from './world.ts';

/** Markup that executes if a page inserts user input unescaped. */
export const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;
export const EMAIL = 'ada@portal.example';
const FIRST_PASSWORD = 'four plain words together';
export const PASSWORD = 'another four plain words';
const SECRET = /^gda_[A-Za-z0-9]{43}_[A-Za-z0-9]+$/;
const PLANTED = 'planted-by-somebody-else';

/** The journey of a user: sign-up, sign-in, tokens until their revocation. */
export async function journey(world: World, visitor: Visitor): Promise<void> {
  const { page, faults } = visitor;
  await signUp(world, page);
  await resetPassword(world, page);
  await startSession(world, visitor);
  await nameOneself(world.url, page);
  const secret = await createRestrictedToken(world, page);
  await changeAllowlist(page, secret);
  const rotated = await rotate(world, page, secret);
  await revoke(page, rotated);
  await leak(world, page);
  await newToken(world, page, 'my bot');
  assert.deepEqual(faults, []);
}

/** Signs up, first with a breached password, and opens the link in the mail. */
async function signUp({ url, linkTo, callCount }: World, page: Page): Promise<void> {
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
  assert.ok(
    (await callCount('captcha')) >= 2 && (await callCount('breached-passwords')) >= 2,
    'sign-up calls the captcha and the breached-passwords services',
  );
}

/** Sends the form of the page that a verification mail links to. */
export async function verifyAddress(page: Page, password: string): Promise<void> {
  await page.getByRole('heading', { name: 'Verify your email address' }).waitFor();
  await expectNoToken(page);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('status').filter({ hasText: 'verified' }).waitFor();
}

/** Checks that the page removes the link's token from the address bar. */
async function expectNoToken(page: Page): Promise<void> {
  await page.waitForURL((address) => !address.href.includes('token'));
}

/** Resets the password by a link in a mail, and checks that the link works once. */
async function resetPassword({ url, linkTo }: World, page: Page): Promise<void> {
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

/** Signs in twice and checks that each sign-in starts a new session, even with a planted session cookie. */
async function startSession({ url }: World, { page, context }: Visitor): Promise<void> {
  await context.addCookies([{ name: 'portal_refresh', value: PLANTED, url: `${url}/auth`, httpOnly: true }]);
  await signIn(url, page, EMAIL, PASSWORD);
  const cookies = (await context.cookies(`${url}/auth/refresh`)).filter(({ name }) => name === 'portal_refresh');
  assert.ok(
    cookies.some(({ value, httpOnly, sameSite }) => value !== PLANTED && httpOnly && sameSite === 'Strict'),
    'sign-in starts a new session',
  );
  const planted = await fetch(`${url}/auth/refresh`, { method: 'POST', headers: { Cookie: `portal_refresh=${PLANTED}` } });
  assert.equal(planted.status, 401);
  const first = await sessionId(context, url);
  await signIn(url, page, EMAIL, PASSWORD);
  assert.notEqual(await sessionId(context, url), first, 'the session changes with each sign-in');
}

/** Id of the session in the page's cookie. */
async function sessionId(context: BrowserContext, url: string): Promise<string> {
  const credential = (await context.cookies(`${url}/portal/tokens`)).find(({ name }) => name === 'portal_session')?.value ?? '';
  const { sid } = JSON.parse(Buffer.from(credential.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
  assert.ok(sid);
  return sid;
}

/** Signs in, first with a wrong password, and checks the error message. */
export async function signIn(url: string, page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${url}/portal/login`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/portal');
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

/** Creates a token with one scope for local addresses. Returns its secret. */
async function createRestrictedToken(world: World, page: Page): Promise<string> {
  await page.goto(`${world.url}/portal/tokens`);
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.getByLabel('Name').fill(HOSTILE);
  await dialog.getByLabel('rotations:read').check();
  await dialog.getByLabel('Address or network to add').fill('300.1.1.1');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: 'is not an IP address' }).waitFor();
  await dialog.getByLabel('Address or network to add').fill('127.0.0.0/8');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('button', { name: 'Add my address' }).click();
  await dialog.getByRole('listitem').nth(1).waitFor();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = await readSecret(world, page);
  const command = await page.locator('#secret-command').innerText();
  const response = await curl(command);
  assert.equal(response.status, 200, response.body);
  assert.deepEqual(JSON.parse(response.body).scope_names, ['rotations:read']);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
  await closeSecretDialog(page, secret);
  await page.getByRole('heading', { name: '<img src=x' }).waitFor();
  return secret;
}

async function readSecret({ secrets }: World, page: Page): Promise<string> {
  await page.getByRole('dialog', { name: 'Copy the token now' }).waitFor();
  const secret = await page.locator('#secret').innerText();
  assert.match(secret, SECRET);
  secrets.add(secret);
  return secret;
}

/** Closes the dialog and checks that the secret is removed from the page. */
async function closeSecretDialog(page: Page, secret: string): Promise<void> {
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
  const next = await readSecret(world, page);
  assert.equal((await curlWith(secret, world.url)).status, 401);
  assert.equal((await curlWith(next, world.url)).status, 200);
  await closeSecretDialog(page, next);
  return next;
}

async function revoke(page: Page, secret: string): Promise<void> {
  const url = new URL(page.url()).origin;
  await page.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke the token' });
  await dialog.getByRole('button', { name: 'possibly compromised' }).click();
  const suggested = await dialog.getByLabel('Reason').inputValue();
  await dialog.getByLabel('Reason').fill(`${suggested} ${HOSTILE}`);
  const response = page.waitForResponse(/\/revoke$/);
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await response;
  await expectRefused(secret, url, 'revoked');
  await page.getByText('revoked', { exact: true }).waitFor();
  await page.getByText(': possibly compromised "><img').waitFor();
}

/** Checks that the next request with the secret gets 401, and prints the time. */
async function expectRefused(secret: string, url: string, why: string): Promise<void> {
  const start = performance.now();
  assert.equal((await curlWith(secret, url)).status, 401);
  console.log(`  ok    ${why}: curl gets 401 ${Math.round(performance.now() - start)} ms later`);
}

/** Reports a token as published: the partner's report revokes it, a forged report does not. */
async function leak(world: World, page: Page): Promise<void> {
  const { url, report, mails } = world;
  const secret = await newToken(world, page, 'published by mistake');
  assert.equal((await report(secret, btoa('no signature'))).status, 401);
  assert.equal((await curlWith(secret, url)).status, 200);
  const response = await report(secret);
  assert.equal(response.status, 200);
  assert.equal(((await response.json()) as { label: string }[])[0]?.label, 'true_positive');
  await expectRefused(secret, url, 'reported by secret scanning');
  await page.reload();
  await page.getByText('found by secret scanning').waitFor();
  const notices = (await mails(EMAIL)).filter(({ subject }) => subject.includes('exposed'));
  assert.equal(notices.length, 1, 'the owner gets one mail');
  assert.ok(!notices[0]?.text.includes(secret));
}

/** Creates a token with every scope and no expiry. Returns its secret. */
async function newToken(world: World, page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('All access').check();
  await dialog.getByLabel('Expires after').selectOption('never');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = await readSecret(world, page);
  await takeScreenshot(page, 'dialog-secret');
  await closeSecretDialog(page, secret);
  return secret;
}
