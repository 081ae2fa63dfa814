import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { dialogProblems, visit } from './gallery.ts';
import { readSecret } from './signed-webhooks.ts';
import type { Visitor, World } from './world.ts';

const PATH = '/portal/webhooks';
const LOOKS = 40;
const PAUSE_MS = 500;

/** A sentence and how a visitor arrives at it. */
interface Path {
  choice: string;
  /** Boxes to tick. */
  ticks?: readonly string[];
  /** Values by field. */
  fields?: Readonly<Record<string, string>>;
  sentence: string;
  /** What the try against the last event says. */
  tried: RegExp;
}

/** Result of a try whose last event is one of the real time, if there is any. */
const ANY_TRY = /No event to compare with yet\.|Would (?:not )?post: /;

const PATHS: readonly Path[] = [
  {
    choice: 'Challenge is of a type',
    ticks: ['Rampage', 'Racing'],
    sentence: 'Post when the challenge is Rampage or Racing',
    tried: /Would post: the last challenge was Racing/,
  },
  {
    choice: 'Corruxion arrives or leaves',
    ticks: ['arrives'],
    sentence: 'Post when Corruxion arrives',
    tried: ANY_TRY,
  },
  {
    choice: 'Server is down for longer',
    ticks: ['Europe'],
    fields: { Minutes: '10' },
    sentence: 'Post when Europe is down for longer than 10 minutes',
    tried: ANY_TRY,
  },
  {
    choice: 'Market item is cheap',
    fields: { Item: 'Sun Sap', 'At most, each': '150' },
    sentence: 'Post when Sun Sap is at most 150 each',
    tried: /Would not post: the cheapest new listing of Sun Sap was 160 each/,
  },
  {
    choice: 'Mod has a tag',
    fields: { Tag: 'mount' },
    sentence: 'Post when a mod with the tag mount is released',
    tried: ANY_TRY,
  },
];

/** A stranger's path to each sentence, and posts that follow from two of them. Returns the problems of the dialogs. */
export async function webhookConditions(world: World, { page }: Visitor): Promise<string[]> {
  const { url, chatUrl } = world;
  await insertChallenge(world);
  await insertListing(world, 160, 1);
  const problems: string[] = [];
  for (const [at, path] of PATHS.entries()) {
    await page.goto(`${url}${PATH}`);
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByLabel('URL', { exact: true }).fill(`https://discord.com/api/webhooks/45${at}/Y29uZGl0aW9ucyBvZiBhIHdlYmhvb2s`);
    await dialog.getByLabel('Name (optional)').fill(path.choice);
    for (const box of await dialog.locator('input[name="event"]').all()) await box.uncheck();
    await enter(dialog, path);
    problems.push(...(await dialogProblems(page, `condition-${at}-form`)));
    await dialog.getByRole('button', { name: 'Add the condition' }).click();
    const item = dialog.getByRole('listitem').filter({ hasText: path.sentence });
    await item.filter({ hasText: path.tried }).waitFor();
    problems.push(...(await dialogProblems(page, `condition-${at}`)));
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await cardOf(page, path).getByText(path.sentence).waitFor();
  }
  await insertListing(world, 142, 2);
  await postedTo(chatUrl, 'Sun Sap: 142 each');
  problems.push(...(await editing(page)));
  const report = await visit(world, page, PATH, 'webhook-conditions');
  problems.push(...(await onSignedPage(world, page)));
  return [...problems, ...report.violations.map((violation) => `webhook conditions  ${violation}`)];
}

const cardOf = (page: Page, { choice }: Path) => page.getByRole('article').filter({ has: page.getByRole('heading', { name: choice }) });

async function enter(dialog: Locator, { choice, ticks = [], fields = {} }: Path): Promise<void> {
  await dialog.getByLabel('Post when…').selectOption({ label: choice });
  const form = dialog.locator('[data-kind]:not([hidden])');
  for (const label of ticks) await form.getByLabel(label, { exact: true }).check();
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value);
}

