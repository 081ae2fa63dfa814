import { describe, expect, it, vi } from 'vitest';
import { PASSWORD } from '../../support/passwords.ts';
import { call } from '../../support/requests.ts';
import { newEmail, outcome, portalWorld, signedInPerson } from './world.ts';

const WORST = ['12345678', 'Password', 'qwertyuiop', 'iloveyou', 'sunshine', 'P@ssw0rd', 'password123!', 'aaaaaaaa', '1q2w3e4r'];

describe('the worst passwords', () => {
  it.each([
    ['is switched off', { BREACHED_PASSWORDS_URL: '' }, null],
    ['does not respond', {}, 'error-500'],
  ] as const)('are refused when the list of breached passwords %s', async (_, bindings, fault) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const world = portalWorld({ bindings });
    await world.breached.order({ fault });
    for (const password of WORST)
      expect(outcome(await world.client().signUp(newEmail(), password)), password).toBe('400 password_breached');
    expect(outcome(await world.client().signUp(newEmail(), PASSWORD))).toBe('201');
    const { client } = await signedInPerson(world);
    const change = await client.post('/auth/change-password', { current_password: PASSWORD, new_password: '123456789' });
    expect(outcome(change)).toBe('400 password_breached');
    vi.restoreAllMocks();
  });
});

describe('the form for a new token', () => {
  it('has no scope selected, not even all access', async () => {
    const { text } = await call('/portal/tokens');
    expect(text).toContain('id="scope-all"');
    expect(text).not.toMatch(/<input[^>]*type="checkbox"[^>]*\bchecked\b/);
  });
});
