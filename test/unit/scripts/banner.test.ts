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
  it('shows the address, both tokens, the logins and three requests', () => {
    const text = describeServer(DEV_FILE, { isDemo: true, standIns: NONE, platform: 'linux' });
    for (const part of ['http://127.0.0.1:9000/docs', 'gda_a', 'gda_b', 'p1', 'p2', 'made up']) expect(text).toContain(part);
    expect(text.match(/^ {2}curl /gm)).toHaveLength(3);
  });

  it('leaves out demo data when there is none', () => {
    expect(describeServer(DEV_FILE, { isDemo: false, standIns: NONE, platform: 'linux' })).not.toContain('made up');
  });

  it('shows where posts to webhooks can be read when the chat service has a stand-in', () => {
    const standIns = { names: ['chat-webhook'], chatMessagesUrl: 'http://127.0.0.1:1/calls' };
    expect(describeServer(DEV_FILE, { isDemo: true, standIns, platform: 'linux' })).toContain('http://127.0.0.1:1/calls');
  });

  it('names curl by its file name on Windows, with quotes that every shell accepts', () => {
    const text = describeServer(DEV_FILE, { isDemo: true, standIns: NONE, platform: 'win32' });
    expect(text.match(/^ {2}curl\.exe /gm)).toHaveLength(3);
    expect(text).not.toContain("'");
  });
});
