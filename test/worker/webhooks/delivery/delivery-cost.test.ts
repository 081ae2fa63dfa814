import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_DELIVERIES_PER_ROUND, SENDER_COUNT } from '../../../../src/areas/webhooks/delivery/delivery.data.ts';
import { webhookDeliveries, webhooks } from '../../../../src/areas/webhooks/records/webhooks.tables.ts';
import { CONTENT_COSTS } from '../../../scale/unit-costs.data.ts';
import { measure } from '../../../support/meter.ts';
import { createAccount } from '../../../support/tokens.ts';
import { clearWebhooks, db, deliveries, freshEvent, pendingDeliveries, queueEvents, register, senderWorld } from '../world.ts';

const WEBHOOKS = 48;

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  await clearWebhooks();
});

describe('event with many chat webhooks', () => {
  it('costs few rows and statements for each delivery', async () => {
    let userId = '';
    for (let count = 0; count < WEBHOOKS; count += 1) {
      if (count % 10 === 0) userId = await createAccount();
      await register({ userId });
    }
    const world = senderWorld();
    await world.chat.answers();
    const queued = await measure(() => queueEvents(world.time, freshEvent()));
    expect(await pendingDeliveries()).toHaveLength(WEBHOOKS);
    const sent = await measure(async () => {
      for (let sender = 0; sender < SENDER_COUNT; sender += 1) await world.drain(sender);
    });
    expect(await pendingDeliveries()).toHaveLength(0);
    expect(world.postedAt).toHaveLength(WEBHOOKS);
    const per = (value: number) => value / WEBHOOKS;
    // A row and two indexes, then those of the attempt and the result.
    const rows = (meter: 'D1 rows written' | 'D1 rows read') => per(queued.usage[meter] + sent.usage[meter]);
    const { delivery } = CONTENT_COSTS;
    expect(rows('D1 rows written')).toBeLessThanOrEqual(delivery['D1 rows written']);
    expect(rows('D1 rows read')).toBeLessThanOrEqual(delivery['D1 rows read']);
    expect(queued.statements).toBe(10);
  });

  it('is listed with as many rows read when six times as many deliveries are due', async () => {
    const { now } = senderWorld().time.clock;
    const webhook = await register();
    const [source] = await db.select().from(webhooks).where(eq(webhooks.id, webhook.id));
    if (!source) throw new Error('the webhook is missing');
    const rowsOfRound = async (total: number) => {
      const ids = Array.from({ length: total }, (_, index) => `${webhook.id}-${total}-${index}`);
      await db.$client.batch(
        ids.flatMap((id) => {
          const queries = [
            db.insert(webhooks).values({ ...source, id }),
            db.insert(webhookDeliveries).values({ jobKey: 'job', webhookId: id, sender: 0, dueAt: now }),
          ];
          return queries.map((query) => {
            const { sql, params } = query.toSQL();
            return db.$client.prepare(sql).bind(...params);
          });
        }),
      );
      await deliveries.nextDueAt(0);
      const { usage } = await measure(async () => {
        await deliveries.listDue(0, now, MAX_DELIVERIES_PER_ROUND);
        expect(await deliveries.nextDueAt(0)).toBe(now);
      });
      return usage['D1 rows read'];
    };
    const few = await rowsOfRound(60);
    expect((await rowsOfRound(300)) / few).toBeLessThan(1.2);
  });
});
