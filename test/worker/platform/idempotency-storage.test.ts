import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { tokenAccess } from '../../../src/platform/access/policy/policy.ts';
import { createTokenGate } from '../../../src/platform/access/tokens/token-gate.ts';
import { createTokenRegistry } from '../../../src/platform/access/tokens/token-registry.ts';
import { json } from '../../../src/platform/http/replies/reply.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { validRequest } from '../../contract/inputs.ts';
import { ENDPOINTS, titleOf } from '../../support/endpoints.ts';
import { bearer, call, FIRST_INSTANT as NOW } from '../../support/requests.ts';
import { createAccount, createToken, newToken } from '../../support/tokens.ts';
import { outcome, portalWorld, START, signedInPerson } from '../accounts/world.ts';
import { freshAddress } from '../webhooks/world.ts';
import { testApp, testEndpoint } from './test-app.ts';

const KIB = 1024;

/** Stored bytes of each object with an Idempotency-Key. */
async function storedBytes(): Promise<number[]> {
  const ids = await listDurableObjectIds(env.IDEMPOTENCY);
  return Promise.all(
    ids.map((id) =>
      runInDurableObject(env.IDEMPOTENCY.get(id), async (_, state) => {
        const entries = [...(await state.storage.list<{ answer?: { body?: Uint8Array } | null }>()).values()];
        return entries.reduce(
          (sum, entry) => sum + JSON.stringify(entry.answer?.body ? '' : entry).length + (entry.answer?.body?.length ?? 0),
          0,
        );
      }),
    ),
  );
}

/** Writes that an ordinary account's token can make. */
const ORDINARY_WRITES = ENDPOINTS.filter(
  ({ spec }) => spec.method !== 'get' && ['public', 'tokenless', 'token'].includes(spec.access.kind),
);

describe('a write that an ordinary token can make', () => {
  it('is declared stateless, so its response is not stored', () => {
    expect(ORDINARY_WRITES.length).toBeGreaterThan(10);
    expect(ORDINARY_WRITES.filter(({ spec }) => !spec.isStateless).map(titleOf)).toEqual([]);
  });

  it.each(
    ORDINARY_WRITES.filter(({ spec }) => spec.tag === 'Gems' || spec.tag === 'Stats').map((endpoint) => ({
      title: titleOf(endpoint),
      endpoint,
    })),
  )('ignores an Idempotency-Key: $title', async ({ endpoint }) => {
    const authorization = bearer(await createToken());
    const { path, options } = await validRequest(endpoint);
    const before = (await listDurableObjectIds(env.IDEMPOTENCY)).length;
    for (let request = 0; request < 2; request += 1) {
      const response = await call(path, { ...options, authorization, headers: { ...options.headers, 'Idempotency-Key': 'same' } });
      expect([response.status, response.headers.get('Idempotent-Replay')], response.text.slice(0, 300)).toEqual([200, null]);
    }
    expect(await listDurableObjectIds(env.IDEMPOTENCY)).toHaveLength(before);
  });
});

describe('a response with an Idempotency-Key', () => {
  /** A write whose response contains `text`. */
  async function writer(text: string, cookies: readonly string[] = []) {
    let runs = 0;
    const endpoint = testEndpoint({ path: '/v1/test/large', method: 'post', access: tokenAccess('rotations:read') }, () => {
      runs += 1;
      return { ...json({ text }), cookies };
    });
    const fetch = testApp({ deps: { endpoints: [endpoint] } });
    const authorization = bearer(await createToken());
    const send = (key: string, body = '{}') =>
      call(
        '/v1/test/large',
        { method: 'POST', authorization, now: NOW, body, headers: { 'Idempotency-Key': key, 'Content-Length': String(body.length) } },
        fetch,
      );
    return { send, runs: () => runs };
  }

  it('is stored when it has at most 64 KiB', async () => {
    const { send, runs } = await writer('x'.repeat(64 * KIB - '{"text":""}'.length));
    const first = await send('a');
    const repeat = await send('a');
    expect([repeat.status, repeat.headers.get('Idempotent-Replay')]).toEqual([200, 'true']);
    expect(repeat.text).toBe(first.text);
    expect(runs()).toBe(1);
  });

  it('is not stored when it has more than 64 KiB: a repeat gets 409 and is not executed', async () => {
    // Two bytes per character, because the limit is in bytes.
    const { send, runs } = await writer('ü'.repeat(40 * KIB));
    expect((await send('a')).status).toBe(200);
    const before = await storedBytes();
    const repeat = await send('a');
    expect([repeat.status, JSON.parse(repeat.text).error]).toEqual([
      409,
      expect.objectContaining({
        code: 'conflict',
        message: 'the first request with this Idempotency-Key succeeded, but its response was not stored: it is over 64 KiB',
      }),
    ]);
    expect(runs()).toBe(1);
    expect(Math.max(...before)).toBeLessThan(2 * 64 * KIB);
    expect(Math.min(...before)).toBeLessThan(1 * KIB);
  });

  it('is not stored when it sets a cookie, which may be a secret: a repeat gets 409 and is not executed', async () => {
    const { send, runs } = await writer('x', ['name=secret']);
    expect((await send('a')).headers.get('Set-Cookie')).toBe('name=secret');
    const repeat = await send('a');
    expect([repeat.status, JSON.parse(repeat.text).error.code, runs()]).toEqual([409, 'conflict', 1]);
  });

  it('is 422 for a repeat with another body, even if the first response was not stored', async () => {
    const { send } = await writer('x'.repeat(65 * KIB));
    await send('a', '{"n":1}');
    expect((await send('a', '{"n":2}')).status).toBe(422);
  });
});

