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
];
