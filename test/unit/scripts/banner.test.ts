import { describe, expect, it } from 'vitest';
import { describeServer } from '../../../scripts/lib/dev/banner.ts';

const DEV_FILE = {
  base_url: 'http://127.0.0.1:9000',
  token: 'gda_a',
  superuser_token: 'gda_b',
  portal: { email: 'one@localhost.example', password: 'p1', superuser_email: 'two@localhost.example', superuser_password: 'p2' },
};
const NONE = { names: [], chatMessagesUrl: null };

describe('describeServer', () => {
  it('contains the URL, both tokens, the logins and three requests', () => {
    const text = describeServer(DEV_FILE, { isDemo: true, games: [], mocks: NONE, platform: 'linux' });
    for (const part of ['http://127.0.0.1:9000/docs', 'gda_a', 'gda_b', 'p1', 'p2', 'demo data']) expect(text).toContain(part);
    expect(text.match(/^ {2}curl /gm)).toHaveLength(3);
  });

  it('does not mention demo data when there is none', () => {
    expect(describeServer(DEV_FILE, { isDemo: false, games: [], mocks: NONE, platform: 'linux' })).not.toContain('demo data');
  });

  it('lists the folders of the game', () => {
    const text = describeServer(DEV_FILE, { isDemo: true, games: ['247', '252'], mocks: NONE, platform: 'linux' });
    expect(text).toContain('247, 252');
  });

  it('contains the URL that lists posts to webhooks when the chat service is mocked', () => {
    const mocks = { names: ['chat-webhook'], chatMessagesUrl: 'http://127.0.0.1:1/calls' };
    expect(describeServer(DEV_FILE, { isDemo: true, games: [], mocks, platform: 'linux' })).toContain('http://127.0.0.1:1/calls');
  });

  it('uses curl.exe on Windows, with quotes that every shell accepts', () => {
    const text = describeServer(DEV_FILE, { isDemo: true, games: [], mocks: NONE, platform: 'win32' });
    expect(text.match(/^ {2}curl\.exe /gm)).toHaveLength(3);
    expect(text).not.toContain("'");
  });
});
