import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { call, ORIGIN } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const app = testApp({ settings: { publicAnonRateLimitMax: 100_000 } });
const get = (path: string) => call(path, { headers: { Accept: 'text/html' } }, app);
const content = (text: string, name: string) => new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(text)?.[1] ?? '';

describe('public pages', () => {
  it('have a title of their own, a description, a canonical link, a preview with an image, icons and a theme colour', async () => {
    const pages = [...(await get('/sitemap.xml')).text.matchAll(/<loc>(.+?)<\/loc>/g)].map(([, url = '']) => url.slice(ORIGIN.length));
    expect(pages.length).toBeGreaterThan(50);
    const titles = new Map<string, string>();
    const images = new Set<string>();
    for (const path of pages) {
      const { text, headers } = await get(path);
      const [, title = ''] = /<title>([^<]+)<\/title>/.exec(text) ?? [];
      expect([path, titles.get(title)]).toEqual([path, undefined]);
      titles.set(title, path);
      expect(headers.get('Link'), path).toBe(`<${ORIGIN}${path}>; rel="canonical"`);
      expect(content(text, 'description').length, path).toBeGreaterThan(20);
      for (const name of ['og:title', 'og:description', 'theme-color']) expect(content(text, name), `${path} ${name}`).not.toBe('');
      expect(content(text, 'og:image'), path).toMatch(/\/og\/[\w/]+\.png$/);
      const [, section = ''] = path.split('/');
      const own = ['portal', 'auth', ''].includes(section) || path === '/docs/privacy' || path === '/docs/terms' ? 'front' : section;
      expect(content(text, 'og:image').replace(ORIGIN, ''), path).toMatch(new RegExp(`^/og/${own}[./]`));
      images.add(content(text, 'og:image').replace(ORIGIN, ''));
      expect(text, path).toContain('<link rel="manifest" href="/ui/site.webmanifest"/>');
      expect(text, path).toContain('src="/ui/theme.js"></script>');
      expect(headers.get('Content-Security-Policy') ?? '', path).toMatch(/manifest-src 'self'|default-src 'self'/);
    }
    for (const image of images) expect([image, (await get(image)).headers.get('Content-Type')]).toEqual([image, 'image/png']);
  });

  it('leave unknown parameters out of the canonical link', async () => {
    const { headers } = await get('/activity?utm_source=x&period=7d');
    expect(headers.get('Link')).toBe(`<${ORIGIN}/activity?period=7d>; rel="canonical"`);
  });

  it('name icons that exist', async () => {
    const manifest = await env.ASSETS.fetch(`${ORIGIN}/ui/site.webmanifest`);
    const { icons } = (await manifest.json()) as { icons: { src: string }[] };
    expect(manifest.headers.get('Content-Type')).toContain('application/manifest+json');
    for (const { src } of [...icons, { src: '/ui/theme.js' }]) {
      const { status, body } = await env.ASSETS.fetch(`${ORIGIN}${src}`);
      await body?.cancel();
      expect([src, status]).toEqual([src, 200]);
    }
  });
});
