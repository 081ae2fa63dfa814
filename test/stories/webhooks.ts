import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { RequestOptions, Story, User } from './user.ts';

/** Requests with the session of an account, and a chat webhook that is deleted afterwards. */
async function withWebhook<Body extends { id: string }>(
  user: User,
  input: object,
  use: (webhook: Body, read: <Reply>(path: string, options?: RequestOptions) => Promise<Reply>) => Promise<void>,
): Promise<void> {
  const session = await user.signIn();
  const read = async <Reply>(path: string, options?: RequestOptions) => (await (await user.send(path, options, session)).json()) as Reply;
  const url = `https://discord.com/api/webhooks/1202/story-${randomUUID()}`;
  const webhook = await read<Body>('/v1/webhooks', { body: { url, label: 'story', ...input } });
  try {
    await use(webhook, read);
  } finally {
    await user.send(`/v1/webhooks/${webhook.id}`, { method: 'DELETE' }, session);
  }
}

interface Meta {
  key: string;
  needs_condition: boolean;
  default_template: object;
}

export const webhookStories: readonly Story[] = [
  {
    title: 'receive every type of the event stream in a chat channel',
    async run(user) {
      const session = await user.signIn();
      const { meta } = (await (await user.send('/v1/webhooks/events', {}, session)).json()) as { meta: Meta[] };
      const events = meta.filter(({ needs_condition: needs }) => !needs).map(({ key }) => key);
      assert.ok(events.length >= 14, events.join(', '));
      await withWebhook<{ id: string; events: string[] }>(user, { events }, async ({ id, events: registered }, read) => {
        assert.deepEqual(registered, events);
        for (const { key, default_template: template } of meta) {
          const body = { event: key, template: { ...template, enabled: true } };
          const { embeds } = await read<{ embeds: { title?: string }[] }>('/v1/webhooks/preview', { body });
          assert.ok(embeds[0]?.title, `${key} has a title`);
        }
        const { ok } = await read<{ ok: boolean }>(`/v1/webhooks/${id}/test?event=corruxion`, { method: 'POST' });
        assert.equal(ok, true);
      });
    },
  },
  {
    title: 'be told in a chat channel when an item is cheap or a server is down',
    async run(user) {
      const conditions = [
        { event: 'market_price', match: 'item', values: ['Sun Sap'], limit: 150 },
        { event: 'server_down', match: 'server', values: ['eu', 'us'], limit: 10 },
        { event: 'challenge', match: 'type', values: ['rampage'], limit: null },
        { event: 'corruxion', match: 'change', values: ['arrives'], limit: null },
        { event: 'mod_release', match: 'tag', values: ['mount'], limit: null },
      ];
      const events = [...new Set(conditions.map(({ event }) => event))];
      type Webhook = { id: string; conditions: { sentence: string }[] };
      await withWebhook<Webhook>(user, { events, conditions }, async (webhook, read) => {
        const sentences = webhook.conditions.map(({ sentence }) => sentence);
        assert.deepEqual(sentences, [
          'Post when Sun Sap is at most 150 each',
          'Post when Europe or America is down for longer than 10 minutes',
          'Post when the challenge is Rampage',
          'Post when Corruxion arrives',
          'Post when a mod with the tag mount is released',
        ]);
        type Tried = { items: { sentence: string; would_post: boolean | null; reason: string }[] };
        const { items } = await read<Tried>('/v1/webhooks/conditions/try', { body: { conditions } });
        assert.deepEqual(
          items.map(({ sentence }) => sentence),
          sentences,
        );
        assert.ok(items.every(({ reason }) => reason !== ''));
      });
    },
  },
];
