import { env } from 'cloudflare:workers';
import pMap from 'p-map';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { SENDER_COUNT } from '../../src/areas/webhooks/delivery/delivery.data.ts';
import type { WebhookFormat } from '../../src/areas/webhooks/records/webhooks.tables.ts';
import { createSecret } from '../../src/areas/webhooks/signed/signed.upstream.ts';
import { secretContext } from '../../src/areas/webhooks/signed/signed-format.service.ts';
import { measure, type Reading } from '../support/meter.ts';
import { createAccount } from '../support/tokens.ts';
import { freshEndpoint, receiver } from '../worker/webhooks/signed/signed-world.ts';
import {
  addressOf,
  chatService,
  clearWebhooks,
  freshAddress,
  freshEvent,
  pendingDeliveries,
  queueEvents,
  senderWorld,
  vault,
} from '../worker/webhooks/world.ts';

/** Webhooks of one event; `WEBHOOKS=<number>` in the environment for another number. A third of them are signed. */
const WEBHOOKS = Number((env as { WEBHOOKS?: string }).WEBHOOKS ?? 15_000);
const SIGNED = Math.round(WEBHOOKS / 3);
/** Sender objects of each format. */
const SENDERS = { chat: 0, signed: SENDER_COUNT };
/** Webhooks per statement of the seed. */
const PAGE = 500;

/** A webhook with its own URL, and a signed one with its own secret. */
async function webhookOf(format: WebhookFormat, index: number) {
  const id = crypto.randomUUID();
  const url = format === 'chat' ? freshAddress() : freshEndpoint();
  const key = await vault.digest(format === 'chat' ? addressOf(url).identity : url);
  const address = await vault.seal(url, id);
  const secret = format === 'chat' ? null : await vault.seal(createSecret(), secretContext(id));
  return { id, format, address, secret, key, masked: url, sender: SENDERS[format] + (index % SENDER_COUNT) };
}

describe(`one event for ${WEBHOOKS} webhooks`, () => {
  const endpoint = receiver();
  const chat = chatService();
  const costs = new Map<string, Reading>();

  /** Notes what work costs for each delivery, and prints it. */
  async function note(name: string, deliveries: number, work: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    const reading = await measure(work);
    const seconds = (performance.now() - startedAt) / 1000;
    costs.set(name, reading);
    const per = (value: number) => (value / deliveries).toFixed(2);
    const { usage, statements } = reading;
    const line = `DELIVERIES ${name}: ${deliveries} deliveries, for each ${per(usage['D1 rows written'])} rows written, ${per(usage['D1 rows read'])} read, ${per(statements)} statements; ${seconds.toFixed(0)} s`;
    await fetch(inject('processorTime'), { method: 'POST', body: `${line}\n` });
  }

  async function store(format: WebhookFormat, count: number, userId: string): Promise<void> {
    for (let start = 0; start < count; start += PAGE) {
      const page = await Promise.all(
        Array.from({ length: Math.min(PAGE, count - start) }, (_, offset) => webhookOf(format, start + offset)),
      );
      const given = JSON.stringify(page);
      await env.DB.batch([
        env.DB.prepare(
          `INSERT INTO webhooks (id, user_id, format, label, sealed_address, sealed_secret, masked_address, address_key, sender, events, templates, created_at)
            SELECT value->>'id', ?2, value->>'format', '', value->>'address', value->>'secret', value->>'masked', value->>'key', value->>'sender',
              '["challenge"]', '{}', 1 FROM json_each(?1)`,
        ).bind(given, userId),
        env.DB.prepare("INSERT INTO webhook_subscriptions (event, webhook_id) SELECT 'challenge', value->>'id' FROM json_each(?1)").bind(
          given,
        ),
      ]);
    }
  }

  /** Delivers what is due to the webhooks of a format, with all of its sender objects at once. */
  const deliver = (format: WebhookFormat) =>
    pMap(
      Array.from({ length: SENDER_COUNT }, (_, index) => SENDERS[format] + index),
      (sender) => senderWorld({ chat, receiverUrl: endpoint.url }).drain(sender),
    );

  beforeAll(async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    await clearWebhooks();
    const userId = await createAccount();
    await store('chat', WEBHOOKS - SIGNED, userId);
    await store('signed', SIGNED, userId);
    await chat.answers();
    await note('queued', WEBHOOKS, () => queueEvents(senderWorld().time, freshEvent()));
    expect(await pendingDeliveries()).toHaveLength(WEBHOOKS);
    await note('chat', WEBHOOKS - SIGNED, () => deliver('chat'));
    await note('signed', SIGNED, () => deliver('signed'));
  }, 3_600_000);

  it('posts each message once', async () => {
    expect(await pendingDeliveries()).toEqual([]);
    expect(new Set((await chat.posted()).map(({ path }) => path)).size).toBe(WEBHOOKS - SIGNED);
    expect(await chat.posted()).toHaveLength(WEBHOOKS - SIGNED);
    const logged = await env.DB.prepare(
      'SELECT count(*) AS n, sum(tries) AS tries FROM webhook_log WHERE delivered_at IS NOT NULL',
    ).first();
    expect(logged).toEqual({ n: SIGNED, tries: SIGNED });
  });

  it('costs as many rows and statements for each delivery as with few webhooks', () => {
    const perDelivery = (name: string, deliveries: number) => {
      const { usage, statements } = costs.get(name) as Reading;
      return { rows: usage['D1 rows written'] / deliveries, statements: statements / deliveries };
    };
    const queued = perDelivery('queued', WEBHOOKS);
    const chatCost = perDelivery('chat', WEBHOOKS - SIGNED);
    const signedCost = perDelivery('signed', SIGNED);
    // Signed webhooks are queued with a row of their log and its index, and their attempt is logged.
    expect(queued.rows).toBeLessThan(4.5);
    expect(chatCost.rows).toBeLessThan(4.5);
    expect(signedCost.rows).toBeLessThan(5.5);
    expect(chatCost.statements).toBeLessThan(2.5);
    expect(signedCost.statements).toBeLessThan(2.5);
  });
});
