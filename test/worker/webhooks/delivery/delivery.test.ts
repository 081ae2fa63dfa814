import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { createDeliveriesStore, type DeliveriesStore } from '../../../../src/areas/webhooks/delivery/deliveries.store.ts';
import { createEventQueue } from '../../../../src/areas/webhooks/delivery/event-queue.service.ts';
import { WebhookTemplate } from '../../../../src/areas/webhooks/events/template.schemas.ts';
import { createWebhookJobs } from '../../../../src/areas/webhooks/index.ts';
import { createLastFactsStore } from '../../../../src/areas/webhooks/records/last-facts.store.ts';
import { createWebhooksStore } from '../../../../src/areas/webhooks/records/webhooks.store.ts';
import { webhookDeliveries, webhookJobs, webhooks } from '../../../../src/areas/webhooks/records/webhooks.tables.ts';
import type { StoredWindows } from '../../../../src/areas/webhooks/sending/sender.service.ts';
import { users } from '../../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import type { ChatClient } from '../../../../src/platform/upstream/chat-post.ts';
import { DEFAULT_SETTINGS, fixedSettings, WEBHOOK_EVENTS } from '../../../support/declarations.ts';
import { recordingDatabase, scansOf } from '../../../support/query-plans.ts';
import { createAccount } from '../../../support/tokens.ts';
import {
  addressOf,
  changes,
  clearWebhooks,
  clearWebhooksEachTest,
  db,
  deliveries,
  eventQueue,
  freshAddress,
  freshEvent,
  pathOf,
  pendingDeliveries,
  queueEvents,
  register,
  senderWorld,
  stateOf,
  stoppedClock,
  vault,
} from '../world.ts';

clearWebhooksEachTest();

/** A webhook, an event for it, and a sender. */
async function oneDelivery(options: Parameters<typeof senderWorld>[0] = {}) {
  const world = senderWorld(options);
  const webhook = await register();
  await queueEvents(world.time, freshEvent());
  return { ...world, webhook };
}

describe('chat webhook event', () => {
  it('is posted once to every active webhook that is registered for it', async () => {
    const world = senderWorld();
    const registered = [await register(), await register({ events: ['game_update', 'challenge'] })];
    const other = await register({ events: ['game_update'] });
    const off = await register();
    await changes.edit(off.userId, off.id, { isActive: false });
    const event = freshEvent();
    await queueEvents(world.time, event, event);
    await queueEvents(world.time, event);
    expect(await pendingDeliveries()).toHaveLength(2);
    for (const { sender } of [...registered, other, off]) await world.drain(sender);
    const posts = await world.chat.posted();
    expect(posts.map(({ path }) => path).sort()).toEqual(registered.map(({ url }) => pathOf(url)).sort());
    expect(posts[0]).toMatchObject({
      userAgent: 'test-agent',
      message: { embeds: [{ title: (event.data as { name: string }).name, color: 0xf2a33c }], allowed_mentions: { parse: [] } },
      files: [],
    });
    expect(await pendingDeliveries()).toEqual([]);
    const at = Math.floor(world.time.clock.now / 1000);
    for (const { id } of registered) {
      expect(await stateOf(id)).toEqual({
        isActive: true,
        failures: 0,
        lastStatus: 204,
        lastError: null,
        lastDeliveredAt: at,
        disabledReason: null,
      });
    }
    expect(await stateOf(other.id)).toMatchObject({ lastStatus: null, lastDeliveredAt: null });
  });

  it('is posted with the template of the owner', async () => {
    const world = senderWorld();
    const template = WebhookTemplate.parse({ enabled: true, content: 'New: {project_title} @everyone', title: '{tag}', color: '#ff0000' });
    const webhook = await register({ events: ['mod_release', 'challenge'], templates: { mod_release: template } });
    await queueEvents(world.time, freshEvent('mod_release'), freshEvent());
    await world.drain(webhook.sender);
    expect((await world.chat.posted()).map(({ message }) => message)).toMatchObject([
      { content: 'New: Tiny @everyone', embeds: [{ title: '1.0', color: 0xff0000 }], allowed_mentions: { parse: [] } },
      { embeds: [{ fields: [{ name: 'Type', value: 'Dungeon' }, {}] }] },
    ]);
  });

  it('is not queued or posted while webhooks are disabled', async () => {
    const webhook = await register();
    const world = senderWorld({ settings: { featureWebhooksEnabled: false } });
    await eventQueue(world.time.nowMs, { featureWebhooksEnabled: false }).receive([freshEvent()]);
    expect(await pendingDeliveries()).toEqual([]);
    await queueEvents(world.time, freshEvent());
    expect(await world.sender.round(webhook.sender)).toBeNull();
    expect([(await pendingDeliveries()).length, await world.chat.posted()]).toEqual([1, []]);
  });

  it('wakes the sender objects that have deliveries of it', async () => {
    const ones = [await register(), await register(), await register()];
    const woken: number[] = [];
    await eventQueue(stoppedClock().nowMs, {}, woken).receive([freshEvent()]);
    expect(woken).toEqual([...new Set(ones.map(({ sender }) => sender))].sort((a, b) => a - b));
  });

  it('is not posted for accounts that are disabled before or after it is queued', async () => {
    const world = senderWorld();
    const disabled = await register({ userId: await createAccount({ isActive: false }) });
    await queueEvents(world.time, freshEvent());
    expect(await pendingDeliveries()).toEqual([]);
    const webhook = await register();
    await queueEvents(world.time, freshEvent());
    await db.update(users).set({ isActive: false }).where(eq(users.id, webhook.userId));
    await world.drain(webhook.sender);
    await world.drain(disabled.sender);
    expect([await pendingDeliveries(), await world.chat.posted()]).toEqual([[], []]);
  });

  it('is deleted with its key after its retention', async () => {
    const { webhook, time, chat, drain } = await oneDelivery();
    await drain(webhook.sender);
    expect([await pendingDeliveries(), (await chat.posted()).length]).toEqual([[], 1]);
    await queueEvents(time, freshEvent('mod_release'));
    await deliveries.deleteExpired('chat', time.clock.now + 1, time.clock.now);
    expect([await pendingDeliveries(), await db.select().from(webhookJobs)]).toEqual([[], []]);
  });
});

