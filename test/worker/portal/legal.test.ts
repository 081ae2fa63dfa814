import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { composeApp } from '../../../src/composition.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const { stored, impersonalTables } = composeApp(env).service;

/** Tables of the platform, without personal data. */
const PLATFORM_TABLES = ['job_runs', 'upstream_sources'];

const covers = (names: readonly string[], table: string) =>
  names.some((name) => (name.endsWith('*') ? table.startsWith(name.slice(0, -1)) : table === name));

describe('GET /docs/privacy', () => {
  it('covers every table with personal data', async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*'",
    ).all<{ name: string }>();
    const declared = stored.flatMap(({ tables }) => tables);
    const unknown = results.map(({ name }) => name).filter((name) => !covers([...declared, ...impersonalTables, ...PLATFORM_TABLES], name));
    expect(unknown, 'declare the personal data of these tables in their area (`stored`), or list them as `impersonalTables`').toEqual([]);
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
