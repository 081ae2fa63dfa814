import type { Page } from '@playwright/test';

const LOOKS = 20;
const PAUSE_MS = 1000;

/** Sends a leaderboard dump. */
export async function sendDump(url: string, superuserToken: string): Promise<void> {
  const form = new FormData();
  form.append('file', new File(['Board$Leaderboard_Category_Meta$1 = BOARD$META##1;Nimbus;5\n'], 'leaderboards.cfg'));
  const headers = { Authorization: `Bearer ${superuserToken}` };
  const response = await fetch(`${url}/v1/leaderboards/insert?sync=true`, { method: 'POST', body: form, headers });
  if (!response.ok) throw new Error(`the dump was refused: ${await response.text()}`);
}

/** Replays the dump and waits until the insert log lists the replay. */
export async function replayDump(url: string, page: Page): Promise<void> {
  await page.goto(`${url}/portal/admin/ingest`);
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('is being replayed').waitFor();
  const logged = page.getByRole('region', { name: 'Inserts' }).getByText('replay of');
  for (let looks = 0; looks < LOOKS && (await logged.count()) === 0; looks += 1) {
    await page.getByLabel('Result', { exact: true }).selectOption(looks % 2 === 0 ? 'true' : '');
    await page.waitForTimeout(PAUSE_MS);
  }
  await logged.first().waitFor();
}
