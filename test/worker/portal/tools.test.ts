import { describe, expect, it } from 'vitest';
import { EXAMPLE_GEM_CODE } from '../../../src/areas/portal/tools/gems/gem-code.domain.ts';
import { TOOLS } from '../../../src/platform/http/pages/menu.data.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const app = testApp();
const PATHS = TOOLS.map(({ name }) => `/tools/${name}`);
const policyOf = (headers: Headers) => headers.get('Content-Security-Policy') ?? '';
const tag = (text: string, property: string) =>
  new RegExp(`<meta property="${property}" content="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&');

describe('pages of tools', () => {
  it.each(['/tools', ...PATHS])('serves %s with a strict policy, an ETag, one h1 and a description', async (path) => {
    const { status, headers, text } = await call(path, {}, app);
    expect(status).toBe(200);
    expect(headers.get('ETag')).toMatch(/^"/);
    expect(policyOf(headers)).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policyOf(headers)).toContain("require-trusted-types-for 'script'");
    expect(policyOf(headers)).not.toMatch(/unsafe|worker-src (?!'self')/);
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(text).not.toMatch(/\sstyle="|\son\w+="|javascript:/);
    expect((await call(path, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } }, app)).status).toBe(304);
  });

  it('allows workers on the pages that start one only', async () => {
    expect(policyOf((await call('/tools/gems', {}, app)).headers)).toContain("worker-src 'self'");
    expect(policyOf((await call('/tools/gems', {}, app)).headers)).toContain('trusted-types tool-work');
    for (const path of ['/tools', '/tools/time', '/tools/stats', '/codex']) {
      const policy = policyOf((await call(path, {}, app)).headers);
      expect([path, policy.includes('worker-src'), policy.includes("trusted-types 'none'")]).toEqual([path, false, true]);
    }
  });

  it.each(PATHS)('says on %s what needs a script, and links formulas and endpoints that exist', async (path) => {
    const { text } = await call(path, {}, app);
    expect(text).toContain('needs JavaScript');
    expect(text).toContain('How this is computed');
    const links = [...text.matchAll(/href="\/docs\/reference\/([a-z-]+)#(\w+)"/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const [, slug, operation] of links) {
      const { text: reference } = await call(`/docs/reference/${slug}`, {}, app);
      expect(reference, `${slug}#${operation}`).toContain(`id="${operation}"`);
    }
  });

  it('has the tables of each tool without a script', async () => {
    expect((await call('/tools/gems', {}, app)).text).toContain('Levels of Cosmic Mystic Empowered gems');
    expect((await call('/tools/stats', {}, app)).text).toContain('Mystic Cosmic Empowered Gem');
    expect((await call('/tools/time', {}, app)).text).toContain('Game Server (Reset)');
  });

  it.each(['/tools', ...PATHS])('gives %s an image for links', async (path) => {
    const { text } = await call(path, {}, app);
    const image = new URL(tag(text, 'og:image') ?? '');
    const reply = await call(image.pathname, {}, app);
    expect([reply.status, reply.headers.get('Content-Type')]).toEqual([200, 'image/png']);
  });

  it('passes the setting of Stampy on', async () => {
    const { text } = await call('/tools/time', {}, testApp({ settings: { stampyPeriod: 'fortnightly' } }));
    expect(text).toContain('data-stampy-period="fortnightly"');
  });
});

describe('a link to a gem with a preview', () => {
  it('names the gem and draws it', async () => {
    const { text } = await call(`/tools/gems?${new URLSearchParams({ gem: EXAMPLE_GEM_CODE })}`, {}, app);
    expect(tag(text, 'og:title')).toBe('Fierce Mystic Gem');
    const image = new URL(tag(text, 'og:image') ?? '');
    const reply = await call(`${image.pathname}${image.search}`, {}, app);
    expect([reply.status, reply.headers.get('Content-Type')]).toEqual([200, 'image/png']);
  });

  it.each(['nonsense', '"><script>alert(1)</script>'])('shows the preview of the tool for %j', async (gem) => {
    const { status, text } = await call(`/tools/gems?${new URLSearchParams({ gem })}`, {}, app);
    expect(status).toBe(200);
    expect(tag(text, 'og:title')).toBe('Gem simulator and evaluator');
    expect(text).not.toContain('<script>alert');
    expect((await call(`/og/tools/gem.png?${new URLSearchParams({ gem })}`, {}, app)).status).toBe(404);
  });
});

describe('lists of tools', () => {
  it('are in the sitemap, llms.txt, the front page and the menu', async () => {
    const [sitemap, llms, front] = await Promise.all(
      ['/sitemap.xml', '/llms.txt', '/'].map(async (path) => (await call(path, {}, app)).text),
    );
    for (const path of ['/tools', ...PATHS]) expect(sitemap).toContain(`${path}</loc>`);
    for (const { name, title } of TOOLS) expect(llms).toMatch(new RegExp(`\\[${title}\\]\\(\\S+/tools/${name}\\)`));
    expect(front?.match(/href="\/tools"/g)).toHaveLength(2);
  });
});