describe('a response with an Idempotency-Key sent with a session', () => {
  it('is stored when it has at most 8 KiB, because an account can store 60 an hour for a day', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const { client } = await signedInPerson(portalWorld());
    const template = { enabled: true, description: 'x'.repeat(2000), fields: [] };
    const send = (key: string, events: string[]) => {
      const templates = Object.fromEntries(
        events.map((event) => [event, { ...template, fields: Array(5).fill({ name: 'n', value: 'ü'.repeat(250) }) }]),
      );
      const body = { url: address, events, templates };
      const length = new TextEncoder().encode(JSON.stringify(body)).length;
      return client.send('POST', '/v1/webhooks', body, { 'Idempotency-Key': key, 'Content-Length': String(length) });
    };
    const address = freshAddress();
    expect((await send('small', ['challenge'])).status).toBe(201);
    expect((await send('small', ['challenge'])).headers.get('Idempotent-Replay')).toBe('true');
    expect((await send('large', ['challenge', 'mod_release'])).status).toBe(201);
    const repeat = await send('large', ['challenge', 'mod_release']);
    expect([repeat.status, repeat.body.error.message]).toEqual([
      409,
      'the first request with this Idempotency-Key succeeded, but its response was not stored: it is over 8 KiB',
    ]);
  });
});

describe('POST /tokens', () => {
  const db = createDatabase(env.DB);
  const registry = createTokenRegistry(db, createTokenGate(env.TOKEN_GATES));
  const rowFor = (userId: string) => newToken({ userId, now: NOW }).row;

  it('creates at most 20 live tokens of an account for concurrent requests', async () => {
    const userId = await createAccount();
    const added = await Promise.all(Array.from({ length: 25 }, () => registry.add(rowFor(userId), { maxLive: 20, now: NOW })));
    expect(added.filter(Boolean)).toHaveLength(20);
    expect(await registry.byAccount(userId)).toHaveLength(20);
  });

  it('does not count revoked and expired tokens', async () => {
    const userId = await createAccount();
    for (let token = 0; token < 10; token += 1) await createToken({ userId, row: { revoked: true, revokedAt: NOW } });
    for (let token = 0; token < 10; token += 1) await createToken({ userId, expiresAt: NOW - 1 });
    for (let token = 0; token < 19; token += 1) await createToken({ userId, expiresAt: NOW });
    expect(await registry.add(rowFor(userId), { maxLive: 20, now: NOW })).toBe(true);
    expect(await registry.add(rowFor(userId), { maxLive: 20, now: NOW })).toBe(false);
    expect(await registry.add(rowFor(userId), { maxLive: 20, now: NOW + 1 })).toBe(true);
  });

  it('returns 400 for the 21st live token, which is neither stored, mailed nor counted in the daily limit', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const world = portalWorld();
    const { client, email } = await signedInPerson(world);
    const userId = (await client.get('/auth/me')).body.id;
    for (let token = 0; token < 20; token += 1) await createToken({ userId, expiresAt: START + 86_400 });
    const mails = (await world.mails(email)).length;
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const refused = await client.post('/tokens', { name: 'one more' });
      expect([outcome(refused), refused.body.error.message]).toEqual([
        '400 bad_request',
        'an account may have at most 20 active tokens; revoke one first',
      ]);
    }
    expect(await world.mails(email)).toHaveLength(mails);
    const [first] = (await client.get('/tokens')).body;
    await client.post(`/tokens/${first.id}/revoke`, { reason: 'no longer used' });
    expect((await client.post('/tokens', { name: 'one more' })).status).toBe(201);
  });
});
