import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedbackEntry } from '../../../src/areas/misc/feedback.domain.ts';
import { OUTBOX_TTL_SECONDS } from '../../../src/areas/misc/feedback.domain.ts';
import { createChatWebhook, createFeedbackOutbox } from '../../../src/areas/misc/feedback.service.ts';
import { createAttachmentStore, createFeedbackStore } from '../../../src/areas/misc/feedback.store.ts';
import { feedbackEntries } from '../../../src/areas/misc/misc.tables.ts';
import { outbox as outboxTable } from '../../../src/platform/durable/outbox.tables.ts';
import { createOutbox } from '../../../src/platform/durable/outbox.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { eventually } from '../../support/eventually.ts';
import { feedbackEntry } from '../../support/feedback.ts';
import { FIRST_INSTANT } from '../../support/requests.ts';
import type { PostedMessage, WebhookState } from '../../support/upstreams/chat-webhook.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { testUpstream } from '../../support/upstreams/test-upstream.ts';
import { testApp } from '../platform/test-app.ts';
import { MEGABYTES_5, png, send } from './forms.ts';

const NOW = FIRST_INSTANT;
const DAY = 86_400;
const db = createDatabase(env.DB);
const entries = createFeedbackStore(db);
const store = createAttachmentStore(env.OUTBOX);
const signal = new AbortController().signal;

/** A webhook stub. */
function webhook() {
  const session = upstreamSession('chat-webhook');
  const url = `${session.url}/api/webhooks/1/token`;
  return {
    url,
    baseUrl: session.url,
    answers: (state: Partial<WebhookState>) => session.order({ state }),
    async posted(): Promise<PostedMessage[]> {
      return (await (await fetch(`${session.url}/calls`)).json()) as PostedMessage[];
    },
  };
}

/** The outbox with a settable clock for leases. */
function outboxOf(clock = { now: NOW }, chatBaseUrlOverride: string | null = null) {
  const upstream = testUpstream();
  return createFeedbackOutbox({
    outbox: createOutbox(db, () => clock.now),
    entries,
    store,
    webhook: createChatWebhook(upstream, () => crypto.randomUUID(), chatBaseUrlOverride),
    groupUrl: 'https://group.example',
  });
}

const settingsFor = (url: string) => ({ ...DEFAULT_SETTINGS, feedbackChatWebhook: url });
const queued = () => db.select().from(outboxTable);
const stored = async () => (await env.OUTBOX.list()).objects.map(({ key }) => key);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Stores and queues an entry with attachments, as a submission does. */
async function enqueue(attachments: Uint8Array<ArrayBuffer>[] = [], receivedAt = NOW): Promise<FeedbackEntry> {
  const entry = feedbackEntry({
    id: crypto.randomUUID(),
    attachments: attachments.map((bytes, index) => ({ filename: `shot${index}.png`, contentType: 'image/png', size: bytes.byteLength })),
    receivedAt,
  });
  for (const [index, bytes] of attachments.entries()) await store.put(entry, index, bytes);
  await entries.save(entry, outboxOf().insertion({ key: entry.id, expiresAt: receivedAt + OUTBOX_TTL_SECONDS }, receivedAt));
  return entry;
}

beforeEach(async () => {
  await db.batch([db.delete(feedbackEntries), db.delete(outboxTable)]);
  const keys = await stored();
  if (keys.length > 0) await env.OUTBOX.delete(keys);
});

