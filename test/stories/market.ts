import assert from 'node:assert/strict';
import type { Story } from './user.ts';

const ITEM = encodeURIComponent('Sun Sap');

export const marketStories: readonly Story[] = [
  {
    title: 'read the price history of an item',
    async run(user) {
      type Timeline = { points: { bucket: number; p50: number }[] };
      const { points } = await user.readWithToken<Timeline>(`/v1/market/items/${ITEM}/timeline?days=7`);
      assert.ok(points.length >= 5, `${points.length} days`);
      assert.ok(points.every(({ p50 }) => p50 > 0));
    },
  },
  {
    title: 'find the cheapest listing of an item',
    async run(user) {
      type Listings = { items: { price_each: number; stack: number; expired: boolean }[] };
      const { items } = await user.readWithToken<Listings>(`/v1/market/listings?name=${ITEM}&sort=price_each&hide_expired=true&limit=5`);
      const { min_each } = await user.readWithToken<{ min_each: number }>(`/v1/market/items/${ITEM}/summary`);
      assert.equal(items[0]?.price_each, min_each);
      assert.deepEqual(
        items.map(({ price_each }) => price_each),
        items.map(({ price_each }) => price_each).sort((one, other) => one - other),
      );
    },
  },
  {
    title: 'read the prices of several items at once, and of every item',
    async run(user) {
      type Summaries = { items: { name: string; median_each: number }[]; missing: string[] };
      const some = await user.readWithToken<Summaries>(`/v1/market/summaries?names=${ITEM},Nothing%20of%20this%20name`);
      assert.deepEqual([some.items.map(({ name }) => name), some.missing], [['Sun Sap'], ['Nothing of this name']]);
      const all = await user.readWithToken<Summaries>('/v1/market/summaries');
      assert.deepEqual(
        all.items.find(({ name }) => name === 'Sun Sap'),
        some.items[0],
      );
    },
  },
  {
    title: 'see what moves the market, as data and as a page',
    async run(user) {
      type Overview = { active_listings: number; active_items: number };
      const overview = await user.readWithToken<Overview>('/v1/market/analytics/overview');
      assert.ok(overview.active_listings > 0 && overview.active_items > 0);
      const page = await user.text('/market');
      const [, item = ''] = /href="(\/market\/item\?[^"]+)"/.exec(page) ?? [];
      assert.ok(page.includes('Most listed'));
      // Without `days`, an item of the codex leads to its entry.
      assert.ok((await user.text(`${item}&days=30`)).includes('Upper quartile'));
    },
  },
];
