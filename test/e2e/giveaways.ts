import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { takeScreenshot, violationsOf } from './gallery.ts';
import { HOSTILE } from './journey.ts';

const TITLE = `Spring ${HOSTILE}`;
const CODE = 'WON-CODE-2026';
const DAY_MS = 86_400_000;

/** Runs a giveaway from its creation to its winner. Returns the axe violations of its dialogs. */
export async function giveaways(url: string, person: Page, administrator: Page): Promise<string[]> {
  const problems = await make(url, administrator, TITLE);
  await person.goto(`${url}/portal/giveaways`);
  await person.getByRole('button', { name: 'Enter' }).click();
  await person.getByText('entered', { exact: true }).waitFor();
  await person.getByRole('button', { name: 'Withdraw' }).click();
  await person.getByRole('button', { name: 'Enter' }).click();
  await person.getByText('entered', { exact: true }).waitFor();
  problems.push(...(await change(administrator)));
  await draw(administrator);
  await person.reload();
  const row = person.getByRole('row').filter({ hasText: 'Autumn' });
  await row.getByText('you won').waitFor();
  assert.ok(!(await person.content()).includes(CODE), 'a code is shown on request only');
  await row.getByRole('button', { name: 'Show the code' }).click();
  await row.getByText(CODE).waitFor();
  await make(url, administrator, `Winter ${HOSTILE}`);
  await person.reload();
  await person.getByRole('button', { name: 'Enter' }).click();
  await person.getByText('entered', { exact: true }).waitFor();
  return problems.map((violation) => `giveaways  ${violation}`);
}

/** Value of a datetime-local field: local time, to the minute. */
function localText(milliseconds: number): string {
  const at = new Date(milliseconds);
  return new Date(milliseconds - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

async function make(url: string, page: Page, title: string): Promise<string[]> {
  await page.goto(`${url}/portal/admin/giveaways`);
  await page.getByRole('button', { name: 'New giveaway' }).click();
  const dialog = page.getByRole('dialog', { name: 'New giveaway' });
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Description').fill(HOSTILE);
  await dialog.getByLabel('Prize', { exact: true }).fill(`Egg ${HOSTILE}`);
  await dialog.getByLabel('Code of the prize').fill(CODE);
  await dialog.getByLabel('Starts').fill(localText(Date.now() - DAY_MS));
  await dialog.getByLabel('Ends').fill(localText(Date.now() - DAY_MS / 2));
  await dialog.getByRole('button', { name: 'Create giveaway' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'ends_at must be in the future' }).waitFor();
  await dialog.getByLabel('Ends').fill(localText(Date.now() + DAY_MS));
  const problems = await violationsOf(page);
  await takeScreenshot(page, 'dialog-giveaway');
  await dialog.getByRole('button', { name: 'Create giveaway' }).click();
  await page.getByRole('row').filter({ hasText: title }).getByText('open').waitFor();
  return problems;
}

async function change(page: Page): Promise<string[]> {
  await page.getByRole('row').filter({ hasText: TITLE }).getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the giveaway' });
  assert.equal(await dialog.getByLabel('Prize', { exact: true }).isDisabled(), true);
  await dialog.getByLabel('Title').fill(`Autumn ${HOSTILE}`);
  const problems = await violationsOf(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row').filter({ hasText: 'Autumn' }).waitFor();
  return problems;
}

async function draw(page: Page): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: 'Autumn' });
  await row.getByRole('button', { name: 'Draw now' }).click();
  await page.locator('#decide-dialog').getByRole('button', { name: 'Draw now' }).click();
  await row.getByText('drawn').waitFor();
}