describe('webhook that changes while a delivery is pending', () => {
  it('receives no post after it is deleted, disabled or unregistered from the event', async () => {
    const world = senderWorld();
    const removed = await register();
    const off = await register();
    const narrowed = await register({ events: ['challenge', 'game_update'] });
    const own = await createAccount();
    const gone = await register({ userId: own });
    await queueEvents(world.time, freshEvent(), freshEvent('game_update'));
    await changes.remove(removed.userId, removed.id);
    await changes.edit(off.userId, off.id, { isActive: false });
    await changes.edit(narrowed.userId, narrowed.id, { events: ['game_update'] });
    await db.delete(webhooks).where(eq(webhooks.id, gone.id));
    for (const { sender } of [removed, off, narrowed, gone]) await world.drain(sender);
    const posts = await world.chat.posted();
    expect(posts.map(({ path }) => path)).toEqual([pathOf(narrowed.url)]);
    expect(posts[0]?.message).toMatchObject({ embeds: [{ fields: [{ name: 'Files added', value: '1,200' }, {}, {}] }] });
    expect(await pendingDeliveries()).toEqual([]);
  });

  it('receives the post at its new URL, without the failures of the old URL', async () => {
    const { webhook, chat, time, sender, drain } = await oneDelivery();
    await chat.answers(500);
    await sender.round(webhook.sender);
    const url = freshAddress();
    const moved = await changes.edit(webhook.userId, webhook.id, { address: addressOf(url) });
    time.clock.now += 60_000;
    await drain(moved.sender);
    expect((await chat.posted()).map(({ path }) => path)).toEqual([pathOf(webhook.url), pathOf(url)]);
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: true, failures: 0, lastStatus: 204 });
  });
});

