import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { createDeliveriesStore } from '../../../../src/areas/webhooks/delivery/deliveries.store.ts';
import { MAX_FAILURES, MAX_LOG_ROWS } from '../../../../src/areas/webhooks/delivery/delivery.data.ts';
import { webhookDeliveries, webhookJobs, webhookLog, webhooks } from '../../../../src/areas/webhooks/records/webhooks.tables.ts';
import { createDeliveryLog } from '../../../../src/areas/webhooks/signed/delivery-log.store.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { recordingDatabase, scansOf } from '../../../support/query-plans.ts';
import type { UpstreamCall } from '../../../support/upstreams/http-upstream.ts';
import {
  clearWebhooksEachTest,
  db,
  deliveries,
  eventQueue,
  freshEvent,
  pendingDeliveries,
  queueEvents,
  register,
  repository,
  stateOf,
  stoppedClock,
} from '../world.ts';
import { freshEndpoint, log, registerSigned, signedWorld } from './signed-world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

clearWebhooksEachTest();

/** The parsed body of a request with a valid signature. The library compares the timestamp with the clock of the machine. */
function verified(secret: string, { headers, body }: UpstreamCall): unknown {
  vi.useFakeTimers({ now: Number(headers['webhook-timestamp']) * 1000, toFake: ['Date'] });
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    vi.useRealTimers();
  }
}

/** Runs due rounds until a time, as the alarm does. */
async function workUntil({ sender: { round }, time }: ReturnType<typeof signedWorld>, sender: number, until: number): Promise<void> {
  for (;;) {
    const next = await round(sender);
    if (next === null || next > until) break;
    time.clock.now = Math.max(time.clock.now, next);
  }
}

async function entryOf({ id, messageId }: { id: string; messageId: string }) {
  const found = await log.find(id, messageId);
  if (!found) throw new Error('the delivery is not in the log');
  return found;
}

describe('signed webhook event', () => {
  it('is sent once, signed, to every active webhook that is registered for it', async () => {
    const world = signedWorld();
    const [one, two] = [await registerSigned({ events: ['challenge', 'chaos'] }), await registerSigned()];
    await registerSigned({ events: ['game_update'] });
    const off = await registerSigned();
    await off.service.edit(off.userId, off.id, { isActive: false });
    const chat = await register();
    await db.delete(webhookDeliveries);
    const event = freshEvent();
    await queueEvents(world.time, event, event);
    await queueEvents(world.time, event);
    for (const { sender } of [one, two, off, chat]) await world.drain(sender);
    const calls = await world.endpoint.calls();
    expect(calls).toHaveLength(2);
    for (const { url, secret } of [one, two].map(({ maskedUrl, secret }) => ({ url: new URL(maskedUrl), secret }))) {
      const call = calls.find(({ path }) => path === `/${url.host}${url.pathname}`);
      if (!call) throw new Error('nothing was sent');
      expect(call.method).toBe('POST');
      expect(call.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'test-agent',
        'webhook-id': `evt_${event.id}_${event.at}`,
        'webhook-timestamp': String(Math.floor(world.time.clock.now / 1000)),
      });
      expect(verified(secret, call)).toEqual({ type: 'challenge', timestamp: new Date(event.at * 1000).toISOString(), data: event.data });
      expect(() => verified(secret, { ...call, body: `${call.body} ` })).toThrow();
    }
    expect(await world.chat.posted()).toHaveLength(1);
    expect(await pendingDeliveries()).toEqual([]);
  });

  it('is not stored when no signed webhook is registered for it', async () => {
    await registerSigned({ events: ['chaos'] });
    await db.delete(webhookJobs);
    const signedJobs = () => db.select().from(webhookJobs).where(eq(webhookJobs.format, 'signed'));
    const time = stoppedClock();
    await eventQueue(time.nowMs).receive([freshEvent('stampy')]);
    expect(await signedJobs()).toEqual([]);
    await eventQueue(time.nowMs).receive([{ ...freshEvent('chaos'), id: 2, at: 1 }]);
    expect(await signedJobs()).toMatchObject([{ key: 'evt_2_1', format: 'signed' }]);
  });

  it('is queued for the sender objects of signed webhooks, not for those of chat webhooks', async () => {
    const [signed, chat] = [await registerSigned(), await register()];
    expect([signed.sender >= 8 && signed.sender < 16, chat.sender < 8]).toEqual([true, true]);
  });
});

