import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { codeAt } from '../support/totp.ts';
import { dialogProblems } from './gallery.ts';
import { EMAIL, PASSWORD } from './journey.ts';
import type { Visitor, World } from './world.ts';

/** Checks the dialogs of an account, which are rendered only when open, and that signing in after a sign-out returns to the page. */
export async function accountDialogs({ url, secrets }: World, { page }: Visitor): Promise<string[]> {
  await page.goto(`${url}/portal/tokens`);
  await page.getByRole('button', { name: 'New token' }).click();
  const problems = await dialogProblems(page, 'new-token');
  await page.keyboard.press('Escape');
  if (await page.getByRole('dialog').isVisible()) problems.push('Escape does not close the dialog');
  if ((await page.evaluate('document.activeElement?.textContent')) !== 'New token')
    problems.push('the focus does not return to the button');
  await page.goto(`${url}/portal/account`);
  problems.push(...(await factorDialogs(page, secrets)));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/portal/login');
  await page.goto(`${url}/portal/usage`);
  await page.waitForURL('**/portal/login?next=%2Fportal%2Fusage');
  return problems;
}

/** Sets up a second factor, replaces its recovery codes and removes it, with a look at each dialog. */
async function factorDialogs(page: Page, secrets: Set<string>): Promise<string[]> {
  const problems: string[] = [];
  const dialog = page.getByRole('dialog');
  const open = async (button: string, name: string) => {
    await page
      .locator('section', { has: page.getByRole('heading', { name: 'Second factor' }) })
      .getByRole('button', { name: button })
      .click();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    problems.push(...(await dialogProblems(page, name)));
  };

  await open('Set up', 'second-factor');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const secret = await textOf(dialog.locator('#set-up-text'));
  secrets.add(secret);
  await dialog.getByRole('img', { name: 'QR code' }).waitFor();
  problems.push(...(await dialogProblems(page, 'second-factor-secret')));
  await dialog.getByLabel('Code').fill(codeAt(secret, Date.now() / 1000));
  await dialog.getByRole('button', { name: 'Enable' }).click();

  const lookAtCodes = async (name: string) => {
    const codes = (await textOf(dialog.locator('#recovery-codes'))).split('\n');
    assert.equal(codes.length, 10);
    for (const code of codes) secrets.add(code);
    problems.push(...(await dialogProblems(page, name)));
    await dialog.getByRole('button', { name: 'I have copied them' }).click();
    return codes;
  };
  const confirm = async (button: string, code = '') => {
    const submit = dialog.getByRole('button', { name: button });
    await submit.click();
    await dialog.getByLabel('Code').fill(code);
    await submit.click();
  };

  const [first] = await lookAtCodes('recovery-codes');
  await open('Replace the recovery codes', 'replace-recovery-codes');
  await confirm('Replace', first);
  const [next] = await lookAtCodes('new-recovery-codes');
  await open('Remove', 'remove-second-factor');
  await confirm('Remove', next);
  await page.getByText('Second factor removed.').waitFor();
  return problems;
}

/** Text of an element, once it has one. */
async function textOf(element: Locator): Promise<string> {
  const filled = element.filter({ hasText: /\w/ });
  await filled.waitFor();
  return (await filled.textContent()) ?? '';
}

/** Checks the dialog of an account in the list of an administrator. */
export async function userDialog({ url }: World, { page }: Visitor): Promise<string[]> {
  await page.goto(`${url}/portal/admin/users`);
  await page.getByRole('link', { name: EMAIL }).click();
  const dialog = page.getByRole('dialog', { name: 'User' });
  await dialog.getByRole('img', { name: /^Requests by day/ }).waitFor();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).waitFor();
  return dialogProblems(page, 'user');
}
