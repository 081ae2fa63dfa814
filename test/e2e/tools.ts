import { expect, type Page } from '@playwright/test';
import type { Visitor, World } from './world.ts';

/** A phone and a desktop. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
] as const;

export type ToolWorld = Pick<World, 'url' | 'visitor' | 'bundle'>;

/** What a first-time visitor does with the tools, on a phone and on a desktop. Returns faults of the pages. */
export function useTools(world: ToolWorld): Promise<string[]> {
  return takeJourneys(world, [simulateGem, evaluateGem, sumGems, convertTime, tickStats, openNonsense]);
}

/** What a first-time visitor does with one tool. */
export type ToolJourney = (world: ToolWorld, visitor: Visitor) => Promise<void>;

export async function takeJourneys(world: ToolWorld, journeys: readonly ToolJourney[]): Promise<string[]> {
  const faults: string[] = [];
  for (const viewport of SIZES) {
    for (const journey of journeys) {
      const visitor = await world.visitor({ viewport, timezoneId: 'Europe/Paris', locale: 'en-GB' });
      await journey(world, visitor);
      faults.push(...visitor.faults.map((fault) => `${journey.name}, ${viewport.width} px: ${fault}`));
      await visitor.context.close();
    }
  }
  return faults;
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
export const field = (page: Page, name: string) => page.getByRole('spinbutton', { name, exact: true });
/** Chooses one of a few options. The input itself is not visible, its label is. */
export const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).locator('..').click();
export const textOf = async (page: Page, label: string) =>
  (await page.getByRole('region', { name: label, exact: true }).innerText()).trim();

/** The text of the clipboard after a button was pressed. */
export async function copied(page: Page, name: string | RegExp): Promise<string> {
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await page.getByRole('button', { name, exact: true }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).not.toBe('');
  return String(await page.evaluate('navigator.clipboard.readText()'));
}

/** Opens a link in a browser that knows nothing of this one, and compares what the regions show. */
export async function opensEqually(world: ToolWorld, page: Page, regions: readonly string[], link?: string): Promise<void> {
  const address = link ?? (await copied(page, 'Copy link'));
  const other = await world.visitor({ timezoneId: 'Europe/Paris', locale: 'en-GB' });
  await other.page.goto(address);
  for (const region of regions) expect(await textOf(other.page, region)).toBe(await textOf(page, region));
  expect(other.faults).toEqual([]);
  await other.context.close();
}

async function simulateGem(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/tools`);
  await page.getByRole('link', { name: 'Gem simulator and evaluator' }).click();
  await button(page, 'Roll a new gem').click();
  await choose(page, 'Cosmic');
  const before = await textOf(page, 'The gem');
  await button(page, /^Focus: Light/).click();
  await expect(page.getByText('Superior Focus on Light')).toHaveCount(2);
  expect(await textOf(page, 'The gem')).not.toBe(before);
  await button(page, 'Undo').click();
  expect(await textOf(page, 'The gem')).toBe(before);
  // The history of the browser and a reload keep everything.
  await page.goBack();
  await page.goForward();
  expect(await textOf(page, 'The gem')).toBe(before);
  await page.reload();
  expect(await textOf(page, 'The gem')).toBe(before);

  await button(page, /^Level up to/).click();
  await expect(page.getByText('The gem is at its maximum level.')).toBeVisible();
  await opensEqually(world, page, ['The gem']);
  const preview = await copied(page, 'Copy link with preview');
  await opensEqually(world, page, ['The gem'], preview);
  const code = new URL(preview).searchParams.get('gem') ?? '';
  const image = await page.request.get(`${world.url}/og/tools/gem.png?${new URLSearchParams({ gem: code })}`);
  expect([image.status(), image.headers()['content-type']]).toEqual([200, 'image/png']);
  await comparesWithApi(world, page);

  await field(page, 'Level').fill('1');
  // The script of the worker never arrives.
  await page.route('**/ui/tools/gems-work.js', () => {});
  await button(page, 'Show the spread').click();
  await expect(page.getByRole('progressbar', { name: /^Levelling the gem/ })).toBeVisible();
  await button(page, 'Cancel').click();
  await expect(page.getByRole('progressbar', { name: /^Levelling the gem/ })).toBeHidden();
  await expect(button(page, 'Show the spread')).toBeFocused();
  await page.unroute('**/ui/tools/gems-work.js');
  await button(page, 'Show the spread').click();
  await expect(page.getByRole('img', { name: /^Attempts to the maximum level/ })).toBeVisible();
}

/** The copied request returns the copied JSON. */
export async function comparesWithApi(world: ToolWorld, page: Page): Promise<void> {
  const json = JSON.parse(await copied(page, 'Copy as JSON'));
  const curl = await copied(page, 'Copy as curl');
  const [, path = ''] = /'https?:\/\/[^/']+([^']*)'/.exec(curl) ?? [];
  const [, body = ''] = /-d '(.*)'$/s.exec(curl) ?? [];
  const headers: Record<string, string> = curl.includes('$GAME_DATA_TOKEN')
    ? { Authorization: `Bearer ${await world.bundle.mintToken()}` }
    : {};
  const response = await page.request.post(`${world.url}${path}`, { data: JSON.parse(body.replaceAll(String.raw`'\''`, "'")), headers });
  expect(await response.json()).toEqual(json);
}

async function evaluateGem(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/tools/gems`);
  await choose(page, 'Evaluate my gem');
  await choose(page, 'Stellar');
  await field(page, 'Level').fill('1');
  for (const [index, value] of ['2450', '35', '8750'].entries()) await field(page, `Value ${index + 1}`).fill(value);
  // Each value is in the middle of its range.
  await expect(page.getByRole('region', { name: 'Quality' })).toContainText('50 %');
  await opensEqually(world, page, ['Quality']);
  await comparesWithApi(world, page);
  await field(page, 'Level').fill('99');
  await expect(page.getByText('Enter a number from 1 to 25.')).toBeVisible();
  await choose(page, 'its Power Rank');
  await expect(field(page, 'Power Rank')).toBeVisible();

  await choose(page, 'its percentages');
  await field(page, 'Level').fill('5');
  await page.getByRole('combobox', { name: 'Boosts of the three stats' }).selectOption('0 · 1 · 0');
  for (const [index, percent] of ['100', '50', '0'].entries()) await field(page, `Percent ${index + 1}`).fill(percent);
  // The boosted stat counts twice.
  await expect(page.getByRole('region', { name: 'Quality' })).toContainText('50 %');
  await opensEqually(world, page, ['Quality']);
  await comparesWithApi(world, page);
}

