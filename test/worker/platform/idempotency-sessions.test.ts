import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ENDPOINTS, titleOf } from '../../support/endpoints.ts';
import { bearer, call, FIRST_INSTANT } from '../../support/requests.ts';
import { type createSession, signIn } from '../../support/sessions.ts';
import { portalWorld, signedInPerson } from '../accounts/world.ts';
import { freshAddress } from '../webhooks/world.ts';
import { testApp } from './test-app.ts';

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));

const fetch = testApp();

/** A signed-in user with a new session. */
async function createUser(options: Parameters<typeof createSession>[0] = {}) {
  const user = await signIn(fetch, options);
  const send = async (method: string, path: string, key: string | null, body?: unknown) => {
    const response = await user.send(method, path, body, key === null ? {} : { 'Idempotency-Key': key });
    return { ...response, replayed: response.headers.get('Idempotent-Replay') };
  };
  return { ...user, send, webhooks: async () => (await send('GET', '/v1/webhooks', null)).body.items as { id: string }[] };
}

const newWebhook = () => ({ url: freshAddress(), events: ['challenge'] });

describe('an Idempotency-Key sent with a session', () => {
  it('creates one webhook from two equal requests', async () => {
    const ana = await createUser();
    const body = newWebhook();
    const first = await ana.send('POST', '/v1/webhooks', 'a', body);
    const repeat = await ana.send('POST', '/v1/webhooks', 'a', body);
    expect([first.status, first.replayed, repeat.status, repeat.replayed]).toEqual([201, null, 201, 'true']);
    expect(repeat.text).toBe(first.text);
    expect(await ana.webhooks()).toHaveLength(1);
  });

  it('creates one webhook from ten concurrent requests', async () => {
    const ana = await createUser();
    const body = newWebhook();
    const responses = await Promise.all(Array.from({ length: 10 }, () => ana.send('POST', '/v1/webhooks', 'a', body)));
    expect(responses.filter(({ status, replayed }) => status === 201 && replayed === null)).toHaveLength(1);
    for (const { status } of responses) expect([201, 409]).toContain(status);
    expect(await ana.webhooks()).toHaveLength(1);
  });

  it('is scoped to the session, the path and the key', async () => {
    const ana = await createUser();
    const elsewhere = await createUser({ userId: ana.userId });
    const ben = await createUser();
    const body = newWebhook();
    await ana.send('POST', '/v1/webhooks', 'a', body);
    expect((await ana.send('POST', '/v1/webhooks', 'b', body)).replayed).toBeNull();
    expect((await elsewhere.send('POST', '/v1/webhooks', 'a', body)).replayed).toBeNull();
    expect((await ben.send('POST', '/v1/webhooks', 'a', body)).replayed).toBeNull();
    expect((await ana.webhooks()).length).toBe(3);
    expect(await ben.webhooks()).toHaveLength(1);
  });

  it('returns 422 for a repeat with another body', async () => {
    const ana = await createUser();
    await ana.send('POST', '/v1/webhooks', 'a', newWebhook());
    expect((await ana.send('POST', '/v1/webhooks', 'a', newWebhook())).status).toBe(422);
    expect(await ana.webhooks()).toHaveLength(1);
  });

  it('replays a response without a body', async () => {
    const ana = await createUser();
    const { body } = await ana.send('POST', '/v1/webhooks', null, newWebhook());
    const first = await ana.send('DELETE', `/v1/webhooks/${body.id}`, 'd');
    const repeat = await ana.send('DELETE', `/v1/webhooks/${body.id}`, 'd');
    expect([first.status, repeat.status, repeat.replayed, repeat.text]).toEqual([204, 204, 'true', '']);
    expect(repeat.headers.get('Content-Type')).toBeNull();
    expect((await ana.send('DELETE', `/v1/webhooks/${body.id}`, 'other')).status).toBe(404);
  });

  it('does not replay the response to an ended session', async () => {
    const ana = await createUser();
    const body = newWebhook();
    await ana.send('POST', '/v1/webhooks', 'a', body);
    await env.DB.prepare('DELETE FROM sessions WHERE id = ?1').bind(ana.sessionId).run();
    expect((await ana.send('POST', '/v1/webhooks', 'a', body)).status).toBe(401);
  });

  it('is limited to 60 requests an hour per account', async () => {
    const ana = await createUser();
    const body = { display_name: 'Ana' };
    for (let request = 0; request < 60; request += 1) expect((await ana.send('PATCH', '/auth/me', `k${request}`, body)).status).toBe(200);
    const refused = await (await createUser({ userId: ana.userId })).send('PATCH', '/auth/me', 'one more', body);
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      429,
      'rate_limited',
      { limit: 60, window_seconds: 3600 },
    ]);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(refused.headers.get('RateLimit-Policy')).toBe('"idempotency-keys";q=60;w=3600');
    expect((await ana.send('PATCH', '/auth/me', null, body)).status).toBe(200);
  });
});