describe('signed webhook delivery', () => {
  it('is retried under the same id until it succeeds, and logs each attempt', async () => {
    const world = signedWorld();
    const webhook = await registerSigned();
    const redirect = { status: 302, headers: { Location: 'https://127.0.0.1/' } };
    await world.endpoint.respond({ status: 500, body: 'a\u0000<b>' }, redirect, { status: 200, body: 'ok' });
    await workUntil(world, webhook.sender, world.time.clock.now + HOUR);
    const calls = await world.endpoint.calls();
    expect(calls.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(webhook.messageId));
    expect(new Set(calls.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
    for (const call of calls) expect(verified(webhook.secret, call)).toMatchObject({ type: 'test' });
    expect(await entryOf(webhook)).toMatchObject({
      state: 'delivered',
      tries: 3,
      nextAttemptAt: null,
      body: calls[0]?.body,
      attempts: [
        { status: 500, error: 'HTTP 500', response: 'a <b>' },
        { status: 302, error: 'HTTP 302: redirects are not followed' },
        { status: 200, error: null, response: 'ok' },
      ],
    });
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: true, failures: 0, lastStatus: 200, lastError: null });
  });

  it('shows a failed attempt while it is pending', async () => {
    const world = signedWorld();
    const webhook = await registerSigned();
    await world.endpoint.respond({ status: 503, headers: { 'Retry-After': '60' } });
    const next = await world.sender.round(webhook.sender);
    expect(next).toBe(world.time.clock.now + 60_000);
    expect(await entryOf(webhook)).toMatchObject({ state: 'pending', tries: 1, nextAttemptAt: next, deliveredAt: null });
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 0, lastStatus: 503, lastError: 'HTTP 503' });
  });

  it('fails after a day of retries', async () => {
    const world = signedWorld();
    const webhook = await registerSigned();
    await world.endpoint.respond(...Array.from({ length: 30 }, () => ({ status: 500 })));
    const startedAt = world.time.clock.now;
    await world.drain(webhook.sender);
    expect(world.time.clock.now - startedAt).toBeGreaterThan(0.75 * DAY);
    expect(world.time.clock.now - startedAt).toBeLessThan(DAY);
    const entry = await entryOf(webhook);
    expect(entry).toMatchObject({ state: 'failed', nextAttemptAt: null });
    expect(entry.tries).toBeGreaterThanOrEqual(10);
    expect(entry.attempts).toHaveLength(Math.min(entry.tries, 12));
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: true, failures: 1 });
    expect(await pendingDeliveries()).toEqual([]);
  });

  it('disables the webhook after a 410 response', async () => {
    const world = signedWorld();
    const webhook = await registerSigned();
    await world.endpoint.respond({ status: 410 });
    await queueEvents(world.time, freshEvent());
    await world.drain(webhook.sender);
    expect(await world.endpoint.calls()).toHaveLength(1);
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: false, disabledReason: 'the endpoint responded with 410 Gone' });
    expect(await entryOf(webhook)).toMatchObject({ state: 'failed', attempts: [{ status: 410 }] });
    expect(await pendingDeliveries()).toEqual([]);
  });

  it('disables the webhook after 12 failures in a row', async () => {
    const world = signedWorld();
    const webhook = await registerSigned();
    await db
      .update(webhooks)
      .set({ failures: MAX_FAILURES - 1 })
      .where(eq(webhooks.id, webhook.id));
    await world.endpoint.respond(...Array.from({ length: 30 }, () => ({ status: 404 })));
    await world.drain(webhook.sender);
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: false, disabledReason: '12 deliveries in a row failed' });
  });

  it.each([
    ['private', 'not sent: the host name resolves to an address that is not public'],
    ['unknown', 'not sent: the host name does not resolve'],
    ['unavailable', 'not sent: the host name could not be looked up'],
  ] as const)('is not sent while its host name is %s, and is sent later', async (state, error) => {
    const states = [state, 'public'] as const;
    let lookups = 0;
    const world = signedWorld({ nameCheck: async () => states[Math.min(lookups++, 1)] ?? state });
    const webhook = await registerSigned();
    const next = await world.sender.round(webhook.sender);
    expect(await world.endpoint.calls()).toEqual([]);
    expect(await entryOf(webhook)).toMatchObject({ state: 'pending', attempts: [{ status: null, error }] });
    world.time.clock.now = next ?? 0;
    await world.drain(webhook.sender);
    expect(await world.endpoint.calls()).toHaveLength(1);
    expect(lookups).toBe(2);
  });

  it('stores the first 500 characters of a long response without reading it to the end', async () => {
    const world = signedWorld();
    const webhook = await registerSigned();
    await world.endpoint.respond({ status: 200, body: 'x'.repeat(1_000_000) });
    await world.drain(webhook.sender);
    const entry = await entryOf(webhook);
    expect([entry.state, entry.attempts[0]?.response]).toEqual(['delivered', 'x'.repeat(500)]);
  });

  it.each(['reset', 'empty'] as const)('is retried after %s', async (fault) => {
    const world = signedWorld();
    const webhook = await registerSigned();
    await world.endpoint.order({ fault, times: 1 });
    await world.sender.round(webhook.sender);
    const entry = await entryOf(webhook);
    expect(entry.state).toBe(fault === 'empty' ? 'delivered' : 'pending');
    if (fault === 'reset') expect(entry.attempts).toMatchObject([{ status: null, error: 'no response' }]);
    await world.drain(webhook.sender);
    expect((await entryOf(webhook)).state).toBe('delivered');
  });

  it('delays the other deliveries of its webhook while the endpoint does not respond', async () => {
    const world = signedWorld();
    const webhook = await registerSigned();
    await queueEvents(world.time, freshEvent(), freshEvent());
    const startedAt = world.time.clock.now;
    await world.endpoint.order({ fault: 'reset', times: 2 });
    expect(await world.sender.round(webhook.sender)).toBe(startedAt + 4500);
    expect(await world.endpoint.calls()).toHaveLength(1);
    const dueAt = (await pendingDeliveries()).map((delivery) => delivery.dueAt - startedAt);
    expect(dueAt.sort((a, b) => a - b)).toEqual([4500, 30_000, 30_000]);
    await world.drain(webhook.sender);
    expect((await log.list(webhook.id, 10)).map(({ state }) => state)).toEqual(Array(3).fill('delivered'));
    expect(await world.endpoint.calls()).toHaveLength(5);
  });

  it('is sent to the new URL after the URL is changed', async () => {
    const world = signedWorld();
    const webhook = await registerSigned();
    await world.endpoint.respond({ status: 500 });
    await world.sender.round(webhook.sender);
    const url = new URL(freshEndpoint());
    const { sender } = await webhook.service.edit(webhook.userId, webhook.id, { url });
    world.time.clock.now += 6000;
    await world.drain(sender);
    expect((await world.endpoint.calls()).at(-1)?.path).toBe(`/${url.host}${url.pathname}`);
    expect((await entryOf(webhook)).state).toBe('delivered');
  });

  it('is attempted again after every crash until it expires', async () => {
    const world = signedWorld();
    const webhook = await registerSigned();
    for (let crash = 0; crash < 40; crash += 1) {
      const { deliverable: wanted } = await deliveries.listDue(webhook.sender, world.time.clock.now, 10);
      const [delivery] = wanted;
      if (!delivery) throw new Error('the delivery is lost');
      expect(await deliveries.startAttempts([delivery], world.time.clock.now + 30_000)).toEqual([crash + 1]);
      world.time.clock.now += 30_000;
    }
    await world.drain(webhook.sender);
    expect(await entryOf(webhook)).toMatchObject({ state: 'delivered', tries: 1 });
  });

  it('disables its webhook when the URL or secret cannot be decrypted', async () => {
    const world = signedWorld();
    const webhook = await registerSigned();
    await db.update(webhooks).set({ sealedSecret: webhook.sealedAddress }).where(eq(webhooks.id, webhook.id));
    await world.drain(webhook.sender);
    expect(await world.endpoint.calls()).toEqual([]);
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: false });
  });
});

