import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { createPasswords } from '../../../src/platform/access/sessions/passwords.ts';
import { sessions, users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { call } from '../../support/requests.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { newEmail, outcome, portalWorld, REFRESH_COOKIE, START, signedInPerson } from './world.ts';

const db = createDatabase(env.DB);
const world = portalWorld();

describe('POST /auth/login', () => {
  it('returns the access token in the body and the refresh token in an HttpOnly cookie', async () => {
    const { client, email } = await signedInPerson(world);
    const response = await client.login(email);
    expect(response.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 900,
    });
    const [refresh, page] = response.headers.getSetCookie();
    expect(refresh).toMatch(/^__Secure-portal_refresh=[\w-]{64}; Max-Age=2592000; Path=\/auth; HttpOnly; Secure; SameSite=Strict$/);
    expect(page).toMatch(/^__Secure-portal_session=[\w.-]+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  it('returns the same error for a wrong password, an unknown and a disabled account', async () => {
    const { email } = await signedInPerson(world);
    const disabled = (await signedInPerson(world)).email;
    await db.update(users).set({ isActive: false }).where(eq(users.email, disabled));
    const responses = [
      await world.client().login(email, 'another password'),
      await world.client().login(newEmail()),
      await world.client().login(disabled),
    ];
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(outcome(responses[0] as never)).toBe('401 invalid_credentials');
  });

  it('locks a client out of an account for 15 minutes after five failures, with or without an account', async () => {
    const { email } = await signedInPerson(world);
    for (const address of [email, newEmail()]) {
      const client = world.client();
      for (let tries = 0; tries < 5; tries += 1) {
        expect(outcome(await client.login(address, 'another password'))).toBe('401 invalid_credentials');
      }
      client.now = START + 60;
      const locked = await client.login(address);
      expect([outcome(locked), locked.headers.get('Retry-After')]).toEqual(['429 account_locked', '840']);
      client.now = START + 900;
      expect(outcome(await client.login(address))).toBe(address === email ? '200' : '401 invalid_credentials');
    }
  });

  it('resets the failure count after a success and after the window', async () => {
    const { email } = await signedInPerson(world);
    const { address } = world.client();
    const attempt = async (now: number, password?: string) => {
      const client = world.client(address);
      client.now = now;
      return outcome(await client.login(email, password));
    };
    for (let tries = 0; tries < 4; tries += 1) await attempt(START, 'another password');
    expect(await attempt(START)).toBe('200');
    for (let tries = 0; tries < 4; tries += 1) await attempt(START + 300, 'another password');
    for (let tries = 0; tries < 4; tries += 1) expect(await attempt(START + 1200, 'another password')).toBe('401 invalid_credentials');
  });

  it('counts concurrent attempts', async () => {
    const { email } = await signedInPerson(world);
    const { address } = world.client();
    const responses = await Promise.all(Array.from({ length: 9 }, () => world.client(address).login(email, 'another password')));
    const outcomes = responses.map(outcome);
    expect(outcomes.filter((text) => text === '401 invalid_credentials')).toHaveLength(5);
    expect(outcomes.filter((text) => text === '429 account_locked')).toHaveLength(4);
  });

  it('counts every attempt, successful or not, towards the rate limit of the IP address', async () => {
    const { client, email } = await signedInPerson(world);
    for (let tries = 1; tries < 10; tries += 1) expect((await client.login(email)).status).toBe(200);
    const refused = await client.login(email);
    expect([outcome(refused), refused.headers.get('RateLimit-Policy')]).toEqual(['429 rate_limited', '"login";q=10;w=300']);
  });

  it('rehashes a password with an outdated cost', async () => {
    const { client, email } = await signedInPerson(world);
    const old = await createPasswords({ n: 8, r: 8, p: 1 }).hash(PASSWORD);
    await db.update(users).set({ passwordHash: old }).where(eq(users.email, email));
    expect((await client.login(email)).status).toBe(200);
    const [account] = await db.select().from(users).where(eq(users.email, email));
    expect(account?.passwordHash).toMatch(/^scrypt\$16\$/);
    expect((await client.login(email)).status).toBe(200);
  });

  it('mails the owner about a new device, except the first and known ones', async () => {
    const { client, email } = await signedInPerson(world);
    await client.login(email);
    expect(await world.mails(email)).toEqual([]);
    client.userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
    await client.login(email);
    const mails = await world.mails(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('Chrome on Linux');
    expect(mails[0]?.text).not.toContain(client.address);
    await client.post('/auth/logout-all');
    await client.login(email);
    expect(await world.mails(email)).toHaveLength(1);
  });

  it('returns 503 without a session secret and stores nothing', async () => {
    const { email } = await signedInPerson(world);
    const before = await db.select().from(sessions);
    const closed = portalWorld({ bindings: { SESSION_SECRET: undefined } });
    expect(outcome(await closed.client().login(email))).toBe('503 service_unavailable');
    expect(await db.select().from(sessions)).toHaveLength(before.length);
  });
});

describe('session', () => {
  it('is renewed with the cookie, one token after the other', async () => {
    const { client } = await signedInPerson(world);
    const first = client.refreshToken;
    client.now += 3600;
    expect((await client.get('/auth/me')).status).toBe(401);
    expect((await client.refresh()).status).toBe(200);
    expect(client.refreshToken).not.toBe(first);
    expect((await client.get('/auth/me')).status).toBe(200);
  });

  it('expires 30 days after its last use', async () => {
    const { client } = await signedInPerson(world);
    client.now += 29 * 86_400;
    expect((await client.refresh()).status).toBe(200);
    client.now += 30 * 86_400 - 1;
    expect((await client.refresh()).status).toBe(200);
    client.now += 30 * 86_400;
    expect(outcome(await client.refresh())).toBe('401 not_authenticated');
  });

  it('returns the same next token to two tabs that refresh concurrently', async () => {
    const { client } = await signedInPerson(world);
    const token = client.refreshToken;
    const other = world.client();
    other.cookies.set(REFRESH_COOKIE, token ?? '');
    const responses = await Promise.all([client.refresh(), other.refresh()]);
    expect(responses.map(outcome)).toEqual(['200', '200']);
    expect(client.refreshToken).toBe(other.refreshToken);
    client.now += 30;
    const late = world.client();
    late.now = client.now;
    late.cookies.set(REFRESH_COOKIE, token ?? '');
    expect(outcome(await late.refresh())).toBe('200');
    expect(outcome(await client.refresh())).toBe('200');
  });

  it('ends for both clients when a used refresh token is reused', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    for (const refreshes of [1, 3]) {
      const { client } = await signedInPerson(world);
      const thief = world.client();
      thief.cookies.set(REFRESH_COOKIE, client.refreshToken ?? '');
      for (let created = 0; created < refreshes; created += 1) {
        client.now += 60;
        await client.refresh();
      }
      thief.now = client.now + 31;
      expect(outcome(await thief.refresh())).toBe('401 not_authenticated');
      expect(outcome(await client.get('/auth/me'))).toBe('401 not_authenticated');
      expect(outcome(await client.refresh())).toBe('401 not_authenticated');
    }
    vi.restoreAllMocks();
  });

  it('accepts the refresh token in the body', async () => {
    const { client } = await signedInPerson(world);
    const token = client.refreshToken;
    const program = world.client();
    expect((await program.post('/auth/refresh', { refresh_token: token })).status).toBe(200);
    for (const bad of ['', 'x', 'A'.repeat(64), null]) {
      expect(outcome(await world.client().post('/auth/refresh', { refresh_token: bad }))).toBe('401 not_authenticated');
    }
  });

  it('ends immediately on sign-out', async () => {
    const { client } = await signedInPerson(world);
    const token = client.refreshToken;
    const response = await client.post('/auth/logout');
    expect([response.status, ...client.cookies.keys()]).toEqual([204, '__Secure-portal_device']);
    expect(outcome(await client.get('/auth/me'))).toBe('401 not_authenticated');
    expect(outcome(await world.client().post('/auth/refresh', { refresh_token: token }))).toBe('401 not_authenticated');
    expect((await world.client().post('/auth/logout')).status).toBe(204);
    expect((await world.client().post('/auth/logout', { refresh_token: 'nonsense' })).status).toBe(204);
  });

  it('is listed with its device and can be ended from another session', async () => {
    const { client, email } = await signedInPerson(world);
    const other = world.client();
    other.userAgent = 'curl/8.5.0';
    other.now += 60;
    await other.login(email);
    const list = (await other.get('/auth/sessions')).body;
    expect(list.map(({ device, current }: { device: string; current: boolean }) => [device, current])).toEqual([
      ['curl', true],
      ['Firefox on Windows', false],
    ]);
    expect((await other.send('DELETE', `/auth/sessions/${list[1].id}`)).status).toBe(204);
    expect(outcome(await client.get('/auth/me'))).toBe('401 not_authenticated');
    expect((await other.get('/auth/me')).status).toBe(200);
    const stranger = (await signedInPerson(world)).client;
    expect(outcome(await stranger.send('DELETE', `/auth/sessions/${list[0].id}`))).toBe('404 not_found');
    expect((await other.get('/auth/me')).status).toBe(200);
  });

  it('ends with all others on one request', async () => {
    const { client, email } = await signedInPerson(world);
    const other = world.client();
    await other.login(email);
    expect((await client.post('/auth/logout-all')).status).toBe(204);
    for (const one of [client, other]) {
      expect(outcome(await one.get('/auth/me'))).toBe('401 not_authenticated');
      expect(outcome(await one.refresh())).toBe('401 not_authenticated');
    }
  });

  it('stores only hashes of tokens', async () => {
    const { client } = await signedInPerson(world);
    await client.refresh();
    const stored = JSON.stringify([await db.select().from(sessions), await db.select().from(users)]);
    for (const secret of [client.refreshToken ?? '', client.credential ?? '', PASSWORD]) expect(stored).not.toContain(secret);
  });

  it('is not renewed for cross-site requests', async () => {
    const { client } = await signedInPerson(world);
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      expect(outcome(await client.post('/auth/refresh', undefined, headers as never))).toBe('403 forbidden');
      expect(outcome(await client.post('/auth/logout', undefined, headers as never))).toBe('403 forbidden');
    }
    expect((await client.post('/auth/refresh', undefined, { Origin: 'https://api.test', 'Sec-Fetch-Site': 'same-origin' })).status).toBe(
      200,
    );
  });
});

describe('cross-site write', () => {
  it('is rejected before it counts towards a rate limit', async () => {
    const client = world.client();
    for (const path of ['/auth/login', '/auth/signup', '/auth/forgot-password', '/auth/resend-verification']) {
      for (let tries = 0; tries < 12; tries += 1) {
        const forged = await client.post(path, { email: newEmail() }, { Origin: 'https://evil.example' });
        expect([outcome(forged), forged.headers.get('X-RateLimit-Limit')]).toEqual(['403 forbidden', null]);
      }
    }
    expect((await client.login(newEmail())).headers.get('X-RateLimit-Remaining')).toBe('9');
  });
});

describe('session cookie', () => {
  it('has no __Host- prefix over http', async () => {
    const { client, email } = await signedInPerson(world);
    const body = JSON.stringify({ email, password: PASSWORD, captcha_token: solvedCaptcha('login') });
    const headers = { 'Content-Type': 'application/json' };
    const address = 'http://api.test/auth/login';
    const response = await call(address, { method: 'POST', now: START, address: client.address, body, headers }, world.fetch);
    const [refresh, page] = response.headers.getSetCookie();
    expect(refresh).toMatch(/^portal_refresh=[\w-]{64}; Max-Age=2592000; Path=\/auth; HttpOnly; SameSite=Strict$/);
    expect(page).toMatch(/^portal_session=[\w.-]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Strict$/);
    const cookie = refresh?.split(';')[0] ?? '';
    const renew = (origin: string) =>
      call(`${origin}/auth/refresh`, { method: 'POST', now: START, headers: { Cookie: cookie } }, world.fetch);
    expect((await renew('http://api.test')).status).toBe(200);
    // A network attacker can set such a cookie over http.
    expect((await renew('https://api.test')).status).toBe(401);
  });
});

describe('password reset', () => {
  it('sets a password with a single-use link and ends every session', async () => {
    const { client, email } = await signedInPerson(world);
    const response = await client.post('/auth/forgot-password', { email, captcha_token: solvedCaptcha('forgot-password') });
    expect(response.status).toBe(200);
    const link = await world.linkTo(email);
    expect(link.path).toBe('/portal/reset-password');
    const { token } = link;
    const reset = (password: string, now = START + 3599) => {
      const stranger = world.client();
      stranger.now = now;
      return stranger.post('/auth/reset-password', { token, new_password: password });
    };
    expect(outcome(await reset('password1'))).toBe('400 password_breached');
    expect(outcome(await reset('a new password', START + 3600))).toBe('400 bad_request');
    expect((await reset('a new password')).status).toBe(200);
    expect(outcome(await reset('yet another one'))).toBe('400 bad_request');
    expect(outcome(await client.get('/auth/me'))).toBe('401 not_authenticated');
    expect(outcome(await world.client().login(email))).toBe('401 invalid_credentials');
    expect((await world.client().login(email, 'a new password')).status).toBe(200);
    expect((await world.mails(email)).map(({ subject }) => subject)).toContainEqual(expect.stringContaining('password was changed'));
  });

  it('unlocks the device that it is made on', async () => {
    const { email } = await signedInPerson(world);
    const client = world.client();
    for (let tries = 0; tries < 6; tries += 1) await client.login(email, 'another password');
    expect(outcome(await client.login(email))).toBe('429 account_locked');
    await client.post('/auth/forgot-password', { email, captcha_token: solvedCaptcha('forgot-password') });
    const { token } = await world.linkTo(email);
    await client.post('/auth/reset-password', { token, new_password: 'a new password' });
    expect((await client.login(email, 'a new password')).status).toBe(200);
  });

  it('returns the same response with or without an account and requires the captcha', async () => {
    const { client, email } = await signedInPerson(world);
    const request = (address: string) =>
      client.post('/auth/forgot-password', { email: address, captcha_token: solvedCaptcha('forgot-password') });
    const responses = [await request(email), await request(newEmail())];
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(outcome(await client.post('/auth/forgot-password', { email }))).toBe('400 captcha_failed');
  });

  it('rejects a link of another kind', async () => {
    const client = world.client();
    const email = newEmail();
    await client.signUp(email);
    const { token } = await world.linkTo(email);
    expect(outcome(await client.post('/auth/reset-password', { token, new_password: 'a new password' }))).toBe('400 bad_request');
    const { client: other, email: otherEmail } = await signedInPerson(world);
    await other.post('/auth/forgot-password', { email: otherEmail, captcha_token: solvedCaptcha('forgot-password') });
    const { token: reset } = await world.linkTo(otherEmail);
    for (const path of ['/auth/verify-email', '/auth/verify-email-change']) {
      expect(outcome(await other.confirm({ path, token: reset }))).toBe('400 bad_request');
    }
  });
});

describe('first superuser', () => {
  const configured = (email: string, password = 'the first password') =>
    portalWorld({ bindings: { SUPERUSER_EMAIL: email, SUPERUSER_PASSWORD: password } });

  it('is created from the configuration', async () => {
    const email = newEmail();
    const own = configured(email);
    const client = own.client();
    expect((await client.login(email, 'the first password')).status).toBe(200);
    expect((await client.get('/auth/me')).body).toMatchObject({ is_superuser: true, is_verified: true, roles: ['superuser'] });
    expect((await client.get('/admin/jobs')).status).toBe(200);
  });

  it('is an existing verified account, promoted with its password', async () => {
    const { client, email } = await signedInPerson(world);
    expect(outcome(await client.get('/admin/jobs'))).toBe('403 forbidden');
    const own = configured(email);
    expect(outcome(await own.client().login(email, 'the first password'))).toBe('401 invalid_credentials');
    expect((await client.get('/admin/jobs')).status).toBe(200);
  });

  it('is not created when the configured password is too short', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const email = newEmail();
    expect(outcome(await configured(email, 'short').client().login(email, 'short'))).toBe('401 invalid_credentials');
    vi.restoreAllMocks();
  });
});