describe('feedback forwarding', () => {
  it('forwards a submission with its images and deletes them afterwards', async () => {
    const chat = webhook();
    const images = [png(MEGABYTES_5, 1), png(MEGABYTES_5, 2), png(MEGABYTES_5, 3), png(MEGABYTES_5, 4)];
    const app = testApp({ settings: { feedbackChatWebhook: chat.url } });
    const files = images.map((bytes, index) => ({ name: `my shot ${index}.png`, bytes }));
    const headers = { 'User-Agent': 'OurApp/2.0' };
    const response = await send(
      { fields: { message: 'It broke.', contact: 'me', category: 'bug' }, files, headers, address: '10.7.0.1' },
      app,
    );
    expect(response.status).toBe(200);
    const [post, ...others] = await chat.posted();
    expect(others).toEqual([]);
    expect(post?.files).toEqual(
      images.map((bytes, index) => ({
        field: `files[${index}]`,
        filename: `${index}_my_shot_${index}.png`,
        contentType: 'image/png',
        size: MEGABYTES_5,
        sha256: sha256(bytes),
      })),
    );
    expect(post?.contentLength).toBeGreaterThan(4 * MEGABYTES_5);
    expect(post?.message).toMatchObject({
      embeds: [
        {
          title: 'New bug feedback',
          description: 'It broke.',
          image: { url: 'attachment://0_my_shot_0.png' },
          fields: [
            { name: 'Client', value: 'OurApp 2' },
            { name: 'Contact', value: 'me' },
          ],
        },
        { image: { url: 'attachment://1_my_shot_1.png' } },
        { image: { url: 'attachment://2_my_shot_2.png' } },
        { image: { url: 'attachment://3_my_shot_3.png' } },
      ],
      allowed_mentions: { parse: [] },
    });
    expect([await queued(), await stored()]).toEqual([[], []]);
    expect(await db.select().from(feedbackEntries)).toHaveLength(1);
  });

  it('sends a submission without images as JSON', async () => {
    const chat = webhook();
    const app = testApp({ settings: { feedbackChatWebhook: chat.url } });
    expect((await send({ address: '10.7.0.2' }, app)).status).toBe(200);
    const [post] = await chat.posted();
    expect(post).toMatchObject({ files: [], message: { embeds: [{ title: 'New general feedback', description: 'Something is wrong.' }] } });
    expect(await queued()).toEqual([]);
  });

  it.each<WebhookState['answers'][number]>([500, 429, 404, 'reset', 'hang'])(
    'accepts the submission when the webhook responds with %s',
    async (answer) => {
      const chat = webhook();
      await chat.answers({ answers: [answer] });
      const app = testApp({ settings: { feedbackChatWebhook: chat.url } });
      const sent = send({ files: [{ name: 'a.png', bytes: png(50) }], address: `10.7.1.${String(answer).length}` }, app);
      if (answer === 'hang') {
        // The first attempt continues after the response, longer than a test may take.
        const early = await Promise.race([
          sent.then(() => 'late'),
          (async () => eventually(async () => (await chat.posted()).length === 1))(),
        ]);
        expect(early).toBe(true);
        expect(await queued()).toMatchObject([{ tries: 0, leaseUntil: expect.any(Number) }]);
        return;
      }
      expect((await sent).status).toBe(200);
      const isGivenUp = answer === 404;
      expect(await queued()).toMatchObject(isGivenUp ? [] : [{ tries: 1, leaseUntil: 0 }]);
      expect(await stored()).toHaveLength(isGivenUp ? 0 : 1);
    },
  );
});