describe('secret rotation', () => {
  it('signs with both secrets until the overlap ends', async () => {
    const world = signedWorld();
    const webhook = await registerSigned({}, world.time.nowMs);
    const { secret } = await webhook.service.rotate(webhook.userId, webhook.id, 3600);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await world.drain(webhook.sender);
    world.time.clock.now += HOUR;
    await webhook.service.test(webhook.userId, webhook.id);
    await world.drain(webhook.sender);
    const [during, after] = await world.endpoint.calls();
    if (!during || !after) throw new Error('nothing was sent');
    expect(during.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const one of [webhook.secret, secret]) expect(verified(one, during)).toMatchObject({ type: 'test' });
    expect(verified(secret, after)).toMatchObject({ type: 'test' });
    expect(() => verified(webhook.secret, after)).toThrow();
  });

  it('invalidates the current secret immediately without an overlap', async () => {
    const world = signedWorld();
    const webhook = await registerSigned({}, world.time.nowMs);
    const { secret } = await webhook.service.rotate(webhook.userId, webhook.id, 0);
    await world.drain(webhook.sender);
    const [call] = await world.endpoint.calls();
    if (!call) throw new Error('nothing was sent');
    expect(verified(secret, call)).toMatchObject({ type: 'test' });
    expect(() => verified(webhook.secret, call)).toThrow();
  });
});

