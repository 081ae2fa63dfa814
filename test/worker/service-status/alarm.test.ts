import { describe, expect, it } from 'vitest';
import { createAlarm } from '../../../src/areas/service-status/alarm.service.ts';
import { advance, type Check, type History, PART_NAMES, type PartName } from '../../../src/areas/service-status/status.domain.ts';
import { createChatPoster } from '../../../src/platform/upstream/chat-post.ts';
import { createUpstreamClient } from '../../../src/platform/upstream/upstream-client.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import type { PostedMessage, WebhookState } from '../../support/upstreams/chat-webhook.ts';
import { memoryStates } from '../../support/upstreams/memory-states.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_773_156_600;

function alarmWithChat() {
  const session = upstreamSession('chat-webhook');
  const upstream = createUpstreamClient({ userAgent: 'test-agent', states: memoryStates(), random: () => 0.5 });
  const post = createChatPoster(upstream, () => crypto.randomUUID(), session.url);
  return {
    url: `${session.url}/api/webhooks/1/token`,
    alarm: createAlarm({ post, appName: 'Game Data API', baseUrl: 'https://api.test' }),
    answers: (state: Partial<WebhookState>) => session.order({ state }),
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
    const { alarm, url, texts } = alarmWithChat();
    const checks = [{}, { cache: 'degraded' }, { cache: 'red', files: 'red' }, { cache: 'red' }, {}, { cache: 'red' }] as const;
    for (const history of histories(...checks)) await alarm.notify(history, url);
    const sent = await texts();
    expect(sent).toHaveLength(2);
    expect(sent[0]).toContain('Cache (KV)');
    expect(sent[0]).toContain('File storage (R2)');
    expect(sent[0]).toContain('https://api.test/status');
    expect(sent[1]).not.toContain('File storage');
  });

  it('tries twice, never rejects, and posts nothing without a webhook', async () => {
    const { alarm, url, answers, texts } = alarmWithChat();
    const [, red] = histories({}, { cache: 'red' });
    if (!red) throw new Error('no history');
    await alarm.notify(red, '');
    expect(await texts()).toEqual([]);
    await answers({ answers: [500] });
    await alarm.notify(red, url);
    expect(await texts()).toHaveLength(2);
    await answers({ answers: [500, 500] });
    expect((await alarm.test(url)).reason).toBe('HTTP 500');
  });
});

describe('POST /admin/alarm/test', () => {
  it('says that the setting is empty', async () => {
    const authorization = bearer(await createSuperuserToken());
    const { text } = await call('/admin/alarm/test', { method: 'POST', authorization }, testApp());
    expect(JSON.parse(text)).toEqual({ delivered: false, reason: 'the setting alarm.chat_webhook is empty' });
  });
});
