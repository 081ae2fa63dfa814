import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../support/passwords.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { newEmail, outcome, portalWorld, START, signedInPerson } from './world.ts';

const world = portalWorld();
const NEXT = 'a new password';

/** Requests a reset link and returns it. */
async function resetLinkOf(email: string, now = START) {
  const client = world.client();
  client.now = now;
  expect((await client.post('/auth/forgot-password', { email, captcha_token: solvedCaptcha('forgot-password') })).status).toBe(200);
  return world.linkTo(email);
}

const reset = (token: string, password: string, client = world.client()) =>
  client.post('/auth/reset-password', { token, new_password: password });

describe('a reset link', () => {
  it('is invalid after the email address of the account was changed', async () => {
    const { client, email } = await signedInPerson(world);
    const { token } = await resetLinkOf(email);
    const next = newEmail();
    expect(outcome(await client.post('/auth/change-email', { new_email: next, password: PASSWORD }))).toBe('200');
    expect(outcome(await client.confirm(await world.linkTo(next)))).toBe('200');
    expect(outcome(await reset(token, NEXT))).toBe('400 bad_request');
    expect(outcome(await world.client().login(next))).toBe('200');
  });

  it('is invalid after all sessions were ended', async () => {
    const { client, email } = await signedInPerson(world);
    const { token } = await resetLinkOf(email);
    expect(outcome(await client.post('/auth/logout-all'))).toBe('204');
    expect(outcome(await reset(token, NEXT))).toBe('400 bad_request');
  });

  it('stays valid after a refused password, and is used up by the change', async () => {
    const { email } = await signedInPerson(world);
    const { token } = await resetLinkOf(email);
    expect(outcome(await reset(token, 'password1'))).toBe('400 password_breached');
    expect(outcome(await reset(token, NEXT))).toBe('200');
    expect(outcome(await reset(token, 'another new password'))).toBe('400 bad_request');
    expect(outcome(await world.client().login(email, NEXT))).toBe('200');
  });

  it('is used up by one of several concurrent requests', async () => {
    const { email } = await signedInPerson(world);
    const { token } = await resetLinkOf(email);
    const passwords = [0, 1, 2, 3].map((index) => `${NEXT} ${index}`);
    const outcomes = (await Promise.all(passwords.map((password) => reset(token, password)))).map(outcome);
    expect(outcomes.filter((text) => text === '200')).toHaveLength(1);
    const winner = passwords[outcomes.indexOf('200')];
    expect(outcome(await world.client().login(email, winner))).toBe('200');
  });

  it('allows five attempts, from any number of addresses', async () => {
    const { email } = await signedInPerson(world);
    const { token } = await resetLinkOf(email);
    for (let tries = 0; tries < 5; tries += 1) expect(outcome(await reset(token, 'password1'))).toBe('400 password_breached');
    expect(outcome(await reset(token, NEXT))).toBe('400 bad_request');
    expect(outcome(await world.client().login(email))).toBe('200');
    const later = await resetLinkOf(email, START + 3601);
    const client = world.client();
    client.now = START + 3601;
    expect(outcome(await reset(later.token, NEXT, client))).toBe('200');
  });
});

describe('a verification link', () => {
  it('is invalid after a password reset ended every session', async () => {
    const email = newEmail();
    await world.client().signUp(email);
    const verification = await world.linkTo(email);
    const { token } = await resetLinkOf(email);
    expect(outcome(await reset(token, NEXT))).toBe('200');
    expect(outcome(await world.client().confirm(verification, NEXT))).toBe('400 bad_request');
  });
});

describe('a link that confirms a new address', () => {
  it('is invalid after the password was changed', async () => {
    const { client } = await signedInPerson(world);
    const next = newEmail();
    await client.post('/auth/change-email', { new_email: next, password: PASSWORD });
    const link = await world.linkTo(next);
    await client.post('/auth/change-password', { current_password: PASSWORD, new_password: NEXT });
    expect(outcome(await world.client().confirm(link, NEXT))).toBe('400 bad_request');
  });

  it('allows five wrong passwords, from any number of addresses', async () => {
    const { client } = await signedInPerson(world);
    const next = newEmail();
    await client.post('/auth/change-email', { new_email: next, password: PASSWORD });
    const link = await world.linkTo(next);
    for (let tries = 0; tries < 5; tries += 1) {
      expect(outcome(await world.client().confirm(link, 'wrong'))).toBe('401 invalid_credentials');
    }
    expect(outcome(await world.client().confirm(link))).toBe('429 account_locked');
  });
});