describe('failed post', () => {
  it.each<[string, (number | 'reset')[], number[]]>([
    ['5xx', [500, 503, 204], [0, 2000, 10_000]],
    ['a broken connection', ['reset', 204], [0, 2000]],
    ['408', [408, 204], [0, 2000]],
    ['429', [429, 204], [0, 3000]],
  ])('is retried after %s', async (_, responses, times) => {
    const { webhook, chat, time, drain, postedAt } = await oneDelivery();
    const start = time.clock.now;
    await chat.order({ answers: responses, retryAfter: 2.3 });
    await drain(webhook.sender);
    expect(postedAt.map((at) => at - start)).toEqual(times);
    expect(await chat.posted()).toHaveLength(responses.length);
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 0, lastStatus: 204, lastError: null });
    expect(await pendingDeliveries()).toEqual([]);
  });

  it.each([
    [503, { lastStatus: 503, lastError: 'lost after a day: HTTP 503: Invalid message' }],
    ['reset' as const, { lastStatus: null, lastError: 'lost after a day: network' }],
  ])('is lost after a day of %s', async (response, state) => {
    const lines = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { webhook, chat, time, drain, postedAt } = await oneDelivery();
    const start = time.clock.now;
    await chat.answers(...Array.from({ length: 40 }, () => response));
    await drain(webhook.sender);
    const hours = postedAt.map((at) => (at - start) / 3_600_000);
    expect([hours.length, hours.findLastIndex((at) => at < 1), (hours.at(-1) ?? 0) < 24, (hours.at(-1) ?? 0) > 23]).toEqual([
      30,
      6,
      true,
      true,
    ]);
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: true, failures: 1, lastDeliveredAt: null, disabledReason: null, ...state });
    expect(JSON.stringify(lines.mock.calls)).toContain(state.lastError);
    expect(await pendingDeliveries()).toEqual([]);
  });

  it.each([400, 401, 403])('ends the message after %i', async (status) => {
    const { webhook, chat, drain } = await oneDelivery();
    await chat.answers(status, 204);
    await drain(webhook.sender);
    expect(await chat.posted()).toHaveLength(1);
    const lastError = `HTTP ${status}: Invalid message`;
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: true, failures: 1, lastStatus: status, lastError, disabledReason: null });
    expect(await pendingDeliveries()).toEqual([]);
  });

  it('does not lose a message in an outage of an hour, and says of when it is', async () => {
    const { webhook, chat, time, drain } = await oneDelivery();
    const queuedAt = Math.floor(time.clock.now / 1000);
    await chat.answers(503, 503, 503, 503, 503, 503);
    await drain(webhook.sender);
    const posts = await chat.posted();
    expect(posts.at(-1)?.message).toMatchObject({ content: `As of <t:${queuedAt}:f>:`, embeds: [{}] });
    expect(posts.slice(0, 4).map(({ message }) => (message as { content?: string }).content)).toEqual(Array(4).fill(undefined));
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 0, lastStatus: 204, lastError: null });
  });

  it('is logged as lost when its day ended while nothing was attempted', async () => {
    const { webhook, time, chat, drain } = await oneDelivery();
    time.clock.now += 86_400_000;
    await drain(webhook.sender);
    expect([await pendingDeliveries(), await chat.posted()]).toEqual([[], []]);
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 1, lastError: 'lost after a day' });
  });

  it('keeps the order of the messages of a webhook', async () => {
    const world = senderWorld();
    const webhook = await register();
    const events = Array.from({ length: 4 }, () => freshEvent());
    await queueEvents(world.time, ...events);
    await world.chat.answers(204, 503, 503);
    await world.drain(webhook.sender);
    const names = (await world.chat.posted()).map(({ message }) => (message as { embeds: { title: string }[] }).embeds[0]?.title);
    const expected = events.map(({ data }) => (data as { name: string }).name);
    expect(names).toEqual([expected[0], expected[1], expected[1], ...expected.slice(1)]);
  });

  it('does not hold up other webhooks', async () => {
    const world = senderWorld();
    const ones = [await register(), await register()];
    await db.update(webhooks).set({ sender: ones[0]?.sender ?? 0 });
    await queueEvents(world.time, freshEvent());
    await world.chat.answers(503);
    await world.sender.round(ones[0]?.sender ?? 0);
    expect((await world.chat.posted()).map(({ path }) => path).sort()).toEqual(ones.map(({ url }) => pathOf(url)).sort());
    expect(await pendingDeliveries()).toHaveLength(1);
  });

  it('drops the oldest of more than 100 messages and logs it as lost', async () => {
    const lines = vi.spyOn(console, 'error').mockImplementation(() => {});
    const world = senderWorld();
    const webhook = await register();
    const events = Array.from({ length: 102 }, () => freshEvent());
    await queueEvents(world.time, ...events);
    const pending = await pendingDeliveries();
    expect([pending.length, await stateOf(webhook.id)]).toMatchObject([
      100,
      { failures: 2, lastError: 'lost: more than 100 messages were waiting', isActive: true },
    ]);
    expect(JSON.stringify(lines.mock.calls)).toContain('more than 100 messages were waiting');
    await world.drain(webhook.sender);
    const names = (await world.chat.posted()).map(({ message }) => (message as { embeds: { title: string }[] }).embeds[0]?.title);
    expect(names).toEqual(events.slice(2).map(({ data }) => (data as { name: string }).name));
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 0, lastError: null });
  });

  it('does not count towards disabling while more than half of the webhooks of the host fail', async () => {
    const world = senderWorld();
    const ones = [await register(), await register(), await register()];
    const lastStates = async (...statuses: number[]) => {
      for (const [index, status] of statuses.entries()) {
        const state = { failures: 11, lastStatus: status, lastError: status === 204 ? null : `HTTP ${status}` };
        await db
          .update(webhooks)
          .set(state)
          .where(eq(webhooks.id, ones[index]?.id ?? ''));
      }
    };
    const loseOne = async () => {
      await queueEvents(world.time, freshEvent());
      world.time.clock.now += 86_400_000;
      await world.drain(ones[0]?.sender ?? 0);
      return (await stateOf(ones[0]?.id ?? ''))?.isActive;
    };
    await lastStates(503, 503, 204);
    expect(await loseOne()).toBe(true);
    expect(await stateOf(ones[0]?.id ?? '')).toMatchObject({ failures: 11, lastError: 'lost after a day: HTTP 503' });
    await lastStates(503, 204, 204);
    expect(await loseOne()).toBe(false);
  });

  it.each([301, 302, 307, 308])('is not retried after a redirect (%i), and the redirect is not followed', async (status) => {
    const { webhook, chat, drain } = await oneDelivery();
    await chat.answers(status);
    await drain(webhook.sender);
    expect((await chat.posted()).map(({ path }) => path)).toEqual([pathOf(webhook.url)]);
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 1, lastStatus: status });
  });

  it.each([404, 410])('disables the webhook and drops its pending deliveries after %i', async (status) => {
    const world = senderWorld();
    const webhook = await register();
    await queueEvents(world.time, freshEvent(), freshEvent(), freshEvent());
    await world.chat.answers(status);
    await world.drain(webhook.sender);
    expect(await world.chat.posted()).toHaveLength(1);
    expect(await pendingDeliveries()).toEqual([]);
    expect(await stateOf(webhook.id)).toMatchObject({
      isActive: false,
      failures: 1,
      lastStatus: status,
      disabledReason: 'the chat service reports that the webhook no longer exists',
    });
    await queueEvents(world.time, freshEvent());
    expect(await pendingDeliveries()).toEqual([]);
  });

  it('disables the webhook after twelve in a row, and a success resets the count', async () => {
    const world = senderWorld();
    const webhook = await register();
    const fail = async (times: number) => {
      for (let index = 0; index < times; index += 1) {
        await queueEvents(world.time, freshEvent());
        await world.chat.answers(400);
        await world.drain(webhook.sender);
      }
    };
    await fail(11);
    await queueEvents(world.time, freshEvent());
    await world.drain(webhook.sender);
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: true, failures: 0 });
    await fail(11);
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: true, failures: 11, disabledReason: null });
    await queueEvents(world.time, freshEvent(), freshEvent());
    await world.chat.answers(400, 400);
    await world.drain(webhook.sender);
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: false, failures: 12, disabledReason: '12 deliveries in a row failed' });
    expect(await pendingDeliveries()).toEqual([]);
    await changes.edit(webhook.userId, webhook.id, { isActive: true });
    expect(await stateOf(webhook.id)).toMatchObject({ isActive: true, failures: 0, disabledReason: null });
  });

  it('counts as delivered when the response body is too long', async () => {
    const { webhook, chat, drain } = await oneDelivery();
    await chat.answers('flood');
    await drain(webhook.sender);
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 0, lastStatus: 200, lastError: null });
  });

  it('does not expose the URL in logs or to the owner', async () => {
    const lines = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { webhook, chat, drain } = await oneDelivery({
      wrapPost: (post) => (message) => post({ ...message, url: message.url.replace(/^https:/, 'nonsense:') }),
    });
    await chat.answers(500);
    await drain(webhook.sender);
    const secret = webhook.url.split('/').at(-1) ?? '';
    expect(JSON.stringify(lines.mock.calls)).not.toContain(secret);
    expect((await stateOf(webhook.id))?.lastError).not.toContain(secret);
  });

  it('disables the webhook when its URL cannot be decrypted', async () => {
    const { webhook, chat, drain } = await oneDelivery();
    await db
      .update(webhooks)
      .set({ sealedAddress: await vault.seal(webhook.url, 'another webhook') })
      .where(eq(webhooks.id, webhook.id));
    await drain(webhook.sender);
    expect([await chat.posted(), await pendingDeliveries()]).toEqual([[], []]);
    expect(await stateOf(webhook.id)).toMatchObject({
      isActive: false,
      disabledReason: 'the stored URL cannot be decrypted: set it again',
    });
  });
});

