import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { inRoot } from '../../scripts/lib/paths.ts';
import { button, choose, comparesWithApi, copied, field, opensEqually, type ToolWorld, takeJourneys, textOf } from './tools.ts';
import type { Visitor } from './world.ts';

const SHEET = inRoot('test', 'fixtures', 'ocr', 'sheet.png');
/** Reading takes some seconds on a busy machine. */
const READ_MS = 60_000;

/** What a first-time visitor does with the tools for builds, stat sheets and mods, on a phone and on a desktop. Returns faults of the pages. */
export function useFileTools(world: ToolWorld): Promise<string[]> {
  return takeJourneys(world, [findBuild, findHealth, readSheet, changeMod, openBrokenMod]);
}

async function findBuild(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/tools`);
  await page.getByRole('link', { name: 'Build optimizer' }).click();
  await expect(page.getByRole('region', { name: 'Best coefficient', exact: true })).toContainText('73,433,410.29');
  await comparesWithApi(world, page);
  await choose(page, 'Farm');
  await field(page, 'Target Light').fill('11000');
  await expect(page.getByRole('region', { name: 'Best coefficient near 11,000 Light' })).toBeVisible();
  await opensEqually(world, page, ['Best coefficient near 11,000 Light']);
  await comparesWithApi(world, page);

  await button(page, 'Keep as second build').click();
  await page.getByRole('combobox', { name: 'Class', exact: true }).fill('Knight');
  const compare = page.getByRole('region', { name: 'Compare', exact: true });
  await expect(compare).toContainText('Knight');
  await expect(compare).toContainText('Vanguardian');
  await button(page, 'Apply: Keep the subclass ability active').click();
  await expect(page.getByRole('checkbox', { name: 'Subclass ability active' })).toBeChecked();
  await page.goBack();
  await expect(page.getByRole('checkbox', { name: 'Subclass ability active' })).not.toBeChecked();

  // The chart by keyboard: selecting a node selects all before it.
  await page.getByText('Draw the star chart').click();
  const nodes = page.getByRole('checkbox', { name: /^Strength: Physical Damage/ });
  await nodes.first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('checkbox', { name: /^Lucky Strikes: / })).toBeChecked();
  await expect(nodes.first()).toBeChecked();
  await expect(page.getByLabel('Star chart code')).not.toHaveValue('SC:Jnc');
  // The worker has drawn the result of the last change.
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  const before = await textOf(page, 'Compare');
  await page.reload();
  await expect(compare).toHaveText(before, { useInnerText: true });
}

async function findHealth(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/tools/builds#class=Shadow%20Hunter&chart=`);
  await choose(page, 'Third lines for health');
  await expect(page.getByRole('region', { name: 'Most health with 100 % Critical Hit' })).toContainText('9,561,465.06');
  await button(page, 'Show all 155').click();
  await expect(page.getByRole('region', { name: 'Third lines', exact: true }).getByRole('row')).toHaveCount(156);
  await comparesWithApi(world, page);
  await opensEqually(world, page, ['Most health with 100 % Critical Hit']);
}

async function readSheet(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/tools/character`);
  await button(page, 'Empty all fields').click();
  await expect(page.getByRole('region', { name: 'Coefficient' })).toContainText('Enter Critical Damage');
  await page.locator('input[type=file]').first().setInputFiles(SHEET);
  await expect(page.getByRole('region', { name: 'Screenshot' })).toContainText('10 values read', { timeout: READ_MS });
  await expect(field(page, 'Magic Damage')).toHaveValue('702115');
  await expect(page.locator('.crop')).toHaveCount(9);
  await expect(page.getByRole('region', { name: 'Coefficient' })).toContainText('21,418,018');
  await comparesWithApi(world, page);
  await field(page, 'Magic Damage').fill('800000');
  await expect(page.getByText('changed by you')).toBeVisible();
  await opensEqually(world, page, ['Coefficient', 'What would raise it most']);
  await page.getByRole('link', { name: 'Use in the build optimizer' }).click();
  await expect(page.getByRole('region', { name: 'Best coefficient near 17,239 Light' })).toBeVisible();
}

/** Saves by a button and returns the file. */
async function saved(page: Page, name: string): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download');
  await button(page, name).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

async function changeMod(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/tools/tmod`);
  await expect(page.getByRole('img', { name: 'Preview of blueprints/star_crystal.blueprint' })).toBeVisible();
  const example = await saved(page, 'Build and save');
  expect(example.name).toBe('Star Crystal.tmod');

  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'mine.tmod', mimeType: 'application/octet-stream', buffer: example.bytes });
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText('all match');
  const title = page.getByLabel('Title', { exact: true });
  if (!(await title.isVisible())) await page.getByText('Change the mod').click();
  await title.fill('Night Crystal');
  await page.getByRole('checkbox', { name: 'Wings' }).check();
  await button(page, 'readme.txt').click();
  await expect(page.getByRole('region', { name: 'Text', exact: true })).toContainText('finds this file by its title');
  await page.getByLabel('Path in the mod').fill('docs/Readme.txt');
  await page.getByLabel('Path in the mod').press('Enter');
  await button(page, 'star_crystal.png').click();
  await expect(page.getByText('64 × 64 pixels')).toBeVisible();
  await button(page, 'Remove').click();
  await expect(button(page, 'star_crystal.png')).toHaveCount(0);
  await button(page, 'Undo').click();
  await expect(button(page, 'star_crystal.png')).toHaveCount(1);
  await button(page, 'star_crystal.png').click();
  await button(page, 'Remove').click();
  const changed = await saved(page, 'Build and save');
  expect(changed.name).toBe('Night Crystal.tmod');
  const zip = await saved(page, 'Save all as zip');
  expect([zip.name, zip.bytes.subarray(0, 2).toString()]).toEqual(['Night Crystal.zip', 'PK']);

  // The API reads what the page wrote.
  const headers = { Authorization: `Bearer ${await world.bundle.mintToken()}`, 'Content-Type': 'application/octet-stream' };
  const response = await page.request.post(`${world.url}/v1/mods/read`, { data: changed.bytes, headers });
  const read = (await response.json()) as {
    properties: Record<string, string>;
    categories: string[];
    files: { path: string; checksum_ok: boolean }[];
  };
  expect([read.properties.title, read.categories]).toEqual(['Night Crystal', ['Allies', 'Costumes', 'Wings']]);
  expect(read.files.map(({ path, checksum_ok: isValid }) => [path, isValid])).toEqual([
    ['blueprints/star_crystal.blueprint', true],
    ['docs/readme.txt', true],
  ]);
  // The page shows of a file what the API returns without contents.
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'again.tmod', mimeType: 'application/octet-stream', buffer: changed.bytes });
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText('again.tmod');
  const metadata = await page.request.post(`${world.url}/v1/mods/read?metadata_only=true`, { data: changed.bytes, headers });
  expect(JSON.parse(await copied(page, 'Copy as JSON'))).toEqual(await metadata.json());
}

async function openBrokenMod(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/tools/tmod`);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'broken.tmod', mimeType: 'application/octet-stream', buffer: Buffer.alloc(40, 1) });
  await expect(page.getByRole('alert').filter({ hasText: 'header_size' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText('Star Crystal');
  await button(page, 'New mod').click();
  await expect(button(page, 'Build and save')).toBeDisabled();
  await expect(page.getByText('The mod must have at least one file.')).toBeVisible();
  await button(page, 'Start again').click();
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText('Star Crystal');
  await button(page, 'Undo').click();
  await expect(page.getByText('The mod must have at least one file.')).toBeVisible();
}
