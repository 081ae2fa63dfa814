import assert from 'node:assert/strict';
import { takeScreenshot, violationsOf } from './gallery.ts';
import { HOSTILE } from './journey.ts';
import type { Visitor, World } from './world.ts';

const ADDRESS = 'https://discord.com/api/webhooks/1201/Zm9yIGV4YW1wbGUgb25seSwgbm90IHJlYWw';

/** Registers a webhook, edits a message, uploads a design and selects it; returns the problems of the dialogs. */
export async function webhooks({ url, chatUrl }: World, { page }: Visitor): Promise<string[]> {
  const problems = [...(await design(url, page)), ...(await register(url, page))];
  await page.getByRole('button', { name: 'Message: Challenge' }).click();
  await page.getByRole('dialog', { name: 'Message: Challenge' }).locator('time').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Message: Game update' }).click();
  const dialog = page.getByRole('dialog', { name: 'Message: Game update' });
  await dialog.getByLabel('Custom message').check();
  await dialog.getByLabel('Title', { exact: true }).fill(`{version_tag} ${HOSTILE}`);
  await dialog.getByText('<img src=x').waitFor();
  await dialog.getByLabel('Image', { exact: true }).selectOption({ label: 'my design “Banner”' });
  await dialog.getByRole('img').waitFor();
  problems.push(...(await violationsOf(page)).map((violation) => `message  ${violation}`));
  await takeScreenshot(page, 'dialog-message');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('Game update (custom message)').waitFor();
  await sendTest(page, chatUrl);
  return problems;
}

/** Sends a test event and checks that the chat service receives text and image. */
async function sendTest(page: Visitor['page'], chatUrl: string): Promise<void> {
  await page.getByLabel('Test message for').selectOption({ label: 'Game update' });
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('status').filter({ hasText: 'Test message posted.' }).waitFor();
  const response = await fetch(`${chatUrl}/calls`);
  const posts = JSON.stringify(await response.json());
  assert.ok(posts.includes('onerror=alert(1)') && posts.includes('"contentType":"image/png"'), posts);
}

/** Creates a design, first with a forbidden drawing. */
async function design(url: string, page: Visitor['page']): Promise<string[]> {
  await page.goto(`${url}/portal/webhooks/designs`);
  await page.getByRole('button', { name: 'New design' }).click();
  const dialog = page.getByRole('dialog', { name: 'New design' });
  await dialog.getByRole('img').waitFor();
  const drawing = await dialog.getByLabel('Drawing').inputValue();
  await dialog.getByLabel('Name').fill('Banner');
  await dialog.getByLabel('Drawing').fill('<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><script>alert(1)</script></svg>');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('the element script is not allowed').first().waitFor();
  await dialog.getByLabel('Drawing').fill(drawing);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('the element script is not allowed').first().waitFor({ state: 'hidden' });
  const problems = (await violationsOf(page)).map((violation) => `design  ${violation}`);
  await takeScreenshot(page, 'dialog-design');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Banner' }).waitFor();
  return problems;
}

async function register(url: string, page: Visitor['page']): Promise<string[]> {
  await page.goto(`${url}/portal/webhooks`);
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'New webhook' });
  await dialog.getByLabel('URL', { exact: true }).fill(ADDRESS);
  await dialog.getByLabel('Name (optional)').fill(HOSTILE);
  const problems = (await violationsOf(page)).map((violation) => `new webhook  ${violation}`);
  await takeScreenshot(page, 'dialog-new-webhook');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('heading', { name: '<img src=x' }).waitFor();
  return problems;
}