describe('post pacing', () => {
  it('allows five posts in two seconds per URL across accounts', async () => {
    const world = senderWorld();
    const url = freshAddress();
    const ones = [await register({ url }), await register({ url: url.replace('discord.com/api', 'discordapp.com/api/v10') })];
    await queueEvents(world.time, ...Array.from({ length: 6 }, () => freshEvent()));
    await world.drain(ones[0]?.sender ?? 0);
    expect(await world.chat.posted()).toHaveLength(12);
    const start = world.postedAt[0] ?? 0;
    const seconds = world.postedAt.map((at) => (at - start) / 1000);
    expect(seconds).toEqual([0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 4, 4]);
    for (const { id } of ones) expect(await stateOf(id)).toMatchObject({ failures: 0, lastStatus: 204 });
  });

  it('allows thirty posts in a minute per URL, without a timer', async () => {
    const world = senderWorld();
    const webhook = await register();
    await queueEvents(world.time, ...Array.from({ length: 35 }, () => freshEvent()));
    await world.drain(webhook.sender);
    const start = world.postedAt[0] ?? 0;
    const seconds = world.postedAt.map((at) => (at - start) / 1000);
    expect([seconds.length, seconds[29], seconds[30]]).toEqual([35, 10, 60]);
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 0, lastStatus: 204 });
  });

  it('is kept by an object that lost its memory', async () => {
    const time = stoppedClock();
    const stored: { windows: StoredWindows } = { windows: [] };
    const windows = {
      load: () => stored.windows,
      save: (saved: StoredWindows) => {
        stored.windows = saved;
      },
    };
    const first = senderWorld({ time, windows });
    const webhook = await register();
    await queueEvents(time, ...Array.from({ length: 5 }, () => freshEvent()));
    await first.sender.round(webhook.sender);
    await queueEvents(time, freshEvent());
    const second = senderWorld({ time, windows, chat: first.chat });
    const next = await second.sender.round(webhook.sender);
    expect([next, (await first.chat.posted()).length]).toEqual([time.clock.now + 2000, 5]);
    time.clock.now += 70_000;
    await second.drain(webhook.sender);
    time.clock.now += 70_000;
    await second.sender.round(webhook.sender);
    expect([(await first.chat.posted()).length, stored.windows]).toEqual([6, []]);
  });

  it('waits for Retry-After of 40 s, and then posts all', async () => {
    const world = senderWorld();
    const webhook = await register();
    await queueEvents(world.time, freshEvent(), freshEvent());
    await world.chat.order({ answers: [429, 429, 204], retryAfter: 39.5 });
    await world.drain(webhook.sender);
    const start = world.postedAt[0] ?? 0;
    expect(world.postedAt.map((at) => at - start)).toEqual([0, 40_000, 80_000, 80_000]);
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 0, lastStatus: 204 });
  });

  it('delays all posts to a URL after its 429 without counting attempts', async () => {
    const world = senderWorld();
    const webhook = await register();
    await queueEvents(world.time, freshEvent(), freshEvent(), freshEvent());
    await world.chat.order({ answers: [429, 204], retryAfter: 4 });
    await world.drain(webhook.sender);
    const start = world.postedAt[0] ?? 0;
    expect(world.postedAt.map((at) => at - start)).toEqual([0, 4000, 4000, 4000]);
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 0 });
  });
});

