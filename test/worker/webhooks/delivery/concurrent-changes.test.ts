import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { MAX_LOG_ROWS } from '../../../../src/areas/webhooks/delivery/delivery.data.ts';
import { createWebhookJobs } from '../../../../src/areas/webhooks/index.ts';
import { createAddressVault } from '../../../../src/areas/webhooks/records/webhooks.store.ts';
import { webhookDeliveries, webhookJobs, webhookLog, webhooks } from '../../../../src/areas/webhooks/records/webhooks.tables.ts';
import { createSenderClient } from '../../../../src/areas/webhooks/sending/sender.object.ts';
import { freshEndpoint, log, registerSigned, signedWorld } from '../signed/signed-world.ts';
import {
  addressOf,
  changes,
  clearWebhooksEachTest,
  db,
  deliveries,
  freshAddress,
  freshEvent,
  pathOf,
  pendingDeliveries,
  queueEvents,
  register,
  senderWorld,
  stateOf,
  stoppedClock,
} from '../world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

clearWebhooksEachTest();

/** A signed webhook with a pending delivery, and an action that runs once during the next attempt. */
async function signedAttempt() {
  const during: { action: (() => Promise<unknown>) | null } = { action: null };
  const world = signedWorld({
    nameCheck: async () => {
      const { action } = during;
      during.action = null;
      await action?.();
      return 'public';
    },
  });
  const webhook = await registerSigned({}, world.time.nowMs);
  const { service, userId, id, messageId } = webhook;
  return {
    world,
    webhook,
    during,
    replay: () => service.replay(userId, id, messageId),
    /** Changes the URL and returns its path at the receiver. */
    async move() {
      const url = new URL(freshEndpoint());
      await service.edit(userId, id, { url });
      return `/${url.host}${url.pathname}`;
    },
    async entry() {
      const found = await log.find(id, messageId);
      if (!found) throw new Error('the delivery is not in the log');
      return found;
    },
    async senderNow() {
      const [row] = await db.select({ sender: webhooks.sender }).from(webhooks).where(eq(webhooks.id, id));
      return row?.sender ?? -1;
    },
  };
}

describe('result of an attempt', () => {
  it('keeps a replay that was requested during a failing last attempt', async () => {
    const { world, webhook, during, replay, entry } = await signedAttempt();
    await db.update(webhookDeliveries).set({ expiresAt: world.time.clock.now + 1 });
    await world.endpoint.respond({ status: 500 });
    during.action = replay;
    await world.sender.round(webhook.sender);
    expect(await entry()).toMatchObject({ state: 'pending', attempts: [{ status: 500 }], nextAttemptAt: world.time.clock.now });
    await world.drain(webhook.sender);
    expect(await entry()).toMatchObject({ state: 'delivered', tries: 2 });
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 0 });
  });

  it('does not delay a replay that was requested during a retried attempt', async () => {
    const { world, webhook, during, replay, entry } = await signedAttempt();
    await db.update(webhookDeliveries).set({ tries: 9 });
    await world.endpoint.respond({ status: 500 });
    during.action = replay;
    expect(await world.sender.round(webhook.sender)).toBe(world.time.clock.now);
    await world.sender.round(webhook.sender);
    expect(await entry()).toMatchObject({ state: 'delivered' });
  });

  it('does not count as the result of a replay', async () => {
    const { world, webhook, during, replay, entry } = await signedAttempt();
    during.action = replay;
    await world.endpoint.respond({ status: 200 });
    await world.sender.round(webhook.sender);
    expect(await entry()).toMatchObject({ state: 'pending', deliveredAt: null, attempts: [{ status: 200 }] });
    await db.update(webhookDeliveries).set({ expiresAt: world.time.clock.now + 1 });
    await world.endpoint.respond({ status: 500 });
    await world.sender.round(webhook.sender);
    expect(await entry()).toMatchObject({ state: 'failed', deliveredAt: null, attempts: [{ status: 200 }, { status: 500 }] });
  });

  it.each([410, 500, 200])('is ignored when the URL changed during the attempt: %i', async (status) => {
    const { world, webhook, during, move, entry, senderNow } = await signedAttempt();
    let path = '';
    during.action = async () => {
      path = await move();
    };
    await world.endpoint.respond({ status });
    await world.sender.round(webhook.sender);
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: true, failures: 0, lastStatus: null, disabledReason: null });
    expect((await entry()).state).toBe('pending');
    await world.drain(await senderNow());
    expect((await world.endpoint.calls()).at(-1)?.path).toBe(path);
    expect(await entry()).toMatchObject({ state: 'delivered' });
  });

  it('does not delay the deliveries to a new URL when the old endpoint does not respond', async () => {
    const { world, webhook, during, move } = await signedAttempt();
    await queueEvents(world.time, freshEvent());
    during.action = move;
    await world.endpoint.order({ fault: 'reset', times: 1 });
    const startedAt = world.time.clock.now;
    await world.sender.round(webhook.sender);
    const dueAt = (await pendingDeliveries()).map((delivery) => delivery.dueAt - startedAt);
    expect(Math.min(...dueAt)).toBe(0);
  });

  it.each([
    ['another URL', () => freshAddress()],
    ['another thread', (url: string) => `${url}?thread_id=5`],
  ])('of a chat webhook is ignored when the owner sets %s during the attempt', async (_, newUrl) => {
    const during: { action: (() => Promise<unknown>) | null } = { action: null };
    const world = senderWorld({
      wrapPost: (post) => async (given) => {
        const { action } = during;
        during.action = null;
        await action?.();
        return post(given);
      },
    });
    const webhook = await register();
    await queueEvents(world.time, freshEvent());
    const url = newUrl(webhook.url);
    during.action = () => changes.edit(webhook.userId, webhook.id, { address: addressOf(url) });
    await world.chat.answers(404);
    await world.sender.round(webhook.sender);
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: true, failures: 0, disabledReason: null });
    expect(await pendingDeliveries()).toHaveLength(1);
    const [row] = await db.select({ sender: webhooks.sender }).from(webhooks);
    await world.drain(row?.sender ?? -1);
    expect((await world.chat.posted()).at(-1)?.path).toContain(pathOf(url));
    expect(await pendingDeliveries()).toEqual([]);
  });

  it('counts when the owner sets the same URL during the attempt', async () => {
    const { world, webhook, during, entry } = await signedAttempt();
    const url = new URL(freshEndpoint());
    await webhook.service.edit(webhook.userId, webhook.id, { url });
    const [row] = await db.select({ sender: webhooks.sender }).from(webhooks);
    during.action = () => webhook.service.edit(webhook.userId, webhook.id, { url });
    await world.drain(row?.sender ?? -1);
    expect(await entry()).toMatchObject({ state: 'delivered', tries: 1 });
  });
});

