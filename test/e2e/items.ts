import { expect, type Page } from '@playwright/test';
import { type ToolWorld, takeJourneys } from './tools.ts';
import type { Visitor } from './world.ts';

/** What a visitor who looks for an item does, on a phone and on a desktop. Returns faults of the pages. */
export function findItems(world: ToolWorld): Promise<string[]> {
  return takeJourneys(world, [findPrice, findRecipeCost, findGermanName, findNothing, findServers, findPlayer]);
}

const searchField = (page: Page) => page.locator('#site-q');
const options = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option');

/** Types into the field of the header until its script shows the names. */
async function typeQuery(page: Page, query: string): Promise<void> {
  await expect(searchField(page)).toHaveAttribute('role', 'combobox');
  await searchField(page).fill(query);
  await expect(options(page).first()).toBeVisible();
}

async function findPrice(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/market?days=30`);
  const name = await page.locator('main a[href^="/market/item"]').first().innerText();
  await page.goto(`${world.url}/`);
  await typeQuery(page, name);
  await options(page).filter({ hasText: 'Market' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByText('flux').first()).toBeVisible();
}

async function findRecipeCost(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/codex/recipe`);
  await page.locator('#codex-results a').first().click();
  await page.getByRole('link', { name: 'Crafting tree and shopping list' }).click();
  await expect(page.getByRole('heading', { name: 'Shopping list' })).toBeVisible();
  await expect(page.getByText(/^Total: /)).toBeVisible();
}

async function findGermanName(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/codex/mount?lang=de`);
  const names = await page.locator('#codex-results a').allInnerTexts();
  await page.goto(`${world.url}/codex/mount`);
  const english = new Set(await page.locator('#codex-results a').allInnerTexts());
  const name = names.find((candidate) => !english.has(candidate));
  // A world without translations has nothing to find.
  if (name === undefined) return;
  await typeQuery(page, name);
  await expect(options(page).first()).toContainText(name);
  await searchField(page).press('ArrowDown');
  await searchField(page).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
}

async function findNothing(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/`);
  await typeQuery(page, 'qqzzqqzz');
  await expect(options(page)).toHaveText(['Nothing matches “qqzzqqzz”.']);
  await typeQuery(page, 'corruxion');
  await expect(options(page).first()).toContainText('Merchants');
}

async function findServers(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/`);
  await typeQuery(page, 'server down');
  await options(page).filter({ hasText: 'servers' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Game servers');
  await expect(page.getByText(/% online of the known time/).first()).toBeVisible();
}

/** A part of the name is enough. The field of the page offers the whole name. */
async function findPlayer(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/leaderboards/1`);
  const name = await page.locator('main tbody a[href^="/players"]').first().innerText();
  const whole = name.replace(/^\d+\. /, '');
  await page.goto(`${world.url}/players`);
  const field = page.getByLabel('Player', { exact: true });
  await expect(field).toHaveAttribute('role', 'combobox');
  await field.fill(whole.slice(1).toLowerCase());
  await page.getByRole('option').filter({ hasText: whole }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(whole);
  await expect(page.getByText('Best rank ever')).toBeVisible();
}
