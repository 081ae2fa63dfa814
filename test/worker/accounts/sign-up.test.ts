import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { withDefaults } from '../../../src/platform/settings/variables.data.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { mailOutbox } from '../../../src/platform/upstream/mail/mail.tables.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { newEmail, outcome, portalWorld, START } from './world.ts';

const db = createDatabase(env.DB);
const world = portalWorld();

describe('POST /auth/signup', () => {
  it('creates an account that can sign in after email verification', async () => {
    const client = world.client();
    const email = newEmail();
    const created = await client.post('/auth/signup', {
      email: ` ${email.toUpperCase()} `,
      password: PASSWORD,
      display_name: ' Ada ',
      captcha_token: solvedCaptcha('signup'),
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      display_name: 'Ada',
      is_active: true,
      is_verified: false,
      is_superuser: false,
      roles: [],
      created_at: new Date(START * 1000).toISOString(),
      last_login_at: null,
    });
    expect(outcome(await client.login(email))).toBe('403 email_unverified');

    const link = await world.linkTo(email);
    expect(link.path).toBe('/auth/verify-email');
    client.now = START + 48 * 3600 - 1;
    expect((await client.confirm(link)).body).toEqual({ message: expect.stringContaining('verified') });
    expect((await client.confirm(link)).status).toBe(200);
    expect((await client.login(email)).status).toBe(200);
    expect((await client.get('/auth/me')).body).toMatchObject({ email, is_verified: true, last_login_at: expect.any(String) });
  });

  it('stores the password as a hash with its cost, and deletes the text of a sent mail', async () => {
    const email = newEmail();
    await world.client().signUp(email);
    const [account] = await db.select().from(users).where(eq(users.email, email));
    expect(account?.passwordHash).toMatch(/^scrypt\$16\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    const [mail] = await db.select().from(mailOutbox).where(eq(mailOutbox.recipient, email));
    expect(mail).toMatchObject({ state: 'sent', text: null, tries: 1 });
  });

  it('checks the rules in order and reports the first that fails', async () => {
    const client = world.client();
    const email = newEmail();
    await client.signUp(email);
    const request = async (body: object) => outcome(await client.post('/auth/signup', { email, password: PASSWORD, ...body }));
    const token = () => solvedCaptcha('signup');
    expect(await request({ email: 'a@mailinator.com', password: 'password1' })).toBe('400 captcha_failed');
    expect(await request({ email: 'a@sub.mailinator.com', password: 'password1', captcha_token: token() })).toBe('400 disposable_email');
    expect(await request({ password: 'password1', captcha_token: token() })).toBe('409 email_taken');
    const breached = await client.post('/auth/signup', { email: newEmail(), password: 'password1', captcha_token: token() });
    expect([outcome(breached), breached.body.error.details]).toEqual(['400 password_breached', { breach_count: 3 }]);
    const spent = await client.post('/auth/signup', { email: newEmail(), password: PASSWORD, captcha_token: token() });
    expect([outcome(spent), spent.headers.get('Retry-After')]).toEqual(['429 rate_limited', expect.stringMatching(/^\d+$/)]);
    expect(spent.headers.get('RateLimit-Policy')).toBe('"signup";q=5;w=3600');
  });

  it('counts sign-ups of an IP address towards a separate rate limit', async () => {
    const client = world.client();
    await client.signUp(newEmail());
    expect((await client.get('/v1/rotations/server-time')).headers.get('RateLimit')).toContain('r=29');
  });

  it.each([
    ['a short password', { password: 'seven77' }],
    ['a long password', { password: 'x'.repeat(257) }],
    ['no address', { email: 'nobody' }],
    ['two addresses', { email: 'a@b.example, c@d.example' }],
    ['a line break in the address', { email: 'a@b.example\r\nBcc: c@d.example' }],
    ['a long name', { display_name: 'x'.repeat(81) }],
  ])('rejects %s with its own code', async (_, body) => {
    const response = await world.client().post('/auth/signup', { email: newEmail(), password: PASSWORD, ...body });
    expect(response.status).toBe(422);
    expect(response.body.error.details[0].loc).toEqual(['body', Object.keys(body)[0]]);
  });

  it('creates one account for two concurrent requests with an email address', async () => {
    const email = newEmail();
    const responses = await Promise.all([world.client().signUp(email), world.client().signUp(email)]);
    expect(responses.map(outcome).sort()).toEqual(['201', '409 email_taken']);
    expect(await world.mails(email)).toHaveLength(1);
  });

  it('puts no user-chosen text into mails', async () => {
    const email = newEmail();
    const client = world.client();
    await client.post('/auth/signup', {
      email,
      password: PASSWORD,
      display_name: 'Win a prize at https://evil.example',
      captcha_token: solvedCaptcha('signup'),
    });
    const [mail] = await world.mails(email);
    expect(`${mail?.subject}${mail?.text}`).not.toContain('evil');
    expect(mail?.from).toBe(withDefaults(env).MAIL_FROM);
  });
});

describe('captcha', () => {
  it.each([
    ['a response for another action', () => solvedCaptcha('login')],
    ['a wrong response', () => 'unknown-response'],
    ['an overlong response', () => 'x'.repeat(4000)],
  ])('rejects %s', async (_, token) => {
    const body = { email: newEmail(), password: PASSWORD, captcha_token: token() };
    expect(outcome(await world.client().post('/auth/signup', body))).toBe('400 captcha_failed');
  });

  it('accepts a response token once', async () => {
    const token = solvedCaptcha('signup');
    const request = async () =>
      outcome(await world.client().post('/auth/signup', { email: newEmail(), password: PASSWORD, captcha_token: token }));
    expect([await request(), await request()]).toEqual(['201', '400 captcha_failed']);
  });

  it('sends secret, response token and client IP, and checks the host name', async () => {
    const own = portalWorld();
    const client = own.client();
    await client.signUp(newEmail());
    const [call] = await own.captcha.calls();
    expect(JSON.parse(call?.body ?? '')).toEqual({ secret: 'captcha-secret', response: expect.any(String), remoteip: client.address });
    await own.captcha.order({ state: { hostname: 'other.example' } });
    expect(outcome(await client.signUp(newEmail()))).toBe('400 captcha_failed');
  });

  it.each(['error-500', 'reset', 'html', 'empty', 'huge', 'redirect-private'])(
    'fails closed when the provider responds with %s',
    async (fault) => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const own = portalWorld();
      await own.captcha.order({ fault: fault as never });
      expect(outcome(await own.client().signUp(newEmail()))).toBe('400 captcha_failed');
      vi.restoreAllMocks();
    },
  );

  it('is skipped without keys in development and fails in production', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const keys = { CAPTCHA_SITEKEY: '', CAPTCHA_SECRET: undefined };
    const request = async (more: object) => {
      const own = portalWorld({ bindings: { ...keys, ...more } });
      return outcome(await own.client().post('/auth/signup', { email: newEmail(), password: PASSWORD }));
    };
    expect(await request({ ENVIRONMENT: 'development' })).toBe('201');
    expect(await request({ ENVIRONMENT: 'production' })).toBe('400 captcha_failed');
    expect(await request({ CAPTCHA_SITEKEY: 'site-key' })).toBe('400 captcha_failed');
    vi.restoreAllMocks();
  });
});

