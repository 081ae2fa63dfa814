import assert from 'node:assert/strict';
import { solvedCaptcha } from '../support/upstreams/captcha.ts';
import type { Services } from './services.ts';

const EMAIL = 'ada@portal.example';
const PASSWORD = 'four plain words together';

interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
  body: any;
  cookies: string;
}

/** The journey without a browser: sends the requests that the pages make. */
export async function journeyOverHttp(services: Services, pages: readonly string[]): Promise<void> {
  const { url, mails, report } = services;
  for (const path of pages) await expectSafePage(url, path);

  const password = { email: EMAIL, password: PASSWORD };
  const signUp = (chosen: string) => post(url, '/auth/signup', { email: EMAIL, password: chosen, captcha_token: solvedCaptcha('signup') });
  assert.equal((await signUp('password1')).status, 400, 'a password known from a breach is refused');
  assert.equal((await signUp(PASSWORD)).status, 201);
  await verify(services);
  const session = await post(url, '/auth/login', { ...password, captcha_token: solvedCaptcha('login') });
  assert.equal(session.status, 200);
  const forged = await post(url, '/auth/refresh', undefined, { Cookie: session.cookies, Origin: 'https://evil.example' });
  assert.equal(forged.status, 403, 'pages of other origins are refused');

  const signedIn = { Authorization: `Bearer ${session.body.access_token}` };
  const mint = async () => (await post(url, '/tokens', { name: 'bot', scopes: 0 }, signedIn)).body as { id: string; token: string };
  const statusOf = async (token: string) => (await fetch(`${url}/v1/token`, { headers: { Authorization: `Bearer ${token}` } })).status;
  const own = await mint();
  assert.equal(await statusOf(own.token), 200);
  const rotated = (await post(url, `/tokens/${own.id}/rotate`, undefined, signedIn)).body as { token: string };
  assert.deepEqual([await statusOf(own.token), await statusOf(rotated.token)], [401, 200]);
  await post(url, `/tokens/${own.id}/revoke`, { reason: 'created by mistake' }, signedIn);
  assert.equal(await statusOf(rotated.token), 401);

  const published = await mint();
  assert.equal((await report(published.token, btoa('no signature'))).status, 401);
  assert.equal(await statusOf(published.token), 200);
  assert.equal((await report(published.token)).status, 200);
  assert.equal(await statusOf(published.token), 401, 'a published token is refused');
  assert.equal((await mails(EMAIL)).filter(({ subject }) => subject.includes('exposed')).length, 1);
}

/** Opens the link in the mail, checks that this changes nothing, and sends the form. */
async function verify({ url, linkTo }: Services): Promise<void> {
  const path = '/auth/verify-email';
  const link = await linkTo(EMAIL, path);
  assert.equal((await fetch(link)).status, 200);
  const token = /[?#]token=([\w.-]+)$/.exec(link)?.[1];
  const signIn = { email: EMAIL, password: PASSWORD, captcha_token: solvedCaptcha('login') };
  assert.equal((await post(url, '/auth/login', signIn)).status, 403, 'opening the link verifies nothing');
  assert.equal((await post(url, path, { token, password: 'not the password' })).status, 401);
  assert.equal((await post(url, path, { token, password: PASSWORD })).status, 200);
}

async function post(url: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const all = body === undefined ? headers : { 'Content-Type': 'application/json', ...headers };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers: all, ...sent });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  return { status: response.status, body: await response.json().catch(() => null), cookies: cookies.join('; ') };
}

/** Checks that a page cannot be framed, and that it has no inline script. */
async function expectSafePage(url: string, path: string): Promise<void> {
  const response = await fetch(`${url}${path}`);
  const text = await response.text();
  assert.equal(response.status, 200, path);
  assert.equal(response.headers.get('X-Frame-Options'), 'DENY', path);
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  assert.ok(policy.includes("frame-ancestors 'none'") && !policy.includes("'unsafe-inline'"), `${path}: ${policy}`);
  for (const script of text.match(/<script[^>]*>/g) ?? []) assert.match(script, /\ssrc="(?:\/[^/]|https:)/, path);
}
