import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { composeApp } from '../../../src/composition.ts';
import { users } from '../../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { ALL_ON, ENDPOINTS } from '../../support/endpoints.ts';
import { call } from '../../support/requests.ts';
import { outcome, portalWorld, signedInPerson } from '../accounts/world.ts';
import { testApp } from '../platform/test-app.ts';

const HOSTILE = `"><img src=x onerror=alert(1)></script><script>alert(1)</script>'&`;
/** Values of the parameters of pages that need them. */
const SAMPLES: Readonly<Record<string, string>> = { uuid: '1', branch: 'live-us', ordinal: '1', handle: 'ana', slug: 'wings' };
const PAGES = ENDPOINTS.filter(({ spec }) => spec.access.kind === 'page').map(({ spec }) =>
  spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => SAMPLES[name] ?? '').replace(/item$/, 'item?name=Sun+Sap'),
);

const policyOf = (headers: Headers) => headers.get('Content-Security-Policy') ?? '';
const nonceOf = (headers: Headers) => /'nonce-([^']+)'/.exec(policyOf(headers))?.[1] ?? '';

/** Opening tags of scripts in a page. */
const scriptsOf = (text: string) => text.match(/<script[^>]*>/g) ?? [];

describe('portal pages', () => {
  it.each(PAGES)('serves %s with security headers, one h1, and scripts that carry the nonce', async (path) => {
    const { status, headers, text } = await call(path, {}, testApp());
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(headers.get('X-Frame-Options')).toBe('DENY');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
    expect(headers.get('Cache-Control')).toBe('private, no-cache, no-store');
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
    const nonce = nonceOf(headers);
    expect(nonce).toHaveLength(24);
    expect(policyOf(headers)).toContain(`script-src 'nonce-${nonce}';`);
    expect(policyOf(headers)).toContain("frame-ancestors 'none'");
    expect(policyOf(headers)).not.toMatch(/unsafe/);
    // The script of the theme runs before the page is drawn; a module would run later.
    const allowed = [`nonce="${nonce}" type="module" src="/ui/`, `nonce="${nonce}" src="/ui/theme.js"`];
    for (const script of scriptsOf(text))
      expect([script, allowed.some((attributes) => script.includes(attributes))]).toEqual([script, true]);
    expect(text).not.toMatch(/\sstyle="|\son\w+="|javascript:/);
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(text).toMatch(/<meta name="description" content=".{20,}?"/);
    expect(text).toMatch(/^<!doctype html><html lang="en">/);
  });

  it('uses a new nonce for each response', async () => {
    const fetch = testApp();
    const nonces = await Promise.all([1, 2, 3].map(async () => nonceOf((await call('/portal/login', {}, fetch)).headers)));
    expect(new Set(nonces).size).toBe(3);
  });

  it('has no duplicate element ids', async () => {
    for (const path of PAGES) {
      const { text } = await call(path, {}, testApp());
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids, path).toEqual([...new Set(ids)]);
    }
  });
});

describe('captcha', () => {
  it('loads its script only on the pages with a captcha form', async () => {
    const fetch = testApp({ bindings: { CAPTCHA_SITEKEY: '1x00000000000000000000AA' } });
    for (const path of ['/portal/login', '/portal/signup', '/portal/forgot-password']) {
      const { headers, text } = await call(path, {}, fetch);
      expect(text).toContain('src="https://challenges.cloudflare.com/turnstile/v0/api.js');
      expect(text).toContain('data-sitekey="1x00000000000000000000AA"');
      expect(policyOf(headers)).toContain("'strict-dynamic'");
      expect(policyOf(headers)).toContain('frame-src https://challenges.cloudflare.com');
    }
    const { text } = await call('/portal/tokens', {}, fetch);
    expect(text).not.toContain('challenges.cloudflare.com');
  });
});

describe('portal pages with a session', () => {
  it('shows the display name with its markup escaped', async () => {
    const { client } = await signedInPerson(world);
    expect((await client.send('PATCH', '/auth/me', { display_name: HOSTILE.slice(0, 80) })).status).toBe(200);
    const { text } = await client.get('/portal/account');
    expect(text).toContain('<span class="who">&quot;&gt;&lt;img src=x onerror=alert(1)&gt;');
    expect(text).not.toContain('<img');
    expect(scriptsOf(text)).toHaveLength(7);
  });

  it('contains no token, session credential or cookie value', async () => {
    const { client } = await signedInPerson(world);
    const created = await client.post('/tokens', { name: HOSTILE.slice(0, 80), scopes: 0 });
    expect(created.status).toBe(201);
    const secrets = [created.body.token, client.credential, ...client.cookies.values()];
    for (const path of ['/portal/tokens', '/portal/account', '/portal/usage', '/portal/sessions', '/']) {
      const { text } = await client.get(path);
      for (const secret of secrets) expect(text).not.toContain(secret);
      expect(text).not.toContain(HOSTILE.slice(0, 10));
    }
  });

  it('returns 403 for admin pages when the account is not a superuser', async () => {
    const { client } = await signedInPerson(world);
    expect(outcome(await client.get('/portal/admin/settings'))).toBe('403 forbidden');
    expect((await client.get('/portal/tokens')).text).toContain('<div id="superuser-menu" hidden="">');
  });

  it('starts with the overview for a superuser, and with tokens for other accounts', async () => {
    const { client, email } = await signedInPerson(world);
    expect((await client.get('/portal')).text).toContain('<h1>Tokens</h1>');
    expect(outcome(await client.get('/portal/admin'))).toBe('403 forbidden');
    await createDatabase(env.DB).update(users).set({ isSuperuser: true }).where(eq(users.email, email));
    for (const path of ['/portal', '/portal/admin']) expect((await client.get(path)).text).toContain('<h1>Overview</h1>');
  });
});