describe('breached password check', () => {
  it('sends five hex digits of the hash', async () => {
    const own = portalWorld();
    await own.client().signUp(newEmail(), 'correct horse battery staple');
    const [call] = await own.breached.calls();
    expect([call?.path, call?.headers['add-padding']]).toEqual(['/range/ABF7A', 'true']);
  });

  it('accepts passwords that are not among the worst while the lookup fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const own = portalWorld();
    await own.breached.order({ fault: 'error-500' });
    expect((await own.client().signUp(newEmail(), 'correct horse battery staple')).status).toBe(201);
    const refused = await own.client().signUp(newEmail(), 'password1');
    expect([outcome(refused), refused.body.error.details]).toEqual(['400 password_breached', undefined]);
    vi.restoreAllMocks();
  });
});

describe('verification link', () => {
  it('is valid for 48 hours, only for the address it was mailed to', async () => {
    const client = world.client();
    const email = newEmail();
    await client.signUp(email);
    const link = await world.linkTo(email);
    await db.update(users).set({ email: newEmail() }).where(eq(users.email, email));
    expect(outcome(await client.confirm(link))).toBe('400 bad_request');
    const late = newEmail();
    await client.signUp(late);
    client.now = START + 48 * 3600;
    expect(outcome(await client.confirm(await world.linkTo(late)))).toBe('400 bad_request');
  });

  it('shows a form when opened and changes nothing', async () => {
    const client = world.client();
    const email = newEmail();
    await client.signUp(email);
    const { path, token } = await world.linkTo(email);
    for (const method of ['GET', 'HEAD']) expect((await client.send(method, `${path}?token=${token}`)).status).toBe(200);
    const page = await client.get(`${path}?token=x`);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('data-sends="POST /auth/verify-email"');
    expect(outcome(await client.login(email))).toBe('403 email_unverified');
  });

  it('requires the account password and counts wrong ones like failed sign-ins', async () => {
    const email = newEmail();
    await world.client().signUp(email, 'the password of a stranger');
    const link = await world.linkTo(email);
    for (let tries = 0; tries < 5; tries += 1) expect(outcome(await world.client().confirm(link))).toBe('401 invalid_credentials');
    expect(outcome(await world.client().confirm(link, 'the password of a stranger'))).toBe('429 account_locked');
    const [account] = await db.select().from(users).where(eq(users.email, email));
    expect(account?.isVerified).toBe(false);
  });

  it('is rejected for a disabled account', async () => {
    const email = newEmail();
    await world.client().signUp(email);
    await db.update(users).set({ isActive: false }).where(eq(users.email, email));
    expect(outcome(await world.client().confirm(await world.linkTo(email)))).toBe('400 bad_request');
  });

  it('allows ten attempts in five minutes per IP address', async () => {
    const client = world.client();
    for (let tries = 0; tries < 10; tries += 1) {
      expect(outcome(await client.confirm({ path: '/auth/verify-email', token: 'x' }))).toBe('400 bad_request');
    }
    const refused = await client.confirm({ path: '/auth/verify-email-change', token: 'x' });
    expect([outcome(refused), refused.headers.get('RateLimit-Policy')]).toEqual(['429 rate_limited', '"mail-link";q=10;w=300']);
  });

  it('is mailed again only to unverified accounts, with the same response for all addresses', async () => {
    const client = world.client();
    const email = newEmail();
    await client.signUp(email);
    const request = (address: string) =>
      client.post('/auth/resend-verification', { email: address, captcha_token: solvedCaptcha('resend-verification') });
    const responses = [await request(email), await request(newEmail())];
    await client.confirm(await world.linkTo(email));
    responses.push(await request(email));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await world.mails(email)).toHaveLength(2);
    await request(email);
    await request(email);
    expect(outcome(await request(email))).toBe('429 rate_limited');
  });
});
