import { describe, expect, it } from 'vitest';
import { bearer, call, freshInstant } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { testApp } from './test-app.ts';

const fetch = testApp();

/** Status of one more request than the limit, from one address and from another one. */
async function statusesAbove(limit: number, send: (address: string, now: number) => ReturnType<typeof call>) {
  const now = freshInstant();
  for (let used = 0; used < limit; used += 1) expect((await send('198.51.100.1', now)).status).not.toBe(429);
  return [(await send('198.51.100.1', now)).status, (await send('198.51.100.2', now)).status];
}

const post = (path: string, body: object) => (address: string, now: number) =>
  call(path, { method: 'POST', address, now, json: body }, fetch);

describe('a client address', () => {
  it('gets 429 after ten password resets in five minutes', async () => {
    const send = post('/auth/reset-password', { token: 'x', new_password: 'four plain words together' });
    expect(await statusesAbove(10, send)).toEqual([429, 400]);
  });

  it('gets 429 after 120 renewals of a session in a minute', async () => {
    expect(await statusesAbove(120, post('/auth/refresh', { refresh_token: 'A'.repeat(64) }))).toEqual([429, 401]);
  });

  it('gets 429 after 120 sign-outs in a minute', async () => {
    expect(await statusesAbove(120, post('/auth/logout', { refresh_token: 'A'.repeat(64) }))).toEqual([429, 204]);
  });

  it('gets 429 after 120 requests for the current token in a minute, without a charge of the token', async () => {
    const authorization = bearer(await createToken());
    const send = (address: string, now: number) => call('/v1/token', { authorization, address, now }, fetch);
    expect(await statusesAbove(120, send)).toEqual([429, 200]);
    const { text } = await send('198.51.100.3', freshInstant());
    expect(JSON.parse(text).budgets[0]).toMatchObject({ remaining: 120 });
  });
});
