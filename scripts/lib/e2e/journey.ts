import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { photograph } from './gallery.ts';
import { curl, SUPERUSER, type Visitor, type World } from './world.ts';

/** Goes wherever a text of a user is shown as anything but text. */
export const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;
export const EMAIL = 'ada@portal.example';
const PASSWORD = 'four plain words together';
const SECRET = /^gda_[A-Za-z0-9]{43}_[A-Za-z0-9]+$/;
/** Within which a revocation counts everywhere, in milliseconds. */
const AT_ONCE = 1000;

/** From sign-up to a working token to its end, as somebody lives it. */
export async function journey({ url }: World, { page, context, faults }: Visitor): Promise<void> {
  await signUp(url, page);
  await context.addCookies([{ name: 'portal_refresh', value: 'planted-by-somebody-else', url: `${url}/auth`, httpOnly: true }]);
  await signIn(url, page, EMAIL, PASSWORD);
  const cookies = (await context.cookies(`${url}/auth/refresh`)).filter(({ name }) => name === 'portal_refresh');
  assert.ok(
    cookies.some(({ value, httpOnly, sameSite }) => value !== 'planted-by-somebody-else' && httpOnly && sameSite === 'Strict'),
    'signing in makes a session of its own',
  );
  await nameOneself(url, page);
  const secret = await makeToken(url, page);
  await changeAllowlist(page, secret);
  const rotated = await rotate(page, secret);
  await revoke(page, rotated);
  await makeAnother(page);
  await refuseOthers(url, context.cookies.bind(context));
  assert.deepEqual(faults, []);
}

async function signUp(url: string, page: Page): Promise<void> {
  await page.goto(`${url}/portal/signup`);
  await page.getByLabel('E-mail address').fill(EMAIL);
  await page.getByLabel('Name to show').fill('Ada');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.waitForURL('**/portal/check-mail');
  await page.goto(`${url}/portal/dev/mailbox`);
  await page.getByRole('link', { name: /\/auth\/verify-email/ }).click();
  await page.getByRole('heading', { name: 'Your e-mail address is verified' }).waitFor();
}

/** Signs in with a wrong password first: what goes wrong is said. */
export async function signIn(url: string, page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${url}/portal/login`);
  await page.getByLabel('E-mail address').fill(email);
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
  await page.getByLabel('Name to show').fill(HOSTILE);
  await page.locator('#profile-form').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  await page.reload();
  await page.locator('.who').filter({ hasText: '<img' }).waitFor();
}

/** Makes a token with one scope for addresses of this machine; returns its secret. */
async function makeToken(url: string, page: Page): Promise<string> {
  await page.goto(`${url}/portal/tokens`);
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.getByLabel('Name').fill(HOSTILE);
  await dialog.getByLabel('All access').uncheck();
  await dialog.getByLabel('rotations:read').check();
  await dialog.getByLabel('Address or network to add').fill('300.1.1.1');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: 'is no address' }).waitFor();
  await dialog.getByLabel('Address or network to add').fill('127.0.0.0/8');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('button', { name: 'Add my address' }).click();
  await dialog.getByRole('listitem').nth(1).waitFor();
  await dialog.getByRole('button', { name: 'Make the token' }).click();
  const secret = await shownSecret(page);
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

async function shownSecret(page: Page): Promise<string> {
  await page.getByRole('dialog', { name: 'Copy the token now' }).waitFor();
  const secret = await page.locator('#secret').innerText();
  assert.match(secret, SECRET);
  return secret;
}

/** Closes the dialog: the secret is in no page any more. */
async function forgetSecret(page: Page, secret: string): Promise<void> {
  await page.getByRole('button', { name: 'I have copied it' }).click();
  assert.ok(!(await page.content()).includes(secret));
  await page.reload();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  assert.ok(!(await page.content()).includes(secret));
}

const asks = (secret: string, url: string) => curl(`curl -H 'Authorization: Bearer ${secret}' ${url}/v1/token`);

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
    assert.equal((await asks(secret, url)).status, status);
  }
}

async function rotate(page: Page, secret: string): Promise<string> {
  const url = new URL(page.url()).origin;
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog', { name: 'Rotate the token' }).getByRole('button', { name: 'Rotate' }).click();
  const next = await shownSecret(page);
  assert.equal((await asks(secret, url)).status, 401);
  assert.equal((await asks(next, url)).status, 200);
  await forgetSecret(page, next);
  return next;
}

async function revoke(page: Page, secret: string): Promise<void> {
  const url = new URL(page.url()).origin;
  await page.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke the token' });
  await dialog.getByRole('button', { name: 'possibly compromised' }).click();
  const answered = page.waitForResponse(/\/revoke$/);
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await answered;
  const start = performance.now();
  assert.equal((await asks(secret, url)).status, 401);
  assert.ok(performance.now() - start < AT_ONCE, 'the revocation is seen within a second');
  await page.getByText('revoked', { exact: true }).waitFor();
  await page.getByText('(possibly compromised)').waitFor();
}

/** A second token, for every scope, that stays: the list has something to show. */
async function makeAnother(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.getByLabel('Name').fill('my bot');
  await dialog.getByLabel('Expires after').selectOption('never');
  await dialog.getByRole('button', { name: 'Make the token' }).click();
  const secret = await shownSecret(page);
  await photograph(page, 'dialog-secret');
  await forgetSecret(page, secret);
}

/** A page of another origin can make a browser send our cookies, but not have them count. */
async function refuseOthers(url: string, cookiesOf: (url: string) => Promise<{ name: string; value: string }[]>): Promise<void> {
  const cookies = (await cookiesOf(`${url}/auth/refresh`)).map(({ name, value }) => `${name}=${value}`).join('; ');
  const forged = await fetch(`${url}/auth/refresh`, { method: 'POST', headers: { Cookie: cookies, Origin: 'https://evil.example' } });
  assert.equal(forged.status, 403);
}
