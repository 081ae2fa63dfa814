import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { mailOutbox } from '../../../src/platform/upstream/mail/mail.tables.ts';
import { PASSWORD } from '../../support/passwords.ts';
import { call } from '../../support/requests.ts';
import { createAccount } from '../../support/tokens.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { newEmail, outcome, portalWorld, signedInPerson } from './world.ts';

const db = createDatabase(env.DB);
const PUBLIC = 'https://public.example';

let lines: string[] = [];

beforeEach(async () => {
  // Sign-up in production is closed while no superuser exists.
  await createAccount({ isSuperuser: true });
  lines = [];
  for (const name of ['log', 'error'] as const) vi.spyOn(console, name).mockImplementation((line) => void lines.push(String(line)));
  await db.delete(mailOutbox);
});

afterEach(() => vi.restoreAllMocks());

describe('production without BASE_URL', () => {
  const world = portalWorld({ bindings: { ENVIRONMENT: 'production', BASE_URL: '' } });

  it('mails no link, returns 503 and logs the reason', async () => {
    const { client: person, email } = await signedInPerson(portalWorld());
    await db.delete(mailOutbox);
    const client = world.client();
    client.credential = person.credential;
    const responses = [
      await client.post('/auth/signup', { email: newEmail(), password: PASSWORD, captcha_token: solvedCaptcha('signup') }),
      await client.post('/auth/forgot-password', { email, captcha_token: solvedCaptcha('forgot-password') }),
      await client.post('/auth/forgot-password', { email: newEmail(), captcha_token: solvedCaptcha('forgot-password') }),
      await client.post('/auth/resend-verification', { email, captcha_token: solvedCaptcha('resend-verification') }),
      await client.post('/auth/change-email', { new_email: newEmail(), password: PASSWORD }),
    ];
    expect(responses.map(outcome)).toEqual(Array(5).fill('503 service_unavailable'));
    expect(await db.select().from(mailOutbox)).toEqual([]);
    expect(lines.filter((line) => line.includes('BASE_URL is empty: mails with links are not sent'))).toHaveLength(5);
  });

  it('is reported by /health, which still returns 200', async () => {
    const { status, text } = await call('/health', {}, world.fetch);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ status: 'ok', problems: ['BASE_URL is empty: mails with links are not sent'] });
  });
});

describe('/health', () => {
  it.each([
    ['production with BASE_URL', { ENVIRONMENT: 'production', BASE_URL: PUBLIC }],
    ['development without BASE_URL', { ENVIRONMENT: 'development', BASE_URL: '' }],
  ])('reports no problem in %s', async (_, bindings) => {
    const { text } = await call('/health', {}, portalWorld({ bindings }).fetch);
    expect(text).toBe('{"status":"ok"}');
  });
});

describe('mail link', () => {
  it('points to BASE_URL regardless of the Host header, with the token in the fragment', async () => {
    const world = portalWorld({ bindings: { ENVIRONMENT: 'production', BASE_URL: PUBLIC } });
    await world.captcha.order({ state: { hostname: 'public.example' } });
    const email = newEmail();
    const client = world.client();
    expect((await client.signUp(email)).status).toBe(201);
    expect((await world.mails(email))[0]?.text).toMatch(/\nhttps:\/\/public\.example\/auth\/verify-email#token=[\w.-]+\n/);
  });

  it('contains the token only in the fragment, never in the query', async () => {
    const world = portalWorld();
    const { client, email } = await signedInPerson(world);
    const [next, guest] = [newEmail(), newEmail()];
    await client.signUp(guest);
    await client.post('/auth/change-email', { new_email: next, password: PASSWORD });
    await client.post('/auth/forgot-password', { email, captcha_token: solvedCaptcha('forgot-password') });
    const texts = (await world.mails()).filter(({ to }) => [email, next, guest].some((own) => to.includes(own))).map(({ text }) => text);
    const links = texts.flatMap((text) => text.match(/https:\/\/\S+/g) ?? []).map((link) => new URL(link));
    expect(links.map(({ pathname }) => pathname).sort()).toEqual([
      '/auth/verify-email',
      '/auth/verify-email-change',
      '/portal/reset-password',
    ]);
    for (const { search, hash } of links) expect([search, hash]).toEqual(['', expect.stringMatching(/^#token=[\w.-]+$/)]);
  });
});