describe('a response that contains a secret', () => {
  /** Content of all idempotency objects. */
  async function everythingStored(): Promise<string> {
    const ids = await listDurableObjectIds(env.IDEMPOTENCY);
    const texts = ids.map((id) =>
      runInDurableObject(env.IDEMPOTENCY.get(id), async (_, state) => JSON.stringify([...(await state.storage.list())])),
    );
    return (await Promise.all(texts)).join();
  }

  const conflict = expect.objectContaining({
    code: 'conflict',
    message: 'the first request with this Idempotency-Key succeeded, but its response was not stored: it contains a secret',
  });

  it('is not stored when a token is created or rotated: a repeat gets 409 and changes nothing', async () => {
    const ana = await createUser();
    const minted = await ana.send('POST', '/tokens', 'mint', { name: 'bot' });
    const again = await ana.send('POST', '/tokens', 'mint', { name: 'bot' });
    expect([minted.status, again.status, again.body.error]).toEqual([201, 409, conflict]);
    expect((await ana.send('GET', '/tokens', null)).body).toHaveLength(1);

    const rotated = await ana.send('POST', `/tokens/${minted.body.id}/rotate`, 'rotate');
    const rotatedAgain = await ana.send('POST', `/tokens/${minted.body.id}/rotate`, 'rotate');
    expect([rotated.status, rotatedAgain.status, rotatedAgain.body.error]).toEqual([200, 409, conflict]);
    const asToken = (secret: string) => call('/v1/token', { authorization: bearer(secret), now: FIRST_INSTANT }, fetch);
    expect((await asToken(rotated.body.token)).status).toBe(200);

    const stored = await everythingStored();
    expect(stored).toContain('secret');
    for (const secret of [minted.body.token, rotated.body.token]) expect(stored).not.toContain(secret.split('_')[1]);
  });

  it('is not stored when the password changes and the response starts a new session', async () => {
    const world = portalWorld();
    const { client } = await signedInPerson(world);
    const body = { current_password: 'four plain words together', new_password: 'five other plain words here' };
    const changed = await client.send('POST', '/auth/change-password', body, { 'Idempotency-Key': 'p' });
    expect(changed.status).toBe(200);
    expect(await everythingStored()).not.toContain(changed.body.access_token);
  });

  it('is declared on every route whose response has a token', () => {
    const showsSecret = ENDPOINTS.filter(({ spec }) => {
      if (spec.method === 'get' || spec.access.kind === 'open' || spec.access.kind === 'address' || !('schema' in spec.ok)) return false;
      const fields = 'shape' in spec.ok.schema ? Object.keys(spec.ok.schema.shape as object) : [];
      return fields.some((field) => /^(token|access_token|refresh_token)$/.test(field));
    });
    expect(showsSecret.map(titleOf).sort()).toEqual([
      'POST /auth/change-password',
      'POST /auth/second-factor/enable',
      'POST /tokens',
      'POST /tokens/{id}/rotate',
    ]);
    expect(showsSecret.filter(({ spec }) => !spec.showsSecret).map(titleOf)).toEqual([]);
  });
});