describe('delivery replay', () => {
  it('sends a message again under the same id days later', async () => {
    const world = signedWorld();
    const webhook = await registerSigned({}, world.time.nowMs);
    await world.drain(webhook.sender);
    world.time.clock.now += 3 * DAY;
    const replayed = await webhook.service.replay(webhook.userId, webhook.id, webhook.messageId);
    expect(replayed).toMatchObject({ state: 'pending', tries: 1, deliveredAt: null });
    await world.endpoint.respond({ status: 500 });
    await world.drain(webhook.sender);
    const calls = await world.endpoint.calls();
    expect(calls.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(webhook.messageId));
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
    expect(await entryOf(webhook)).toMatchObject({ state: 'delivered', tries: 3 });
  });

  it('attempts a pending message immediately', async () => {
    const world = signedWorld();
    const webhook = await registerSigned({}, world.time.nowMs);
    await world.endpoint.respond(...Array.from({ length: 6 }, () => ({ status: 500 })));
    await workUntil(world, webhook.sender, world.time.clock.now + HOUR);
    await webhook.service.replay(webhook.userId, webhook.id, webhook.messageId);
    await world.sender.round(webhook.sender);
    expect((await entryOf(webhook)).state).toBe('delivered');
  });
});

describe('delivery log', () => {
  it('keeps the newest deliveries of a webhook', async () => {
    const webhook = await registerSigned();
    const rows = Array.from({ length: MAX_LOG_ROWS + 20 }, (_, index) => ({
      webhookId: webhook.id,
      messageId: `m${index}`,
      event: 'chaos' as const,
      createdAt: index,
    }));
    for (let at = 0; at < rows.length; at += 10) await db.insert(webhookLog).values(rows.slice(at, at + 10));
    await webhook.service.test(webhook.userId, webhook.id);
    const listed = await log.list(webhook.id, 1000);
    expect(listed).toHaveLength(MAX_LOG_ROWS);
    expect(listed.at(-1)?.messageId).toBe('m22');
  });

  it('is deleted with its messages after seven days', async () => {
    const world = signedWorld();
    const [webhook, chat] = [await registerSigned(), await register()];
    await queueEvents(world.time, freshEvent());
    await deliveries.deleteExpired('signed', world.time.clock.now + 1000, world.time.clock.now);
    expect(await log.list(webhook.id, 10)).toEqual([]);
    expect(await db.select().from(webhookJobs)).toMatchObject([{ format: 'chat' }]);
    expect(await pendingDeliveries()).toMatchObject([{ webhookId: chat.id }]);
  });

  it('is deleted with its webhook and its account', async () => {
    const [one, two] = [await registerSigned(), await registerSigned()];
    await one.service.remove(one.userId, one.id);
    await repository.deleteByAccount(two.userId);
    expect([await db.select().from(webhookLog), await pendingDeliveries(), await db.select().from(webhooks)]).toEqual([[], [], []]);
  });

  it('is read and written without a full table scan', async () => {
    const { database, statements } = recordingDatabase();
    const noted = createDeliveryLog(createDatabase(database));
    const queue = createDeliveriesStore(createDatabase(database));
    const webhook = await registerSigned();
    await queue.enqueue('signed', [{ key: 'k', event: 'challenge', content: '{}', facts: [], needsCondition: false }], 'claim', {
      now: 1,
      expiresAt: 2,
    });
    const { deliverable: wanted } = await queue.listDue(webhook.sender, stoppedClock().clock.now, 10);
    const [delivery] = wanted;
    if (!delivery) throw new Error('nothing is due');
    const attempt = { at: 1, status: 500, error: 'x', duration_ms: 1, response: '' };
    await queue.delayAll(delivery, 5);
    await queue.scheduleRetry(delivery, { status: 500, error: 'x', at: 1, attempt }, 5);
    await noted.list(webhook.id, 10);
    await noted.find(webhook.id, webhook.messageId);
    await noted.replay(webhook.id, webhook.messageId, { now: 1, expiresAt: 2 });
    await noted.enqueueTest(webhook.id, { id: 't', event: 'test', body: '{}' }, { now: 1, expiresAt: 2 });
    await queue.deleteExpired('signed', 0, 0);
    const tables = ['webhooks', 'webhook_jobs', 'webhook_deliveries', 'webhook_subscriptions', 'webhook_log', 'users', ...'wdjsul'];
    expect(await scansOf(statements, tables)).toEqual([]);
  });
});
