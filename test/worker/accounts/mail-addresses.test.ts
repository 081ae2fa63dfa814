import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../support/passwords.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { outcome, portalWorld, signedInPerson } from './world.ts';

const world = portalWorld();

const VALID = [
  'user@xn--h1alffa9f.xn--p1ai',
  'me/you@mail.example',
  'a&b@mail.example',
  'x=y@mail.example',
  'x!y@mail.example',
  'a~b@mail.example',
  'a#b@mail.example',
];
const INVALID = [
  'ada',
  'ada@localhost',
  '.ada@mail.example',
  'a..b@mail.example',
  'a b@mail.example',
  'дмитрий@mail.example',
  'ada@exa_mple.com',
];

describe('an unusual email address', () => {
  it.each(VALID)('signs up, signs in, resets the password and becomes the address of another account: %s', async (email) => {
    const client = world.client();
    expect(outcome(await client.signUp(email))).toBe('201');
    expect(outcome(await client.confirm(await world.linkTo(email)))).toBe('200');
    expect(outcome(await client.login(email.toUpperCase()))).toBe('200');
    expect((await client.get('/auth/me')).body.email).toBe(email);

    const guest = world.client();
    const newPassword = 'four other words together';
    expect(outcome(await guest.post('/auth/forgot-password', { email, captcha_token: solvedCaptcha('forgot-password') }))).toBe('200');
    const { token } = await world.linkTo(email);
    expect(outcome(await guest.post('/auth/reset-password', { token, new_password: newPassword }))).toBe('200');
    expect(outcome(await guest.login(email, newPassword))).toBe('200');

    const { client: other } = await signedInPerson(world);
    const changed = `new.${email}`;
    expect(outcome(await other.post('/auth/change-email', { new_email: changed, password: PASSWORD }))).toBe('200');
    expect(outcome(await other.confirm(await world.linkTo(changed)))).toBe('200');
    expect(outcome(await world.client().login(changed))).toBe('200');
  });

  it.each(INVALID)('is refused wherever one is taken: %s', async (email) => {
    const { client } = await signedInPerson(world);
    for (const [path, body, field] of [
      ['/auth/signup', { email, password: PASSWORD }, 'email'],
      ['/auth/login', { email, password: PASSWORD }, 'email'],
      ['/auth/resend-verification', { email }, 'email'],
      ['/auth/forgot-password', { email }, 'email'],
      ['/auth/change-email', { new_email: email, password: PASSWORD }, 'new_email'],
    ] as const) {
      const response = await client.post(path, body);
      expect([path, outcome(response), response.body.error.details[0].loc]).toEqual([path, '422 validation_error', ['body', field]]);
    }
  });
});
