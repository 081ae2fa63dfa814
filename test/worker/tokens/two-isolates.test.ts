import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTokenGate } from '../../../src/platform/access/tokens/token-gate.ts';
import { createTokenRegistry } from '../../../src/platform/access/tokens/token-registry.ts';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { givePassword } from '../../support/passwords.ts';
import { bearer, call, type Fetch, type TestResponse } from '../../support/requests.ts';
import { createPartnerKey } from '../../support/scanning-partner.ts';
import { createSession } from '../../support/sessions.ts';
import { changeToken, createToken, readToken } from '../../support/tokens.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { START } from '../accounts/world.ts';
import { testApp } from '../platform/test-app.ts';

/**
 * Two isolates with the same bindings and separate memory. The tests change a token through the first isolate, and the next request through
 * the second must observe the change, on every kind of endpoint.
 */
const db = createDatabase(env.DB);
const partner = upstreamSession('scanning-keys');
const isolateA = testApp({ bindings: partner.vars });
const isolateB = testApp();
/** Database changes by an operator, which no endpoint makes, and the notification of the service. */
const operator = createTokenRegistry(db, createTokenGate(env.TOKEN_GATES));

/** Changes an account by SQL in one transaction with the message to the gates of its tokens. */
async function changeOwner(userId: string, columns: Partial<typeof users.$inferInsert>): Promise<void> {
  const { statements, confirm } = operator.changeOwner(userId, START);
  await db.batch([db.update(users).set(columns).where(eq(users.id, userId)), ...statements]);
  expect(await confirm()).toBe(true);
}
const key = await createPartnerKey();

beforeAll(() => partner.order({ state: { keys: [key.listed] } }));

const HOME = '10.1.2.3';
/** An endpoint without a rate limit, a public one, and one that requires a token. */
const PATHS = ['/v1/token', '/v1/rotations/server-time', '/v1/stats/classes'];

interface Owner {
  userId: string;
  credential: string;
  secret: string;
  id: string;
}

async function createOwner(options: Parameters<typeof createToken>[0] = {}): Promise<Owner> {
  const { userId, credential } = await createSession();
  const secret = await createToken({ userId, ...options });
  return { userId, credential, secret, id: readToken(secret).id };
}

const outcomeOf = ({ status, text }: TestResponse) => (status < 400 ? String(status) : `${status} ${JSON.parse(text).error.code}`);

async function request(fetch: Fetch, secret: string): Promise<string[]> {
  const responses: string[] = [];
  for (const path of PATHS)
    responses.push(outcomeOf(await call(path, { authorization: bearer(secret), now: START, address: HOME }, fetch)));
  return responses;
}

/** Sends a change through the first isolate with a session. */
async function sendChange(method: string, path: string, credential: string, body?: unknown): Promise<TestResponse> {
  const response = await call(path, { method, authorization: bearer(credential), now: START, json: body }, isolateA);
  expect(response.status, response.text).toBeLessThan(300);
  return response;
}

const superuser = await createSession({ isSuperuser: true });

const ENDS: [string, (token: Owner) => Promise<unknown>][] = [
  [
    'its owner revokes it',
    ({ id, credential }) => sendChange('POST', `/tokens/${id}/revoke`, credential, { reason: 'created by mistake' }),
  ],
  ['its owner rotates it', ({ id, credential }) => sendChange('POST', `/tokens/${id}/rotate`, credential)],
  [
    'its owner deletes the account',
    async ({ userId, credential }) => {
      const body = { confirm_email: `${userId}@example.com`, password: await givePassword(userId) };
      return sendChange('POST', '/auth/delete-account', credential, body);
    },
  ],
  ['an administrator revokes it', ({ id }) => sendChange('POST', `/admin/tokens/${id}/revoke`, superuser.credential, {})],
  [
    'an administrator revokes all of an account',
    ({ userId }) => sendChange('DELETE', `/admin/users/${userId}/tokens`, superuser.credential),
  ],
  [
    'it is found in public',
    async ({ secret }) => {
      const body = JSON.stringify([{ token: secret, type: 'x', url: '', source: 'content' }]);
      const response = await call('/secret-scanning', { method: 'POST', body, headers: await key.headersFor(body), now: START }, isolateA);
      expect(response.text).toContain('true_positive');
    },
  ],
  [
    'its account is disabled',
    async ({ userId }) => {
      await changeOwner(userId, { isActive: false });
    },
  ],
];

describe('token cached by two isolates', () => {
  it.each(ENDS)('is rejected by the other isolate on the next request when %s', async (_title, end) => {
    const token = await createOwner();
    for (const fetch of [isolateA, isolateB, isolateA, isolateB]) expect(await request(fetch, token.secret)).toEqual(['200', '200', '200']);
    await end(token);
    const refused = Array(3).fill('401 not_authenticated');
    expect(await request(isolateB, token.secret)).toEqual(refused);
    expect(await request(isolateA, token.secret)).toEqual(refused);
    expect(await request(testApp(), token.secret)).toEqual(refused);
  });

  it('is accepted with the new secret immediately, with the remaining rate limit', async () => {
    const token = await createOwner();
    const left = async (secret: string) =>
      (await call(PATHS[1] ?? '', { authorization: bearer(secret), now: START, address: HOME }, isolateB)).headers.get(
        'X-RateLimit-Remaining',
      );
    expect(await left(token.secret)).toBe('119');
    const { token: secret } = JSON.parse((await sendChange('POST', `/tokens/${token.id}/rotate`, token.credential)).text);
    expect(await left(secret)).toBe('118');
  });

  it('follows allowlist changes', async () => {
    const token = await createOwner();
    expect(await request(isolateB, token.secret)).toEqual(['200', '200', '200']);
    for (const [allowedIps, expected] of [
      [['203.0.113.0/24'], '403 ip_not_allowed'],
      [['10.1.2.0/24', '2001:db8::/32'], '200'],
      [['10.1.2.4'], '403 ip_not_allowed'],
      [[], '200'],
    ] as const) {
      await sendChange('PATCH', `/tokens/${token.id}`, token.credential, { allowed_ips: allowedIps });
      expect(await request(isolateB, token.secret), allowedIps.join()).toEqual(Array(3).fill(expected));
    }
  });

  it('follows scope changes by an operator', async () => {
    const token = await createOwner({ scopes: 0 });
    expect(await request(isolateB, token.secret)).toEqual(['200', '200', '200']);
    for (const [scopes, expected] of [
      [1, ['200', '200', '403 insufficient_scope']],
      [5, ['200', '200', '200']],
    ] as const) {
      await changeToken(token.secret, `scopes = ${scopes}`);
      expect(await request(isolateB, token.secret)).toEqual(expected);
    }
  });

  it('is accepted again when its account is re-enabled', async () => {
    const token = await createOwner();
    expect(await request(isolateB, token.secret)).toEqual(['200', '200', '200']);
    for (const [isActive, expected] of [
      [false, '401 not_authenticated'],
      [true, '200'],
    ] as const) {
      await changeOwner(token.userId, { isActive });
      expect(await request(isolateB, token.secret)).toEqual(Array(3).fill(expected));
    }
  });

  it('loses superuser rights with its account', async () => {
    const { userId } = await createSession({ isSuperuser: true });
    const secret = await createToken({ userId });
    const jobs = async () => outcomeOf(await call('/admin/jobs', { authorization: bearer(secret), now: START, address: HOME }, isolateB));
    expect(await jobs()).toBe('200');
    await changeOwner(userId, { isSuperuser: false });
    expect(await jobs()).toBe('403 forbidden');
  });
});
