import { describe, expect, it } from 'vitest';
import { createAlarm } from '../../../src/areas/service-status/alarm.service.ts';
import { advance, type Check, type History, PART_NAMES, type PartName } from '../../../src/areas/service-status/status.domain.ts';
import { createNameCheck, createSignedClient, signatureOf } from '../../../src/areas/webhooks/signed/signed.upstream.ts';
import { createSignedMessageClient } from '../../../src/areas/webhooks/signed/signed-message.service.ts';
import { createChatClient } from '../../../src/platform/upstream/chat-post.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import type { PostedMessage, WebhookState } from '../../support/upstreams/chat-webhook.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { testUpstream } from '../../support/upstreams/test-upstream.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_773_156_600;

const NONE = { alarmChatWebhook: '', alarmWebhookUrl: '', alarmWebhookSecret: '' };
const SECRET = `whsec_${btoa('a'.repeat(32))}`;

function alarmWithChannels() {
  const [session, resolver, receiver] = [
    upstreamSession('chat-webhook'),
    upstreamSession('name-resolver'),
    upstreamSession('webhook-receiver'),
  ];
  const upstream = testUpstream();
  const post = createChatClient(upstream, () => crypto.randomUUID(), session.url);
  const nameCheck = createNameCheck(upstream, resolver.vars.DNS_OVER_HTTPS_URL ?? '');
  const postSigned = createSignedMessageClient(createSignedClient({ upstream, nameCheck, baseUrlOverride: receiver.url }));
  return {
    chat: { ...NONE, alarmChatWebhook: `${session.url}/api/webhooks/1/token` },
    webhook: { ...NONE, alarmWebhookUrl: 'https://hooks.example.com/alarm', alarmWebhookSecret: SECRET },
    alarm: createAlarm({ post, postSigned, newId: () => crypto.randomUUID(), appName: 'Game Data API', baseUrl: 'https://api.test' }),
    answers: (state: Partial<WebhookState>) => session.order({ state }),
    receiver,
    async texts(): Promise<string[]> {
      const posted = (await (await fetch(`${session.url}/calls`)).json()) as PostedMessage[];
      return posted.map(({ message }) => (message as { content: string }).content);
    },
  };
}

/** Histories after each check; a check names the parts that are not green. */
function histories(...checks: Partial<Record<PartName, Check['state']>>[]): History[] {
  const all: History[] = [];
  for (const [index, states] of checks.entries()) {
    const parts = Object.fromEntries(PART_NAMES.map((name) => [name, { state: states[name] ?? 'green', detail: null }]));
    const snapshot = { checkedAt: NOW + index * 60, parts: parts as Record<PartName, Check>, jobs: [], upstreams: [] };
    all.push(advance(all.at(-1) ?? null, snapshot, 'object'));
  }
  return all;
}

describe('createAlarm', () => {
  it('posts one message for each time a part turns red, also from degraded, and none for other changes', async () => {
    const { alarm, chat, texts } = alarmWithChannels();
    const checks = [{}, { cache: 'degraded' }, { cache: 'red', files: 'red' }, { cache: 'red' }, {}, { cache: 'red' }] as const;
    for (const history of histories(...checks)) await alarm.notify(history, chat, NOW);
    const sent = await texts();
    expect(sent).toHaveLength(2);
    expect(sent[0]).toContain('Cache (KV)');
    expect(sent[0]).toContain('File storage (R2)');
    expect(sent[0]).toContain('https://api.test/status');
    expect(sent[1]).not.toContain('File storage');
  });

  it('tries twice, never rejects, and posts nothing without a webhook', async () => {
    const { alarm, chat, answers, texts } = alarmWithChannels();
    const [, red] = histories({}, { cache: 'red' });
    if (!red) throw new Error('no history');
    await alarm.notify(red, NONE, NOW);
    expect(await texts()).toEqual([]);
    await answers({ answers: [500] });
    await alarm.notify(red, chat, NOW);
    expect(await texts()).toHaveLength(2);
    await answers({ answers: [500, 500] });
    expect(await alarm.test(chat, NOW)).toEqual([{ channel: 'chat', reason: 'HTTP 500' }]);
  });

  it('posts the same message to the signed webhook, whose signature the receiver can check', async () => {
    const { alarm, chat, webhook, receiver, texts } = alarmWithChannels();
    expect(await alarm.alert(['too much', '- of it'], { ...webhook, alarmChatWebhook: chat.alarmChatWebhook }, NOW)).toBe(true);
    expect(await texts()).toEqual(['Game Data API: too much\n- of it']);
    const [request, ...more] = await receiver.calls();
    expect(more).toEqual([]);
    expect(request?.path).toBe('/hooks.example.com/alarm');
    const body = {
      type: 'alarm',
      timestamp: '2026-03-10T15:30:00.000Z',
      data: { service: 'Game Data API', lines: ['too much', '- of it'] },
    };
    expect(JSON.parse(request?.body ?? '')).toEqual(body);
    const id = request?.headers['webhook-id'] ?? '';
    expect(id).toMatch(/^alarm_/);
    const expected = await signatureOf([SECRET], { id, timestamp: NOW, body: request?.body ?? '' });
    expect(request?.headers['webhook-signature']).toBe(expected);
  });

  it('reports each channel of a test, and repeats a failed request with the same id', async () => {
    const { alarm, chat, webhook, receiver } = alarmWithChannels();
    await receiver.order({ state: { responses: [{ status: 500 }, { status: 500 }] } });
    const both = { ...webhook, alarmChatWebhook: chat.alarmChatWebhook };
    expect(await alarm.test(both, NOW)).toEqual([
      { channel: 'chat', reason: null },
      { channel: 'webhook', reason: 'HTTP 500' },
    ]);
    const ids = (await receiver.calls()).map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    const wrong = { ...webhook, alarmWebhookSecret: 'secret' };
    expect(await alarm.test(wrong, NOW)).toEqual([
      { channel: 'webhook', reason: 'the secret must be whsec_ and 24 to 64 bytes in base64' },
    ]);
    expect(await alarm.test({ ...webhook, alarmWebhookUrl: 'http://10.0.0.1/' }, NOW)).toEqual([
      { channel: 'webhook', reason: 'the URL must start with https://' },
    ]);
    expect(await alarm.alert(['x'], wrong, NOW)).toBe(false);
  });
});

describe('POST /admin/alarm/test', () => {
  it('has no channels while the settings are empty', async () => {
    const authorization = bearer(await createSuperuserToken());
    const { text } = await call('/admin/alarm/test', { method: 'POST', authorization }, testApp());
    expect(JSON.parse(text)).toEqual({ channels: [] });
  });
});
