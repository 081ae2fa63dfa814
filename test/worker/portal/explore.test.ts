import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { call } from '../../support/requests.ts';
import { withoutSiteScripts } from '../../support/site-scripts.ts';
import { storeVersions } from '../../support/stored-versions.ts';
import { publish } from '../mods-catalog/catalog.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_780_930_452;
const app = testApp();
const page = (path: string, address?: string) =>
  call(path, { headers: { Accept: 'text/html' }, now: NOW, ...(address === undefined ? {} : { address }) }, app);

beforeAll(async () => {
  const files = { 'readme.txt': 'one' };
  await storeVersions(createContentStore(env.ARCHIVE), 'live-us', [
    { tag: 'A', capturedAt: NOW - 1000, files },
    { tag: 'B', capturedAt: NOW, files: { ...files, 'more.txt': 'two' } },
  ]);
  await publish({ handle: 'briar', title: 'Moss Wings', author: 'Briar & Co', tags: ['Wings'], summary: 'Green <wings>' });
  await publish({ handle: 'briar', title: 'Moss Boat', author: 'Briar & Co', tags: ['Boats'] });
});

describe('GET /mods and its authors', () => {
  it('finds mods by words and tags, and links author and tags', async () => {
    const { status, text } = await page('/mods?q=moss&tag=wings');
    expect(status).toBe(200);
    expect(text).toContain('1 mod with the tag wings that match “moss”');
    expect(text).toContain('<a href="/mods/authors/Briar%20%26%20Co">Briar &amp; Co</a>');
    expect(text).toContain('Green &lt;wings&gt;');
    expect(text).not.toContain('Moss Boat');
    expect(withoutSiteScripts(text)).not.toMatch(/\sstyle="|<script|NaN|undefined/);
  });

  it('lists the mods of an author in any case of the name, and returns 404 for an unknown one', async () => {
    const { text } = await page('/mods/authors/briar%20%26%20co?sort=title');
    expect(text).toContain('<h1>Mods of Briar &amp; Co</h1>');
    expect(text.indexOf('Moss Boat')).toBeLessThan(text.indexOf('Moss Wings'));
    expect((await page('/mods/authors/nobody')).status).toBe(404);
  });

  it('returns 422 for an unknown order, a page of 0 and control characters', async () => {
    for (const query of ['sort=size', 'page=0', 'q=a%00']) expect((await page(`/mods?${query}`)).status).toBe(422);
  });
});

describe('GET /updates', () => {
  it('lists versions that lead to pages with the numbers of their changes', async () => {
    const { text } = await page('/updates');
    const [, path = ''] = /href="(\/updates\/live-us\/\d+)"/.exec(text) ?? [];
    const version = await page(path);
    expect(version.status).toBe(200);
    expect(version.text).toContain('Files added');
    expect(version.text).toContain('Signed-in accounts see the changed files.');
    expect(version.text).not.toContain('<table');
    expect((await page('/updates/live-us/999')).status).toBe(404);
    expect((await page('/updates/other/1')).status).toBe(422);
  });

  it('is where the entries of the feed lead', async () => {
    const { text } = await call('/v1/updates/live-us/versions.atom', { now: NOW }, app);
    const [, link = ''] = /<entry>[\s\S]*?<link[^>]* href="([^"]+)"/.exec(text) ?? [];
    expect(new URL(link).pathname).toMatch(/^\/updates\/live-us\/\d+$/);
    expect((await page(new URL(link).pathname)).status).toBe(200);
  });
});

describe('addresses below /portal/explore', () => {
  it.each(['/market/item?name=Sun+Sap&days=30', '/leaderboards/1', '/players?name=Nimbus', '/updates/live-us/1'])(
    'leads permanently to %s',
    async (path) => {
      const { status, headers } = await page(`/portal/explore${path}`);
      expect([status, headers.get('Location')]).toEqual([308, path]);
    },
  );
});

describe('rate limit of pages', () => {
  it('does not use up the requests of the address to the API, and says the seconds to wait', async () => {
    const address = '192.0.2.201';
    let refused = await page('/servers', address);
    for (let views = 1; views <= 120; views += 1) refused = await page('/servers', address);
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('Retry-After'));
    expect(refused.text).toContain(`wait ${seconds} seconds`);
    expect((await call('/v1/rotations/server-time', { now: NOW, address }, app)).status).toBe(200);
  });
});