describe('post image', () => {
  const PNG = new Uint8Array([137, 80, 78, 71, 1, 2, 3]);
  const drawing = (draw: () => Promise<Uint8Array<ArrayBuffer> | null>) => ({
    render: vi.fn(draw),
    costOf: async () => 50,
    owns: async () => true,
  });
  const template = WebhookTemplate.parse({ enabled: true, title: 'x', image_design_id: 'design' });

  it('is drawn and attached', async () => {
    const images = drawing(async () => PNG);
    const world = senderWorld({ images });
    const webhook = await register({ templates: { challenge: template } });
    await queueEvents(world.time, freshEvent());
    await world.drain(webhook.sender);
    const [post] = await world.chat.posted();
    expect(post).toMatchObject({
      message: { embeds: [{ title: 'x', image: { url: 'attachment://embed-image.png' } }], allowed_mentions: { parse: [] } },
      files: [{ field: 'files[0]', filename: 'embed-image.png', contentType: 'image/png', size: PNG.length }],
    });
    expect(post?.files[0]?.sha256).toBe(createHash('sha256').update(PNG).digest('hex'));
    expect(images.render).toHaveBeenCalledWith('design', 'challenge', expect.objectContaining({ type_label: 'Dungeon' }));
  });

  it('is the default banner for a game update unless the template has an image', async () => {
    const images = drawing(async () => PNG);
    const world = senderWorld({ images });
    const webhook = await register({ events: ['game_update'] });
    await queueEvents(world.time, freshEvent('game_update'));
    await world.drain(webhook.sender);
    expect(images.render).toHaveBeenCalledWith(null, 'game_update', expect.objectContaining({ files_added: '1,200' }));
    expect((await world.chat.posted())[0]?.files).toHaveLength(1);
  });

  it('is charged once for a message that waits for the rate limit of its URL', async () => {
    // Six drawings fit into the rate limit of the account, seven do not.
    const world = senderWorld({ images: { ...drawing(async () => PNG), costOf: async () => 1550 } });
    const webhook = await register({ templates: { challenge: template } });
    await queueEvents(world.time, ...Array.from({ length: 6 }, () => freshEvent()));
    await world.drain(webhook.sender);
    const start = world.postedAt[0] ?? 0;
    expect(world.postedAt.map((at) => at - start)).toEqual([0, 0, 0, 0, 0, 2000]);
  });

  it.each<[string, () => Promise<Uint8Array<ArrayBuffer> | null>, object]>([
    ['is absent', async () => null, {}],
    ['cannot be drawn', () => Promise.reject(new Error('no font')), {}],
    ['is too large', async () => new Uint8Array(9_000_000), {}],
    ['is disabled', async () => PNG, { featureImageStudioEnabled: false }],
  ])('is omitted when it %s', async (_, draw, settings) => {
    const world = senderWorld({ images: drawing(draw), settings });
    const webhook = await register({ templates: { challenge: template } });
    await queueEvents(world.time, freshEvent());
    await world.drain(webhook.sender);
    expect(await world.chat.posted()).toMatchObject([{ message: { embeds: [{ title: 'x' }] }, files: [] }]);
    expect(JSON.stringify((await world.chat.posted())[0]?.message)).not.toContain('attachment');
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 0, lastStatus: 204 });
  });
});

