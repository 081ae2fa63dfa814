import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMarketInserts, type NewPrices } from '../../../src/areas/market/insert.store.ts';
import { webhookDeliveries, webhookJobs } from '../../../src/areas/webhooks/records/webhooks.tables.ts';
import { outbox } from '../../../src/platform/durable/outbox.tables.ts';
import { createOutbox } from '../../../src/platform/durable/outbox.ts';
import { createTriggerQueue } from '../../../src/platform/events/trigger-queue.ts';
import { systemClock } from '../../../src/platform/kit/time/clock.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { failingDatabase } from '../../support/d1/failing-database.ts';
import { testApp } from '../platform/test-app.ts';
import { clearWebhooks, register } from '../webhooks/world.ts';
import { clearMarket, db, idAt, NOW, openMarket } from './market.ts';

const clearQueue = () => db.delete(outbox).where(eq(outbox.kind, 'market_price'));

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  await Promise.all([clearMarket(), clearWebhooks(), clearQueue()]);
});
afterAll(clearWebhooks);

/** Sender objects that do not run when woken. */
const asleep = { getByName: () => ({ wake: async () => {} }) } as unknown as Env['WEBHOOK_SENDERS'];

const market = () =>
  openMarket(testApp({ settings: { ingestCooldownMax: 1000, apiRateLimitMax: 100_000 }, bindings: { WEBHOOK_SENDERS: asleep } }));

const watch = (limit: number, ...values: string[]) =>
  register({ events: ['market_price'], conditions: [{ event: 'market_price', match: 'item', values, limit }] });

/** Queued events: the webhook with the variables of its message. */
async function queued(): Promise<{ webhookId: string; variables: Record<string, unknown> }[]> {
  const rows = await db.select().from(webhookDeliveries).innerJoin(webhookJobs, eq(webhookJobs.key, webhookDeliveries.jobKey));
  return rows.map(({ webhook_deliveries: { webhookId }, webhook_jobs: { variables } }) => ({
    webhookId,
    variables: JSON.parse(variables) as Record<string, unknown>,
  }));
}

describe('insert of listings', () => {
  it('queues the cheapest new listing of an item once, for webhooks with a limit that it meets', async () => {
    const { insert } = await market();
    const sap = await watch(150, 'sun sap');
    const low = await watch(90, 'Sun Sap', 'Bardium');
    const offers = [
      { serial: 1, price: 120 },
      { serial: 2, price: 100 },
      { serial: 3, price: 400, stack: 2 },
    ];
    await insert(offers);
    expect(await queued()).toEqual([
      {
        webhookId: sap.id,
        variables: { item: 'Sun Sap', price_each: 100, stack: 1, price: 100, listing_id: idAt(NOW - 3600, 2), new_listings: 3 },
      },
    ]);
    await insert(offers, NOW + 600);
    expect(await queued()).toHaveLength(1);
    await insert([...offers, { serial: 4, price: 80 }], NOW + 1200);
    expect(
      (await queued())
        .map(({ webhookId, variables }) => [webhookId, variables.price_each])
        .slice(1)
        .sort(),
    ).toEqual(
      [
        [low.id, 80],
        [sap.id, 80],
      ].sort(),
    );
    expect(await db.select().from(outbox).where(eq(outbox.kind, 'market_price'))).toEqual([]);
  });

  it('queues nothing for a dump that is old or older than another', async () => {
    const { insert } = await market();
    await watch(150, 'Sun Sap');
    await insert([{ serial: 1 }], NOW, `?timestamp=${NOW - 3601}`);
    await insert([{ serial: 2, name: 'Bardium' }], NOW);
    await insert([{ serial: 3 }], NOW, `?timestamp=${NOW - 60}`);
    expect(await queued()).toEqual([]);
  });
});

describe('queue of new prices', () => {
  it('is stored with the listings, and delivered after a crash', async () => {
    const received: unknown[] = [];
    let isDown = true;
    const trigger = async (events: readonly unknown[]) => {
      if (isDown) throw new Error('out of reach');
      received.push(...events);
    };
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const queue = createTriggerQueue(createOutbox(db, systemClock), trigger, {
      type: 'market_price',
      jobName: 'test',
      eventsOf: (payload) => [JSON.parse(payload)],
    });
    const listing = { type: '', stack: 1, price: 5, milliEach: 5000, createdAt: NOW };
    const listings = Array.from({ length: 501 }, (_, at) => ({
      ...listing,
      id: idAt(NOW, at),
      name: `Item ${String(at).padStart(3, '0')}`,
    }));
    await createMarketInserts(db).save(listings, NOW, { kind: 'market_price', key: 'k', now: NOW });
    await queue.drain(NOW);
    expect(received).toEqual([]);
    isDown = false;
    await queue.drain(NOW + 60);
    const payloads = received as NewPrices[];
    expect(payloads.map(({ at, prices }) => [at, prices.length])).toEqual([
      [NOW, 500],
      [NOW, 1],
    ]);
    expect(payloads[0]?.prices[0]).toEqual(['Item 000', 5000, 1, 5, idAt(NOW, 0), 1]);
    await queue.drain(NOW + 120);
    expect(received).toHaveLength(2);
  });

  it('does not fail an insert whose listings are stored while it cannot be read', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { database } = failingDatabase(env.DB, 0, 'refused', true);
    const queue = createTriggerQueue(createOutbox(createDatabase(database), systemClock), async () => {}, {
      type: 'market_price',
      jobName: 'test',
      eventsOf: () => [],
    });
    await expect(queue.drain(NOW)).resolves.toBeUndefined();
  });
});
