import { describe, expect, it, vi } from 'vitest';
import { PASSWORD } from '../../support/passwords.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { newEmail, portalWorld } from './world.ts';

describe('log from sign-up to deletion', () => {
  it('contains no password, token, link or email address', async () => {
    const lines: string[] = [];
    for (const name of ['log', 'error', 'warn', 'info'] as const)
      vi.spyOn(console, name).mockImplementation((line) => void lines.push(String(line)));
    const world = portalWorld({ bindings: { ENVIRONMENT: 'test' } });
    const client = world.client();
    const email = newEmail();
    const secrets = [PASSWORD, 'another four words', 'yet another password', email, client.address, 'captcha-secret', 'demo-mail-key'];
    const captcha = solvedCaptcha('signup');
    await client.post('/auth/signup', { email, password: PASSWORD, captcha_token: captcha });
    const link = await world.linkTo(email);
    await client.confirm(link, 'wrong password');
    await client.confirm(link);
    await client.login(email, 'wrong password');
    await client.login(email);
    secrets.push(captcha, link.token, client.credential ?? '-', client.refreshToken ?? '-');
    await world.mail.order({ fault: 'error-500' });
    const minted = (await client.post('/tokens', { name: 'bot' })).body;
    await world.breached.order({ fault: 'reset' });
    await client.post('/auth/change-password', { current_password: PASSWORD, new_password: 'another four words' });
    await world.captcha.order({ fault: 'html' });
    await world.client().login(email, 'yet another password');
    await client.post(`/tokens/${minted.id}/rotate`);
    client.credential = 'broken';
    await client.get('/auth/me');
    await client.post('/auth/refresh', { refresh_token: 'x'.repeat(64) });
    vi.restoreAllMocks();
    expect(lines.length).toBeGreaterThan(8);
    for (const secret of [...secrets, minted.token]) expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  });
});