const world = portalWorld();

describe('GET /portal/dev/mailbox', () => {
  it('shows stored mail with its markup escaped and its links clickable', async () => {
    const fetch = testApp();
    const email = 'mailbox@mail.example';
    const json = { email, password: 'four plain words together', display_name: '<b>Eve</b>' };
    const signUp = await call('/auth/signup', { method: 'POST', json }, fetch);
    expect(signUp.status).toBe(201);
    const { text } = await call('/portal/dev/mailbox', {}, fetch);
    expect(text).toContain(`to ${email}`);
    expect(text).toMatch(/<a href="https?:\/\/[^"]+\/auth\/verify-email[?#]token=/);
    expect(text).not.toContain('<b>Eve</b>');
  });

  it('returns 404 in production', async () => {
    const { status } = await call('/portal/dev/mailbox', {}, testApp({ bindings: { ENVIRONMENT: 'production' } }));
    expect(status).toBe(404);
  });

  it('returns 404 when a mail service is configured', async () => {
    expect((await call('/portal/dev/mailbox', {}, world.fetch)).status).toBe(404);
  });
});

describe('GET /portal/my-address', () => {
  it('returns the client address in the form that allowlists use', async () => {
    const { client } = await signedInPerson(world);
    expect((await client.send('GET', '/portal/my-address', undefined, { 'CF-Connecting-IP': '2001:DB8:0:0::1' })).body).toEqual({
      address: '2001:db8::1',
    });
  });
});

describe('header of a page that does not know the visitor', () => {
  it.each(['/', '/docs/terms', '/docs', '/live', '/codex'])(
    'has the account link and its script on %s, the same for every visitor',
    async (path) => {
      const { text, headers } = await call(path, { headers: { Accept: 'text/html' } }, testApp({ settings: ALL_ON }));
      expect(text).toMatch(/<a id="account-link" href="\/portal\/account" hidden/);
      expect(text).toMatch(/<script(?: nonce="[^"]+")? type="module" src="\/ui\/account-link\.js">/);
      expect(policyOf(headers)).toMatch(/(?:script|default)-src '(?:self|nonce-)/);
    },
  );
});

const { stored, tables } = composeApp(env).service;

describe('GET /docs/privacy', () => {
  it('has the statement that each table names, and no statement without a table', () => {
    const titles = stored.map(({ title }) => title);
    const named = new Set(Object.values(tables).flatMap(({ personal }) => personal ?? []));
    expect([...named].filter((title) => !titles.includes(title))).toEqual([]);
    expect(titles.filter((title) => !named.has(title))).toEqual(['Backups']);
  });

  it('knows the declaration of every table of the database', async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*'",
    ).all<{ name: string }>();
    expect(results.map(({ name }) => name).sort()).toEqual(Object.keys(tables).sort());
  });

  it('lists every kind of stored data with its retention, and the contact', async () => {
    const { status, text } = await call('/docs/privacy', {}, testApp({ bindings: { SECURITY_CONTACT: 'mailto:operator@example.org' } }));
    expect(status).toBe(200);
    const escaped = (part: string) => part.replaceAll('"', '&quot;');
    for (const { title, what, until } of stored) for (const part of [title, what, until]) expect(text).toContain(escaped(part));
    expect(text).toContain('<a href="mailto:operator@example.org">operator@example.org</a>');
  });

  it('mentions the captcha only when one is configured', async () => {
    const mentionsCaptcha = async (key: string) =>
      (await call('/docs/privacy', {}, testApp({ bindings: { CAPTCHA_SITEKEY: key } }))).text.includes('challenges.cloudflare.com');
    expect([await mentionsCaptcha(''), await mentionsCaptcha('1x00000000000000000000AA')]).toEqual([false, true]);
  });
});

it('links privacy and terms from the site pages, the documentation and the sign-up form', async () => {
  const fetch = testApp();
  for (const path of ['/', '/portal/signup', '/portal/tokens', '/docs', '/docs/terms', '/docs/privacy']) {
    const { text } = await call(path, {}, fetch);
    for (const link of ['/docs/privacy', '/docs/terms']) expect(text, path).toContain(`href="${link}"`);
  }
  expect((await call('/portal/signup', {}, fetch)).text).toMatch(/agree to the <a href="\/docs\/terms">/);
});
