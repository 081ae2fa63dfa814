import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { ALL_ON, withFeatures } from '../../support/endpoints.ts';
import { storeListing } from '../../support/example-data.ts';
import { call, FIRST_INSTANT } from '../../support/requests.ts';
import { boardLine, capture, dumpOf } from '../leaderboards/dumps.ts';
import { testApp } from '../platform/test-app.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const app = testApp();
const read = async (query: Record<string, string>, fetch = app) => {
  const { status, text, headers } = await call(`/portal/followed?${new URLSearchParams(query)}`, { now: FIRST_INSTANT }, fetch);
  return { status, headers, body: JSON.parse(text) };
};

beforeAll(async () => {
  await storeListing(createDatabase(env.DB));
  const others = (count: number) => Array.from({ length: count }, (_, index): [string, number] => [`Other ${index}`, 2000 - index]);
  await capture(dumpOf(boardLine(1, [...others(4), ['Nimbus', 900]]), boardLine(20, [...others(1), ['Nimbus', 900]])), TUESDAY);
});

describe('GET /portal/followed', () => {
  it('returns the price of each item in order, null for one without a listing, and the best place of the player', async () => {
    const { status, body, headers } = await read({ items: 'Unknown thing|Sun Sap|Sun Sap', player: 'nimbus' });
    expect(status).toBe(200);
    expect(body.items).toEqual([
      { name: 'Unknown thing', price: null },
      { name: 'Sun Sap', price: expect.any(Number) },
    ]);
    expect(body.player).toEqual({ name: 'Nimbus', rank: 2, board: expect.any(String) });
    expect(headers.get('Cache-Control')).toMatch(/^private/);
    expect(headers.get('RateLimit-Policy')).toContain('"anon-pages"');
  });

  it('returns nothing for an unknown player, no parameters, and parts that are switched off', async () => {
    expect((await read({ player: 'Nobody at all' })).body).toEqual({ items: [], player: null });
    expect((await read({})).body).toEqual({ items: [], player: null });
    const off = testApp({ settings: withFeatures(ALL_ON, ['featureMarketEnabled', 'featureLeaderboardsEnabled'], false) });
    expect((await read({ items: 'Sun Sap', player: 'Nimbus' }, off)).body).toEqual({
      items: [{ name: 'Sun Sap', price: null }],
      player: null,
    });
  });

  it('counts the first twelve items', async () => {
    const names = Array.from({ length: 13 }, (_, index) => `Item ${index}`);
    expect((await read({ items: names.join('|') })).body.items.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, 12));
  });
});

describe('what a device follows', () => {
  it('has a row on the front page and the market page, and a button on the page of an item', async () => {
    const page = async (path: string) => (await call(path, { now: FIRST_INSTANT, headers: { Accept: 'text/html' } }, app)).text;
    for (const path of ['/', '/market'])
      expect(await page(path), path).toMatch(/<ul id="followed" class="followed-list" data-currency="[^"]+"><\/ul>/);
    expect(await page('/market/item?name=Sun+Sap&days=30')).toContain('data-item="Sun Sap"');
  });
});