/** The steps of a delivery up to a crash before or after one of them. */
function crashing(at: number, when: 'before' | 'after') {
  const calls = { count: 0, names: [] as string[] };
  let isDown = false;
  async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (isDown) throw new Error('down');
    const isMine = calls.count === at;
    calls.count += 1;
    calls.names.push(name);
    if (isMine && when === 'before') isDown = true;
    if (isDown) throw new Error('down');
    const result = await work();
    if (isMine) isDown = true;
    if (isDown) throw new Error('down');
    return result;
  }
  const repository = new Proxy(deliveries, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => step(String(name), () => method.apply(target, args));
    },
  }) as DeliveriesStore;
  const wrapPost =
    (post: ChatClient): ChatClient =>
    (message) =>
      step('post', () => post(message));
  return { repository, wrapPost, calls };
}

describe('sender after a crash', () => {
  it('loses no post and repeats at most one, for a crash at any step', async () => {
    const seen = new Set<string>();
    for (const when of ['before', 'after'] as const) {
      for (let at = 0; ; at += 1) {
        await clearWebhooks();
        const time = stoppedClock();
        const { repository, wrapPost, calls } = crashing(at, when);
        const first = senderWorld({ time, deliveries: repository, wrapPost });
        const webhook = await register();
        await queueEvents(time, freshEvent());
        await first.drain(webhook.sender).catch(() => {});
        if (calls.count <= at) break;
        seen.add(`${when} ${calls.names[at]}`);
        time.clock.now += 30_000;
        const second = senderWorld({ chat: first.chat, time });
        await second.drain(webhook.sender);
        const posts = await first.chat.posted();
        const isRepeated = `${when} ${calls.names[at]}` === 'after post' || `${when} ${calls.names[at]}` === 'before markDelivered';
        expect(posts.length, `${when} ${calls.names[at]}`).toBe(isRepeated ? 2 : 1);
        expect(await stateOf(webhook.id)).toMatchObject({ isActive: true, failures: 0, lastStatus: 204 });
        expect(await pendingDeliveries()).toEqual([]);
      }
    }
    expect([...seen].filter((name) => name.startsWith('after'))).toEqual(
      ['listDue', 'deleteAll', 'startAttempts', 'post', 'markDelivered', 'nextDueAt'].map((name) => `after ${name}`),
    );
  });

  it('fails the delivery after three attempts that crash', async () => {
    const time = stoppedClock();
    const webhook = await register();
    await queueEvents(time, freshEvent());
    const chat = senderWorld().chat;
    for (let times = 0; times < 5; times += 1) {
      const { repository, wrapPost } = crashing(3, 'after');
      await senderWorld({ chat, time, deliveries: repository, wrapPost })
        .drain(webhook.sender)
        .catch(() => {});
      time.clock.now += 30_000;
    }
    await senderWorld({ chat, time }).drain(webhook.sender);
    expect(await chat.posted()).toHaveLength(3);
    expect(await stateOf(webhook.id)).toMatchObject({ failures: 1, lastError: 'interrupted: the message may have been posted' });
    expect(await pendingDeliveries()).toEqual([]);
  });

  it('fails the delivery after three attempts that crash, also at a new URL after failed posts', async () => {
    const time = stoppedClock();
    const webhook = await register();
    await queueEvents(time, freshEvent());
    const { chat, sender } = senderWorld({ time });
    await chat.order({ answers: [500, 500, 204] });
    for (let times = 0; times < 2; times += 1) {
      await sender.round(webhook.sender);
      time.clock.now += 60_000;
    }
    const url = freshAddress();
    const moved = await changes.edit(webhook.userId, webhook.id, { address: addressOf(url) });
    for (let times = 0; times < 5; times += 1) {
      const { repository, wrapPost } = crashing(3, 'after');
      await senderWorld({ chat, time, deliveries: repository, wrapPost })
        .drain(moved.sender)
        .catch(() => {});
      time.clock.now += 30_000;
    }
    await senderWorld({ chat, time }).drain(moved.sender);
    expect((await chat.posted()).filter(({ path }) => path === pathOf(url))).toHaveLength(3);
  });

  it('does not delay posts to other URLs when storage fails during a round', async () => {
    const world = senderWorld();
    const ones = [await register(), await register({ templates: {} })];
    const second = ones[1];
    await db.update(webhooks).set({ sender: ones[0]?.sender ?? 0 });
    await queueEvents(world.time, freshEvent());
    const broken = new Proxy(deliveries, {
      get: (target, name) => {
        if (name !== 'startAttempts') return Reflect.get(target, name);
        return (...args: Parameters<DeliveriesStore['startAttempts']>) =>
          args[0].some(({ webhookId }) => webhookId === second?.id)
            ? Promise.reject(new Error('no storage'))
            : target.startAttempts(...args);
      },
    });
    const next = await senderWorld({ chat: world.chat, time: world.time, deliveries: broken }).sender.round(ones[0]?.sender ?? 0);
    expect(next).toBe(world.time.clock.now + 30_000);
    expect((await world.chat.posted()).map(({ path }) => path)).toEqual([pathOf(ones[0]?.url ?? '')]);
    expect(await db.select().from(webhookDeliveries)).toMatchObject([{ webhookId: second?.id, tries: 0 }]);
  });
});