describe('replay', () => {
  it('is kept by the sweep until it is delivered', async () => {
    const { world, webhook, replay, entry } = await signedAttempt();
    await world.drain(webhook.sender);
    const sweep = createWebhookJobs(deliveries, createSenderClient(env.WEBHOOK_SENDERS), world.time.nowMs).find(
      ({ name }) => name === 'webhooks-sweep',
    );
    const runSweep = () => sweep?.run({ now: Math.floor(world.time.clock.now / 1000) } as Parameters<typeof sweep.run>[0]);
    world.time.clock.now += 7 * DAY - HOUR;
    await replay();
    world.time.clock.now += 2 * HOUR;
    await runSweep();
    expect(await entry()).toMatchObject({ state: 'pending' });
    await world.drain(webhook.sender);
    expect(await entry()).toMatchObject({ state: 'delivered', tries: 2 });
    await runSweep();
    expect([await log.find(webhook.id, webhook.messageId), await db.select().from(webhookJobs)]).toEqual([null, []]);
  });

  it('leaves the log of a webhook alone that was disabled meanwhile', async () => {
    const { world, webhook, entry } = await signedAttempt();
    await world.drain(webhook.sender);
    await webhook.service.edit(webhook.userId, webhook.id, { isActive: false });
    const now = world.time.clock.now;
    expect(await log.replay(webhook.id, webhook.messageId, { now, expiresAt: now + DAY })).toBeNull();
    expect(await entry()).toMatchObject({ state: 'delivered' });
    expect(await pendingDeliveries()).toEqual([]);
  });

  it('is queued for the sender of the current URL', async () => {
    const { world, webhook, move, senderNow } = await signedAttempt();
    await world.drain(webhook.sender);
    await move();
    const now = world.time.clock.now;
    expect(await log.replay(webhook.id, webhook.messageId, { now, expiresAt: now + DAY })).toBe(await senderNow());
    expect(await pendingDeliveries()).toMatchObject([{ sender: await senderNow() }]);
  });
});

describe('delivery log', () => {
  it('keeps the newest 500 deliveries of each webhook when events are queued', async () => {
    const [one, two] = [await registerSigned(), await registerSigned()];
    const rows = Array.from({ length: MAX_LOG_ROWS - 1 }, (_, index) => ({
      webhookId: one.id,
      messageId: `m${index}`,
      event: 'chaos' as const,
      createdAt: index,
    }));
    for (let at = 0; at < rows.length; at += 10) await db.insert(webhookLog).values(rows.slice(at, at + 10));
    await queueEvents(stoppedClock(), freshEvent(), freshEvent());
    const listed = await log.list(one.id, 1000);
    expect(listed).toHaveLength(MAX_LOG_ROWS);
    expect(listed.at(-1)?.messageId).toBe('m2');
    expect(await log.list(two.id, 1000)).toHaveLength(3);
  });
});

describe('secret of the service', () => {
  const other = createAddressVault('another secret of the service, 32 characters');
  it.each([
    ['missing', createAddressVault(undefined)],
    ['replaced by another', other],
  ])('leaves webhooks active and deliveries waiting while it is %s', async (_, locked) => {
    const time = stoppedClock();
    const signed = await registerSigned({}, time.nowMs);
    const chat = await register();
    await queueEvents(time, freshEvent());
    const pending = (await pendingDeliveries()).length;
    const without = signedWorld({ time, vault: locked });
    for (const { sender } of [signed, chat]) {
      expect(await without.sender.round(sender)).toBeGreaterThan(time.clock.now);
    }
    expect([await without.endpoint.calls(), await without.chat.posted()]).toEqual([[], []]);
    for (const { id } of [signed, chat]) {
      expect(await stateOf(id)).toMatchObject({
        isActive: true,
        failures: 0,
        disabledReason: null,
        lastError: 'waiting: the URL or secret cannot be decrypted at present',
      });
    }
    expect(await pendingDeliveries()).toHaveLength(pending);
    const restored = signedWorld({ time });
    for (const { sender } of [signed, chat]) await restored.drain(sender);
    expect([(await restored.endpoint.calls()).length, (await restored.chat.posted()).length]).toEqual([2, 1]);
  });

  it('returns an error to a test while it is missing', async () => {
    const chat = await register();
    const { sender } = senderWorld({ vault: createAddressVault(undefined) });
    expect(await sender.test(chat.id, null, 1, false)).toMatchObject({
      ok: false,
      error: 'the URL or secret cannot be decrypted at present',
    });
    expect(await stateOf(chat.id)).toMatchObject({ isActive: true });
  });
});
