import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../support/requests.ts';
import { withoutSiteScripts } from '../../support/site-scripts.ts';
import { base64, clearCatalog, publish, testImage } from './catalog.ts';

const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>';

beforeAll(clearCatalog);

const open = (path: string) => call(path, { headers: { Accept: 'text/html' } });
const pathOf = (url: string) => new URL(url).pathname;

describe('mod page', () => {
  it('is served at page_url with title, author, texts and downloads', async () => {
    const fields = {
      title: 'Tiny Wings',
      author: 'Ana, Bob',
      summary: 'Small.',
      description: 'First line\nsecond line',
      warnings: 'Breaks boats.<br>Breaks wings.',
      readme_text: 'Read me',
      website_url: 'https://ana.example/wings',
      banner_base64: base64(testImage(1)),
      previews_base64: [base64(testImage(2))],
    };
    await publish(fields, { changelog: 'All new' });
    const { mod, release } = await publish(fields, { tag: '2.0', branch: 'lite' });
    const { status, headers, text } = await open(pathOf(mod.page_url));
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const part of ['<h1>Tiny Wings</h1>', 'by Ana, Bob', 'First line\nsecond line', 'Breaks wings.', 'Read me', 'All new', 'lite']) {
      expect(text).toContain(part);
    }
    for (const address of [release.download_url, mod.banner_url, mod.preview_urls[0], mod.website_url, mod.api_url]) {
      expect(text).toContain(`"${address}"`);
    }
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(withoutSiteScripts(text)).not.toContain('<script');
    const current = { Accept: 'text/html', 'If-None-Match': headers.get('ETag') ?? '' };
    expect((await call(pathOf(mod.page_url), { headers: current })).status).toBe(304);
    expect((await open('/mods/ANA/Tiny-Wings')).status).toBe(200);
  });

  it('escapes author texts', async () => {
    const texts = { summary: HOSTILE, description: HOSTILE, readme_text: HOSTILE, warnings: HOSTILE, author: HOSTILE, tags: ['<b>'] };
    const { mod } = await publish({ title: HOSTILE, slug: 'hostile', ...texts }, { title: HOSTILE, changelog: HOSTILE, branch: '<b>' });
    const { status, text } = await open(pathOf(mod.page_url));
    expect(status).toBe(200);
    expect(withoutSiteScripts(text)).not.toMatch(/<script|<img src=x|<b>/);
  });

  it('links a preview image, which is created once', async () => {
    const { mod } = await publish({ title: `${HOSTILE} 龍`, slug: 'preview', author: HOSTILE, summary: HOSTILE });
    const { text } = await open(pathOf(mod.page_url));
    const image = /<meta property="og:image" content="([^"]+)"/.exec(text)?.[1] ?? '';
    expect(image).toBe('https://api.test/og/mods/ana/preview.png');
    const { status, headers, bytes } = await call(pathOf(image));
    expect([status, headers.get('Content-Type')]).toEqual([200, 'image/png']);
    expect([...bytes.slice(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
    expect((await call(pathOf(image), { headers: { 'If-None-Match': headers.get('ETag') ?? '' } })).status).toBe(304);
  });

  it('returns 404 for hidden and unknown mods', async () => {
    await publish({ title: 'Unlisted', visibility: 'unlisted' });
    await publish({ title: 'Private', visibility: 'private' });
    for (const path of ['/mods/ana/unlisted', '/mods/ana/private', '/mods/ana/none']) {
      const { status, headers } = await open(path);
      expect([status, headers.get('Content-Type')], path).toEqual([404, 'text/html; charset=utf-8']);
      expect((await call(`/og${path}.png`)).status, path).toBe(404);
    }
  });
});

describe('page of mods', () => {
  const rows = async () => {
    const { text } = await call('/mods?q=folded');
    return { runs: [...text.matchAll(/<summary>(\d+ mods[^<]*)</g)].map(([, title]) => title), cards: text.match(/mod-card"/g)?.length };
  };

  it('folds more than three consecutive mods of an owner into one row', async () => {
    for (let number = 0; number < 3; number++) await publish({ handle: 'fold-a', title: `Folded ${number}` });
    await publish({ handle: 'fold-b', title: 'Folded b' });
    expect(await rows()).toEqual({ runs: [], cards: 4 });
    await publish({ handle: 'fold-b', title: 'Folded b 2' });
    for (let number = 3; number < 7; number++) await publish({ handle: 'fold-a', title: `Folded ${number}`, author: 'Fold' });
    expect(await rows()).toEqual({ runs: ['4 mods by Fold'], cards: 9 });
  });
});
