import { describe, expect, it } from 'vitest';
import { countedStatements } from '../../support/counted-statements.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { bearer, call, type Fetch, freshInstant, type TestResponse } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';
import { testApp } from '../platform/test-app.ts';
import { newEmail } from './world.ts';

const limits = ({ headers }: TestResponse) => [
  // Additional rate limits follow that of the session.
  headers.get('RateLimit-Policy')?.split(', ').at(-1) ?? null,
  headers.get('X-RateLimit-Remaining'),
];
const codeOf = ({ text }: TestResponse) => JSON.parse(text).error.code as string;

/** Sends requests of one account at one time. */
async function createUser(fetch: Fetch, options: Parameters<typeof createSession>[0] = {}) {
  const session = await createSession(options);
  const now = freshInstant();
  const send = (method: string, path: string, body?: object, later = 0) =>
    call(
      path,
      {
        method,
        now: now + later,
        authorization: bearer(session.credential),
        json: body,
      },
      fetch,
    );
  return { ...session, now, send };
}

describe('a request with a session', () => {
  it('gets 429 after 120 requests of the account in a minute, over all endpoints and sessions', async () => {
    const fetch = testApp();
    const { send, userId, now } = await createUser(fetch);
    const other = await createSession({ userId });
    expect(limits(await send('GET', '/auth/me'))).toEqual(['"session";q=120;w=60', '119']);
    for (let used = 2; used <= 120; used += 1) {
      const path = used % 2 === 0 ? '/tokens' : '/auth/sessions';
      expect(limits(await send('GET', path))[1]).toBe(String(120 - used));
    }
    const refused = await call('/v1/webhooks', { now, authorization: bearer(other.credential) }, fetch);
    expect([refused.status, codeOf(refused), refused.headers.get('Retry-After')]).toEqual([429, 'rate_limited', '30']);
    expect(JSON.parse(refused.text).error.details).toEqual({ limit: 120, window_seconds: 60 });
    expect((await send('GET', '/auth/me', undefined, 30)).status).toBe(200);
  });

  it('costs no database query once the account gets 429', async () => {
    const { DB, queries } = countedStatements();
    const fetch = testApp({ bindings: { DB }, settings: { ...DEFAULT_SETTINGS, sessionRateLimitMax: 2 } });
    const { send } = await createUser(fetch);
    for (let calls = 0; calls < 3; calls += 1) await send('GET', '/auth/me');
    const before = queries();
    expect((await send('GET', '/auth/me')).status).toBe(429);
    expect((await send('POST', '/auth/logout-all')).status).toBe(429);
    expect(queries()).toBe(before);
  });

  it('is not counted for the account after the session has ended', async () => {
    const fetch = testApp({ settings: { ...DEFAULT_SETTINGS, sessionRateLimitMax: 2 } });
    const { send, userId, now } = await createUser(fetch);
    const other = await createSession({ userId });
    expect((await send('POST', '/auth/logout-all')).status).toBe(204);
    for (let calls = 0; calls < 5; calls += 1) {
      expect((await call('/auth/me', { now, authorization: bearer(other.credential) }, fetch)).status).toBe(401);
    }
  });

  it('is counted by the session cookie on portal pages', async () => {
    const fetch = testApp({ settings: { ...DEFAULT_SETTINGS, sessionRateLimitMax: 2 } });
    const { credential, send, now } = await createUser(fetch);
    const open = () => call('/portal/tokens', { now, headers: { Cookie: `__Secure-portal_session=${credential}` } }, fetch);
    expect([(await open()).status, (await open()).status, (await open()).status]).toEqual([200, 200, 429]);
    expect((await send('GET', '/auth/me')).status).toBe(429);
    expect((await call('/portal/tokens', { now }, fetch)).status).toBe(200);
  });

  it('is rejected from memory on superuser endpoints once forbidden requests reach the rate limit', async () => {
    const { DB, queries } = countedStatements();
    const fetch = testApp({ bindings: { DB }, settings: { ...DEFAULT_SETTINGS, sessionRateLimitMax: 2 } });
    const { send } = await createUser(fetch);
    const responses = [await send('GET', '/admin/jobs'), await send('GET', '/admin/users')];
    expect(responses.map((response) => [response.status, ...limits(response)])).toEqual([
      [403, null, null],
      [403, null, null],
    ]);
    expect((await send('GET', '/admin/jobs')).status).toBe(429);
    const before = queries();
    expect((await send('GET', '/admin/jobs')).status).toBe(429);
    expect(queries()).toBe(before);
  });

  it('is not counted for a superuser on endpoints that accept the session as a token', async () => {
    const fetch = testApp({ settings: { ...DEFAULT_SETTINGS, sessionRateLimitMax: 2 } });
    const { send } = await createUser(fetch, { isSuperuser: true });
    for (let calls = 0; calls < 4; calls += 1) expect((await send('GET', '/admin/jobs')).status).toBe(200);
  });
});

describe('GET /auth/me/export', () => {
  it('returns 429 after five exports in an hour', async () => {
    const { send } = await createUser(testApp());
    for (let left = 4; left >= 0; left -= 1) {
      const response = await send('GET', '/auth/me/export');
      expect([response.status, ...limits(response)]).toEqual([200, '"account-export";q=5;w=3600', String(left)]);
    }
    expect((await send('GET', '/auth/me/export', undefined, 120)).status).toBe(429);
    expect((await send('GET', '/auth/me')).status).toBe(200);
    expect((await send('GET', '/auth/me/export', undefined, 3600)).status).toBe(200);
  });
});

describe('POST /auth/change-password and /auth/change-email', () => {
  it('returns 429 after ten attempts in an hour on both together, failed ones included', async () => {
    const fetch = testApp();
    const { send } = await createUser(fetch);
    for (let left = 9; left >= 0; left -= 1) {
      const response =
        left % 2 === 0
          ? await send('POST', '/auth/change-password', { current_password: 'wrong', new_password: PASSWORD })
          : await send('POST', '/auth/change-email', { new_email: newEmail(), password: 'wrong' });
      expect([401, 429]).toContain(response.status);
      expect(limits(response)).toEqual(['"credential-change";q=10;w=3600', String(left)]);
    }
    const refused = await send('POST', '/auth/change-email', { new_email: newEmail(), password: 'wrong' });
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect((await send('GET', '/auth/me')).status).toBe(200);
  });
});
