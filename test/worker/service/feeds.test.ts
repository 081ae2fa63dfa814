import { env } from 'cloudflare:workers';
import { parseAtomFeed } from 'feedsmith';
import { beforeAll, describe, expect, it } from 'vitest';
import { ALL_ON, appWithSettings } from '../../support/endpoints.ts';
import { call, ORIGIN } from '../../support/requests.ts';
import { publish } from '../mods-catalog/catalog.ts';
import { report } from '../rotations/reports.ts';

const NOW = 1_773_156_630;
const HOSTILE = '<script>alert("x")</script> & \u0007 "quoted"';
const fetch = appWithSettings(ALL_ON);
const get = (path: string, headers: Record<string, string> = {}) => call(path, { headers, now: NOW }, fetch);

beforeAll(async () => {
  const rows = [
    ['https://news.example/1', HOSTILE, NOW - 60],
    ['https://news.example/2', 'Patch notes', NOW - 7200],
  ] as const;
  const items = rows.map(([url, title, publishedAt]) => ({
    url,
    title,
    publishedAt,
    author: 'The Team',
    summary: title,
    category: 'News',
    categories: ['News'],
    image: null,
  }));
  await env.CACHE.put('feeds/news', JSON.stringify({ fetchedAt: NOW, items }));
  await report('challenge', 'RAMPAGE ALERT!', { now: NOW });
  await publish({ title: 'Carts & <b>co</b>' });
});

describe.each([
  ['/v1/feeds/news.atom', 2],
  ['/v1/rotations/challenge.atom', 1],
  ['/v1/mods/releases.atom', 1],
  ['/v1/updates/live-us/versions.atom', 0],
  ['/v1/changelog.atom', 1],
])('GET %s', (path, minEntries) => {
  it('returns a valid feed with ids, titles, links and times', async () => {
    const { status, text, headers } = await get(path);
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    const feed = parseAtomFeed(text);
    expect(feed.id).toBe(ORIGIN + path);
    expect(feed.entries?.length ?? 0).toBeGreaterThanOrEqual(minEntries);
    const ids = (feed.entries ?? []).map(({ id, title, updated, links }) => {
      expect([title, updated, links?.[0]?.href]).not.toContain(undefined);
      expect(Number.isNaN(Date.parse(String(updated)))).toBe(false);
      return id;
    });
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('returns 304 while the content is unchanged', async () => {
    const etag = (await get(path)).headers.get('ETag') ?? '';
    expect((await get(path, { 'If-None-Match': etag })).status).toBe(304);
  });
});

it('escapes markup and removes control characters from texts in every feed', async () => {
  const { text } = await get('/v1/feeds/news.atom');
  expect(parseAtomFeed(text).entries?.[0]?.title?.value ?? parseAtomFeed(text).entries?.[0]?.title).toBe(HOSTILE.replace('\u0007', ''));
});

describe('GET /v1/changelog', () => {
  it('returns the changes of CHANGELOG.md in its order, newest first', async () => {
    const { items, count } = JSON.parse((await get('/v1/changelog')).text);
    const file = await (await env.ASSETS.fetch(`${ORIGIN}/docs/changelog.md`)).text();
    expect(count).toBe(items.length);
    const dates = items.map(({ date }: { date: string }) => date);
    expect(dates).toEqual([...file.matchAll(/^## \S+ \((\S+)\)$/gm)].map(([, date]) => date));
    expect(dates).toEqual(dates.toSorted().reverse());
    const changes = items.flatMap((item: { changes: { kind: string; text: string; breaking: boolean }[] }) => item.changes);
    expect(changes).toHaveLength([...file.matchAll(/^- /gm)].length);
    expect(new Set(changes.map(({ kind }: { kind: string }) => kind)).size).toBeGreaterThan(1);
    expect(changes.some(({ breaking }: { breaking: boolean }) => breaking)).toBe(true);
    for (const { text } of changes) expect(text).not.toMatch(/^\*\*Breaking|\n/);
  });
});

describe('files for browsers and crawlers', () => {
  it('links robots.txt to the sitemap, whose pages all return 200', async () => {
    const robots = await get('/robots.txt');
    expect(robots.text).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
    expect(robots.text).toContain('Disallow: /portal/\nAllow: /portal/login\n');
    const urls = [...(await get('/sitemap.xml')).text.matchAll(/<loc>(.+?)<\/loc>/g)].map(([, url]) => url ?? '');
    expect(urls).toContain(`${ORIGIN}/`);
    for (const url of urls) {
      const { status, text } = await get(url.slice(ORIGIN.length));
      expect([url, status]).toEqual([url, 200]);
      expect(text, url).toMatch(/<meta name="description" content=".{20,}?"/);
    }
  });

  it('returns an image for /favicon.ico', async () => {
    const { status, headers } = await get('/favicon.ico');
    expect([status, headers.get('Content-Type')]).toEqual([200, 'image/svg+xml']);
  });
});