async function sumGems(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/tools/gems`);
  await choose(page, 'All my gems');
  const all = page.getByRole('region', { name: 'All gems', exact: true });
  await expect(all).toContainText('75 %');
  await button(page, 'Perfect all gems').click();
  // The Power Rank that the table of sources names for gems.
  await expect(all).toContainText('44,540');
  await button(page, 'Edit: Fire, Lesser 2').click();
  await field(page, 'Level').fill('1');
  await expect(all).not.toContainText('44,540');
  await page.goBack();
  await page.goForward();
  await opensEqually(world, page, ['All gems', 'Stats of all gems', 'The gems']);
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Gem', exact: true })).toHaveValue('5');
  await expect(button(page, 'Copy as curl')).toBeDisabled();
}

async function convertTime(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/tools/time`);
  await page.getByLabel('Date and time', { exact: true }).fill('2026-06-05T13:00');
  // Friday 13:00 in Paris is the daily reset: midnight of the game.
  await expect(page.getByRole('region', { name: 'Game time' })).toContainText('Friday, 00:00');
  expect(await copied(page, /^Copy <t:1780657200:R>, Relative: /)).toBe('<t:1780657200:R>');
  await page.getByLabel('Time zone', { exact: true }).fill('Asia/Tokyo');
  await page.getByLabel('Time zone', { exact: true }).fill('Japan & South Korea');
  await expect(page.getByLabel('Date and time', { exact: true })).toHaveValue('2026-06-05T20:00');
  await opensEqually(world, page, ['Game time']);
  await comparesWithApi(world, page);
  await page.goBack();
  await expect(page.getByLabel('Date and time', { exact: true })).toHaveValue('2026-06-05T13:00');
  await button(page, /^Go to this time: Weekly reset/).click();
  await expect(page.getByRole('region', { name: 'Game time' })).toContainText('Monday, 00:00');
}

async function tickStats(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/tools/stats`);
  await choose(page, 'Power Rank');
  await button(page, 'Tick nothing').click();
  await page.getByRole('checkbox', { name: /^Hat/ }).check();
  await field(page, 'Dragons').fill('130');
  await expect(page.getByRole('region', { name: 'Sum' })).toContainText('2,454');
  await button(page, 'I have it: Gems').click();
  await expect(page.getByRole('region', { name: 'Sum' })).toContainText('46,994');
  await opensEqually(world, page, ['Sum', 'What you have']);
  await page.reload();
  await expect(page.getByRole('checkbox', { name: /^Gems/ })).toBeChecked();
}

async function openNonsense(world: ToolWorld, { page }: Visitor): Promise<void> {
  await page.goto(`${world.url}/tools/gems#gem=nonsense&level=999&__proto__=1`);
  await expect(page.getByText('The link has parts that this tool does not know: gem, level, __proto__.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'The gem' })).toContainText('Power Rank');
}
