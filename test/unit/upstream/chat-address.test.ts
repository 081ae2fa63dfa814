import { describe, expect, it } from 'vitest';
import { chatPostUrl } from '../../../src/platform/upstream/chat-post.ts';

const OVERRIDE = 'http://127.0.0.1:9825';

describe('chatPostUrl', () => {
  it('returns the URL unchanged without an override', () => {
    expect(chatPostUrl('https://discord.com/api/webhooks/1/secret', null)).toBe('https://discord.com/api/webhooks/1/secret');
  });

  it.each(['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'])('replaces %s with the override', (host) => {
    expect(chatPostUrl(`https://${host}/api/webhooks/1/secret?thread_id=5`, OVERRIDE)).toBe(
      `${OVERRIDE}/api/webhooks/1/secret?thread_id=5`,
    );
  });

  it.each(['https://chat.example/hooks/1', 'http://127.0.0.1:9/x', 'https://discord.com.example/api/webhooks/1/x', 'no address'])(
    'leaves %s unchanged, which is not a Discord address',
    (url) => {
      expect(chatPostUrl(url, OVERRIDE)).toBe(url);
    },
  );
});
