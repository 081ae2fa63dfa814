import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { complaintsAbout, visit } from './gallery.ts';
import type { World } from './world.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };
/** What a player finds on the first screen of a phone. */
const FIRST_SCREEN = [
  'server_status',
  'activity',
  'daily_bonuses',
  'weekly_bonus',
  'challenge',
  'reset',
  'corruxion',
  'fluxion',
  'luxion',
  'longshade',
  'game_news',
];

/** A player sees what is on today, finds the next visit of a merchant, and takes it to a calendar, on a phone and on a desktop. */
export async function dayOfPlayer(world: World): Promise<string[]> {
  const { page } = await world.visitor();
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    await page.goto(`${world.url}/`);
    if (size === PHONE) await seesTheDay(page);
    await keepsTheTheme(page);
    await page.locator('[data-type="corruxion"] a').click();
    await page.waitForURL('**/merchants#corruxion');
    await page
      .locator('#corruxion .left')
      .filter({ hasText: /^(?:in \d|now)/ })
      .waitFor();
    assert.equal(await page.locator('#corruxion tbody tr').count(), 10);
    await takesTheCalendar(page);
    await page.getByRole('link', { name: 'Today in the game' }).click();
    await page.getByRole('heading', { level: 1, name: /^Today: / }).waitFor();
  }
  return complaintsAbout([await visit(world, page, '/today', 'player-today')]);
}

/** Every card lies wholly on the first screen, and the part for developers below it. */
async function seesTheDay(page: Page): Promise<void> {
  for (const type of FIRST_SCREEN) {
    const box = await page.locator(`[data-type="${type}"]`).boundingBox();
    assert.ok(box !== null && box.y + box.height <= PHONE.height, `${type} is not on the first screen`);
  }
  await page
    .locator('[data-type="challenge"] .countdown')
    .filter({ hasText: /(?:ends|starts) in|ended .* ago/ })
    .waitFor();
  const api = await page.locator('#api-title').boundingBox();
  assert.ok(api !== null && api.y > PHONE.height, 'the part for developers is on the first screen');
}

/** The device remembers the theme over pages, until the visitor chooses that of the device. */
async function keepsTheTheme(page: Page): Promise<void> {
  const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
  for (const [choice, expected] of [
    ['dark', 'dark'],
    ['light', 'light'],
    ['', 'light dark'],
  ] as const) {
    await page.getByLabel('Theme').selectOption(choice);
    await page.reload();
    assert.equal(await scheme(), expected);
  }
}

/** The button opens the calendar app, the link has the file itself. */
async function takesTheCalendar(page: Page): Promise<void> {
  const app = await page.getByRole('link', { name: 'Add Corruxion to your calendar' }).getAttribute('href');
  const file = await page.locator('#corruxion').getByRole('link', { name: 'Calendar file' }).getAttribute('href');
  assert.match(app ?? '', /^webcal:\/\//);
  assert.ok(app?.endsWith(file ?? 'no link'));
  const reply = await page.request.get(new URL(file ?? '', page.url()).href);
  assert.equal(reply.headers()['content-type'], 'text/calendar; charset=utf-8');
  assert.match(await reply.text(), /^BEGIN:VCALENDAR[\s\S]*SUMMARY:Corruxion/);
}
