import { expect } from '@playwright/test';
import { useDocumentation } from './documentation.ts';
import { useFileTools } from './file-tools.ts';
import { findItems } from './items.ts';
import { useFromOtherOrigin } from './other-origin.ts';
import { dayOfPlayer } from './player-day.ts';
import { useTools } from './tools.ts';
import { test } from './world.ts';

test('a visitor uses the tools on a phone and on a desktop, and sends their links', async ({ world }) => {
  expect(await useTools(world)).toEqual([]);
});

test('a visitor finds a build, has a stat sheet read and changes a mod', async ({ world }) => {
  expect(await useFileTools(world)).toEqual([]);
});

test('a visitor finds the price of an item, the cost of a recipe and a name in German', async ({ world }) => {
  expect(await findItems(world)).toEqual([]);
});

test('a player sees the day on the first screen and finds the next visit of a merchant', async ({ world }) => {
  expect(await dayOfPlayer(world)).toEqual([]);
});

test('a reader searches the documentation and sends a request', async ({ world }) => {
  const { page, faults } = await world.visitor();
  expect([...(await useDocumentation(world.url, page, await world.bundle.mintToken())), ...faults]).toEqual([]);
});

test('a page of another site uses the public API, its images and its event stream', ({ world }) => useFromOtherOrigin(world));

test('a chart shows the value at the pointer, and those before it by keyboard', async ({ world }) => {
  const { page } = await world.visitor();
  await page.goto(`${world.url}/activity`);
  // A script makes the chart focusable when it follows the pointer.
  const area = page.locator('.plot .chart-area[tabindex="0"]').first();
  const readout = page.locator('.chart output').first();
  await area.hover();
  await readout.filter({ hasText: '·' }).waitFor();
  await area.focus();
  await page.keyboard.press('Home');
  const first = await readout.textContent();
  expect(await area.getAttribute('aria-valuetext')).toBe(first);
  await page.keyboard.press('ArrowRight');
  expect(await area.getAttribute('aria-valuenow')).toBe('1');
  expect(await readout.textContent()).not.toBe(first);
});
