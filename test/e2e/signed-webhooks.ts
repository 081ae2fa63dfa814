import assert from 'node:assert/strict';
import type { UpstreamCall } from '../support/upstreams/http-upstream.ts';
import { takeScreenshot, violationsOf } from './gallery.ts';
import { HOSTILE } from './journey.ts';
import type { Visitor, World } from './world.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

/** Creates a signed webhook, sends a test event, replays it and rotates the secret. Returns the problems of the dialogs. */
export async function signedWebhooks({ url, receiverUrl, secrets }: World, { page }: Visitor): Promise<string[]> {
  const problems: string[] = [];
  const look = async (name: string) => {
    problems.push(...(await violationsOf(page)).map((violation) => `${name}  ${violation}`));
    await takeScreenshot(page, `dialog-${name}`);
    await page.setViewportSize(PHONE);
    const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'));
    if (overflow > 0) problems.push(`${name}  ${overflow} px wider than a phone`);
    await takeScreenshot(page, `dialog-${name}-phone`);
    await page.setViewportSize(DESKTOP);
  };

  await page.goto(`${url}/portal/webhooks/signed`);
  await page.getByRole('button', { name: 'New signed webhook' }).click();
  const create = page.getByRole('dialog', { name: 'New signed webhook' });
  await create.getByLabel('URL', { exact: true }).fill('https://127.0.0.1/');
  await create.getByLabel('Name (optional)').fill(HOSTILE);
  await create.getByLabel('All types').check();
  await create.getByRole('button', { name: 'Create webhook' }).click();
  await create.getByText('must have a host name, not an IP address').waitFor();
  await create.getByLabel('URL', { exact: true }).fill('https://hooks.example.com/game');
  await look('new-signed-webhook');
  await create.getByRole('button', { name: 'Create webhook' }).click();
  const secret = await readSecret(page, look);
  secrets.add(secret);

  await fetch(`${receiverUrl}/control`, {
    method: 'PUT',
    body: JSON.stringify({ state: { responses: [{ status: 200, body: HOSTILE }] } }),
  });
  await page.getByRole('button', { name: 'Send test event' }).click();
  const deliveries = page.getByRole('dialog', { name: 'Deliveries' });
  // Events of the game that happen meanwhile are delivered too.
  const delivery = deliveries.getByRole('article').filter({ has: page.getByRole('heading', { name: 'test', exact: true }) });
  await reloadUntil(deliveries, delivery, 1);
  await delivery.getByRole('button', { name: 'Details' }).click();
  await delivery.getByText('<img src=x').first().waitFor();
  await look('deliveries');
  await delivery.getByRole('button', { name: 'Replay' }).click();
  await reloadUntil(deliveries, delivery, 2);
  const calls = (await (await fetch(`${receiverUrl}/calls`)).json()) as UpstreamCall[];
  const ids = calls.map(({ headers }) => headers['webhook-id'] ?? '').filter((id) => id.startsWith('test_'));
  assert.ok(ids.length === 2 && ids[0] === ids[1], `the replay has another id: ${ids.join(', ')}`);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog', { name: 'Rotate secret' }).getByRole('button', { name: 'Rotate secret' }).click();
  secrets.add(await readSecret(page));
  await page.getByText('Old secret until').waitFor();
  return problems;
}

type Locator = ReturnType<Visitor['page']['getByRole']>;

/** The secret of the dialog that shows it once; closes the dialog. */
export async function readSecret(page: Visitor['page'], look: (name: string) => Promise<void> = async () => {}): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Copy the signing secret' });
  const secret = await dialog.getByText(/^whsec_/).textContent();
  await look('signing-secret');
  await dialog.getByRole('button', { name: 'Done' }).click();
  return secret ?? '';
}

/** Reloads the dialog until `delivery` is delivered after `attempts` attempts. */
async function reloadUntil(dialog: Locator, delivery: Locator, attempts: number): Promise<void> {
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const card = delivery.filter({ hasText: 'delivered' }).filter({ hasText: count });
  for (let tries = 0; tries < 30; tries += 1) {
    await dialog.getByRole('button', { name: 'Reload' }).click();
    const isThere = await card.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
  }
  throw new Error(`the delivery does not have ${attempts} attempts`);
}