/** A signed webhook with the same sentences. */
async function onSignedPage({ url, secrets }: World, page: Page): Promise<string[]> {
  await page.goto(`${url}/portal/webhooks/signed`);
  await page.getByRole('button', { name: 'New signed webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'New signed webhook' });
  await dialog.getByLabel('URL', { exact: true }).fill('https://hooks.example.com/conditions');
  for (const box of await dialog.locator('input[name="event"]').all()) await box.uncheck();
  for (const path of PATHS) {
    await enter(dialog, path);
    await dialog.getByRole('button', { name: 'Add the condition' }).click();
    await dialog.getByRole('listitem').filter({ hasText: path.sentence }).first().waitFor();
  }
  const problems: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    problems.push(...(await dialogProblems(page, `conditions-signed-${colorScheme}`)));
  }
  await page.emulateMedia({ colorScheme: null });
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  secrets.add(await readSecret(page));
  const card = page.getByRole('article').filter({ hasText: 'hooks.example.com/conditions' });
  for (const { sentence } of PATHS) await card.getByText(sentence).waitFor();
  return problems;
}

/** Adds a condition to a webhook with a press on "Save" alone, tries both, and removes one. */
async function editing(page: Page): Promise<string[]> {
  const path = PATHS.find(({ choice }) => choice === 'Market item is cheap');
  if (!path) throw new Error('the path is missing');
  const dialog = page.getByRole('dialog', { name: 'Edit the webhook' });
  await cardOf(page, path).getByRole('button', { name: 'Edit' }).click();
  await enter(dialog, { ...path, fields: { Item: 'Sun Sap', 'At most, each': '-1' } });
  await dialog.getByRole('button', { name: 'Add the condition' }).click();
  await dialog.getByText('Must be a number with at most 3 decimals').first().waitFor();
  await enter(dialog, { ...path, fields: { Item: 'Sun Sap', 'At most, each': '99.5' } });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await cardOf(page, path).getByText('Post when Sun Sap is at most 99.5 each').waitFor();
  await cardOf(page, path).getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('button', { name: 'Try against the last event' }).click();
  await dialog.getByText('Would post: the cheapest new listing of Sun Sap was 142 each').waitFor();
  await dialog.getByText('Would not post: the cheapest new listing of Sun Sap was 142 each').waitFor();
  const problems: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    problems.push(...(await dialogProblems(page, `condition-edit-${colorScheme}`)));
  }
  await page.emulateMedia({ colorScheme: null });
  await dialog.getByRole('button', { name: 'Remove: Post when Sun Sap is at most 150 each' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await cardOf(page, path).getByText('at most 150 each').waitFor({ state: 'detached' });
  return problems;
}

async function insertChallenge({ url, bundle }: World): Promise<void> {
  const headers = { Authorization: `Bearer ${await bundle.mintToken({ superuser: true })}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'Racing Challenge' });
  const response = await fetch(`${url}/v1/rotations/challenge/insert`, { method: 'POST', headers, body });
  assert.ok(response.ok, await response.text());
}

/** Inserts a dump with one new listing of Sun Sap. */
async function insertListing({ url, bundle }: World, price: number, serial: number): Promise<void> {
  const form = new FormData();
  const id = `5f0f8e80-6a1c-11ef-9a3e-01005161a8d${serial}`;
  form.append('file', new File([`${id};Sun Sap;Crafting;1;${price}\n`], 'market.cfg'));
  const headers = { Authorization: `Bearer ${await bundle.mintToken({ superuser: true })}` };
  const response = await fetch(`${url}/v1/market/insert`, { method: 'POST', headers, body: form });
  assert.ok(response.ok, await response.text());
}

async function postedTo(chatUrl: string, title: string): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    if ((await (await fetch(`${chatUrl}/calls`)).text()).includes(title)) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`the chat service did not receive ${title}`);
}