describe('sender that could not be woken', () => {
  it('is woken by the job that runs every minute', async () => {
    const world = senderWorld();
    const webhook = await register();
    const unreachableSenders = { wake: () => Promise.reject(new Error('out of reach')) };
    const settings = fixedSettings();
    const { nowMs } = world.time;
    const queue = createEventQueue({
      events: WEBHOOK_EVENTS,
      deliveries,
      lastFacts: createLastFactsStore(db),
      moreFacts: () => ({}),
      senders: unreachableSenders,
      settings,
      nowMs,
      newId: () => crypto.randomUUID(),
    });
    await queue.receive([freshEvent()]);
    expect(await pendingDeliveries()).toHaveLength(1);
    const woken: number[] = [];
    const senders = {
      wake: async (numbers: readonly number[]) => void woken.push(...numbers),
      test: () => Promise.reject(new Error('not here')),
    };
    const jobs = createWebhookJobs(deliveries, senders, nowMs);
    const context = { now: 0, settings: DEFAULT_SETTINGS, signal: new AbortController().signal, isManual: false };
    for (const job of jobs) await job.run(context);
    expect(woken).toEqual([webhook.sender]);
    const off = { ...DEFAULT_SETTINGS, featureWebhooksEnabled: false };
    expect(jobs.map((job) => [job.name, job.availability?.(DEFAULT_SETTINGS), job.availability?.(off)])).toEqual([
      ['webhooks-deliver', 'enabled', 'disabled'],
      ['webhooks-sweep', undefined, undefined],
    ]);
  });
});