describe('feedback outbox', () => {
  it('retries and delivers', async () => {
    const chat = webhook();
    await chat.answers({ answers: [500, 503] });
    const outbox = outboxOf();
    const settings = settingsFor(chat.url);
    const image = png(100_000, 5);
    const entry = await enqueue([image]);
    await outbox.drain({ settings, now: NOW, signal });
    expect(await queued()).toMatchObject([{ tries: 1, nextTryAt: NOW + 60, leaseUntil: 0 }]);
    await outbox.drain({ settings, now: NOW + 59, signal });
    expect(await chat.posted()).toHaveLength(1);
    await outbox.drain({ settings, now: NOW + 60, signal });
    expect(await queued()).toMatchObject([{ tries: 2, nextTryAt: NOW + 660 }]);
    expect(await stored()).toHaveLength(1);
    await outbox.drain({ settings, now: NOW + 660, signal });
    const posts = await chat.posted();
    expect(posts.map(({ files }) => files[0]?.sha256)).toEqual([sha256(image), sha256(image), sha256(image)]);
    expect([await queued(), await stored()]).toEqual([[], []]);
    expect((await db.select().from(feedbackEntries)).map(({ id }) => id)).toEqual([entry.id]);
  });

  it('posts to the base URL override', async () => {
    const chat = webhook();
    const outbox = outboxOf(undefined, chat.baseUrl);
    await enqueue([]);
    await outbox.drain({ settings: settingsFor('https://discord.com/api/webhooks/1/token'), now: NOW, signal });
    expect([await chat.posted(), await queued()]).toEqual([[expect.anything()], []]);
  });

  it('gives up after three attempts and deletes the attachments', async () => {
    const chat = webhook();
    await chat.answers({ answers: [500, 'reset', 502, 204] });
    const outbox = outboxOf();
    await enqueue([png(100)]);
    for (const now of [NOW, NOW + 60, NOW + 660, NOW + 5000]) await outbox.drain({ settings: settingsFor(chat.url), now, signal });
    expect(await chat.posted()).toHaveLength(3);
    expect([await queued(), await stored()]).toEqual([[], []]);
    expect(await db.select().from(feedbackEntries)).toHaveLength(1);
  });

  it.each([400, 401, 404, 410, 302])('gives up immediately when the webhook returns %i', async (status) => {
    const chat = webhook();
    await chat.answers({ answers: [status] });
    await enqueue([png(100)]);
    await outboxOf().drain({ settings: settingsFor(chat.url), now: NOW, signal });
    expect([await queued(), await stored()]).toEqual([[], []]);
  });

  it('waits for Retry-After', async () => {
    const chat = webhook();
    await chat.answers({ answers: [429, 429], retryAfter: 300 });
    await enqueue();
    await outboxOf().drain({ settings: settingsFor(chat.url), now: NOW, signal });
    expect(await queued()).toMatchObject([{ tries: 1, nextTryAt: NOW + 300 }]);
  });

  it('resumes after a crash once the lease expires', async () => {
    const chat = webhook();
    const clock = { now: NOW };
    const image = png(1000, 9);
    const entry = await enqueue([image]);
    // An attempt that claimed the entry and crashed.
    await db.update(outboxTable).set({ leaseUntil: NOW + 60 });
    const outbox = outboxOf(clock);
    await outbox.drain({ settings: settingsFor(chat.url), now: NOW + 30, signal });
    await outbox.deliver(entry.id, { settings: settingsFor(chat.url), now: NOW + 30, signal });
    expect(await chat.posted()).toEqual([]);
    clock.now = NOW + 60;
    await outbox.drain({ settings: settingsFor(chat.url), now: NOW + 60, signal });
    expect((await chat.posted())[0]?.files[0]?.sha256).toBe(sha256(image));
    expect([await queued(), await stored()]).toEqual([[], []]);
  });

  it('sends an entry once under concurrent runs', async () => {
    const chat = webhook();
    const entry = await enqueue([png(1000)]);
    const outbox = outboxOf();
    await Promise.all(Array.from({ length: 5 }, () => outbox.deliver(entry.id, { settings: settingsFor(chat.url), now: NOW, signal })));
    expect(await chat.posted()).toHaveLength(1);
    expect(await queued()).toEqual([]);
  });

  it('forwards due entries oldest first, and one failure does not block others', async () => {
    const chat = webhook();
    await chat.answers({ answers: [500] });
    const first = await enqueue([], NOW - 20);
    const second = await enqueue([], NOW - 10);
    await enqueue([], NOW + 10);
    await outboxOf().drain({ settings: settingsFor(chat.url), now: NOW, signal });
    const footers = (await chat.posted()).map(
      ({ message }) => (message as { embeds: { footer: { text: string } }[] }).embeds[0]?.footer.text,
    );
    expect(footers).toEqual([`id ${first.id}`, `id ${second.id}`]);
    expect(await queued()).toHaveLength(2);
  });

  it('sends a message without a missing image', async () => {
    const chat = webhook();
    const entry = await enqueue([png(10, 1), png(20, 2)]);
    await store.remove(entry, 1);
    await outboxOf().drain({ settings: settingsFor(chat.url), now: NOW, signal });
    const [post] = await chat.posted();
    expect(post?.files.map(({ filename, size }) => [filename, size])).toEqual([['0_shot1.png', 20]]);
    expect(post?.message).toMatchObject({ embeds: [{ image: { url: 'attachment://0_shot1.png' } }] });
  });

  it('waits while no webhook is configured and deletes entries after a day', async () => {
    const chat = webhook();
    const outbox = outboxOf();
    await enqueue([png(100)]);
    await outbox.drain({ settings: settingsFor(''), now: NOW, signal });
    await outbox.cleanUp(NOW + DAY - 1);
    expect([(await queued()).length, (await stored()).length]).toEqual([1, 1]);
    await outbox.cleanUp(NOW + DAY);
    expect(await queued()).toEqual([]);
    await outbox.cleanUp(NOW + DAY + 1);
    expect(await stored()).toEqual([]);
    await outbox.drain({ settings: settingsFor(chat.url), now: NOW + DAY + 1, signal });
    expect(await chat.posted()).toEqual([]);
    expect(await db.select().from(feedbackEntries)).toHaveLength(1);
  });

  it('deletes attachments left behind by a crash, and no newer ones', async () => {
    const old = { id: 'old', receivedAt: NOW - DAY - 1 };
    const young = { id: 'young', receivedAt: NOW - 5 };
    for (const owner of [old, young]) await store.put(owner, 0, png(10));
    await outboxOf().cleanUp(NOW);
    expect(await stored()).toEqual([expect.stringContaining('/young/')]);
    await store.remove(young, 1);
  });

  it('does not expose the webhook URL in errors', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    await enqueue();
    await outboxOf().drain({ settings: settingsFor('http://127.0.0.1:9/secret-token'), now: NOW, signal });
    await outboxOf().drain({ settings: settingsFor('not an address'), now: NOW + 60, signal });
    const lines = log.mock.calls.flat();
    log.mockRestore();
    expect(lines.join()).toContain('outbox item failed permanently');
    expect(lines.join()).not.toContain('secret-token');
    expect(await queued()).toEqual([]);
  });
});