describe('delivery queue', () => {
  it('returns exactly the due deliveries of each object', async () => {
    const world = senderWorld();
    const webhook = await register();
    await queueEvents(world.time, freshEvent());
    const { now } = world.time.clock;
    expect(await deliveries.listDue(webhook.sender, now, 30)).toMatchObject({
      deliverable: [{ webhookId: webhook.id }],
      obsolete: [],
    });
    expect(await deliveries.listDue(webhook.sender, now - 1, 30)).toEqual({ deliverable: [], obsolete: [] });
    expect(await deliveries.listDue(webhook.sender + 1, now, 30)).toEqual({ deliverable: [], obsolete: [] });
    expect([await deliveries.dueSenders(now), await deliveries.dueSenders(now - 1)]).toEqual([[webhook.sender], []]);
    expect([await deliveries.nextDueAt(webhook.sender), await deliveries.nextDueAt(webhook.sender + 1)]).toEqual([now, null]);
  });

  it('runs no query with a full table scan', async () => {
    const { database, statements } = recordingDatabase();
    const noted = createDatabase(database);
    const queue = createDeliveriesStore(noted);
    const stored = createWebhooksStore(noted);
    const webhook = await register();
    const job = {
      key: crypto.randomUUID(),
      event: 'challenge',
      content: '{}',
      facts: [['type:racing', 0, 0]],
      needsCondition: false,
    } as const;
    await queue.enqueue('chat', [job], 'claim', { now: 1, expiresAt: 2 });
    await queue.listWanted('challenge', job.facts);
    const { deliverable } = await queue.listDue(webhook.sender, 1, 10);
    const [delivery] = deliverable;
    if (!delivery) throw new Error('nothing is due');
    const result = { status: 500, error: 'x', at: 1 };
    await queue.startAttempts([delivery], 5);
    await queue.postpone(delivery, 5);
    await queue.markDelivered([{ delivery, note: result }]);
    await queue.markFailed(delivery, result);
    await queue.disable(delivery, result, 'x');
    await queue.deleteAll([delivery]);
    await queue.nextDueAt(webhook.sender);
    await queue.deleteExpired('signed', 0, 0);
    await queue.scheduleRetry(delivery, result, 5);
    await stored.byAccount(webhook.userId, 'chat');
    const address = { addressKey: 'x', maskedUrl: 'x', sender: 1 };
    await stored.change(webhook, { label: 'x', events: ['game_update'], isActive: false, ...address });
    await stored.storeTestResult(webhook, { status: 1, error: null, deliveredAt: 1 });
    await stored.remove(webhook.userId, 'chat', webhook.id);
    await stored.deleteByAccount(webhook.userId);
    expect(statements.size).toBeGreaterThan(15);
    const tables = ['webhooks', 'webhook_jobs', 'webhook_deliveries', 'webhook_subscriptions', 'users', 'w', 'd', 'j', 's', 'u'];
    expect(await scansOf(statements, tables)).toEqual([]);
  });
});
