import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { WRANGLER_CONFIG } from '../../../scripts/lib/config.ts';
import { inRoot } from '../../../scripts/lib/paths.ts';
import { BROWSER_FOLDERS } from '../../../src/platform/http/pages/browser-folders.data.ts';
import { SURFACE_HEADERS } from '../../../src/platform/http/replies/headers.ts';

/** The start of the tests builds this folder. */
const ASSETS = inRoot('assets');
const paths = readdirSync(ASSETS, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(ASSETS, path)).isFile());
const isForBrowsers = (path: string) => BROWSER_FOLDERS.some((folder) => path.startsWith(`${folder}/`));

let runtime: Miniflare;

/** Routes requests as configured in wrangler.toml. The Worker only reports that it was called. */
beforeAll(async () => {
  const { assets, compatibilityDate } = unstable_getMiniflareWorkerOptions(WRANGLER_CONFIG).workerOptions;
  runtime = new Miniflare(
    convertV4MiniflareOptions({
      name: 'files',
      modules: true,
      script: "export default { fetch: () => new Response('worker', { headers: { 'X-From': 'worker' } }) }",
      compatibilityDate,
      assets,
      cf: false,
    } as Parameters<typeof convertV4MiniflareOptions>[0]),
  );
  await runtime.ready;
});

afterAll(() => runtime.dispose());

/** Who responds to GET requests of the paths. */
async function respondersTo(files: readonly string[]) {
  const origin = (await runtime.ready).origin;
  return await Promise.all(
    files.map(async (path) => {
      const response = await fetch(`${origin}/${path}`, { redirect: 'manual' });
      await response.arrayBuffer();
      return [path, response.headers.get('X-From') ?? 'file'];
    }),
  );
}

describe('static files', () => {
  it('include the files that the documentation page loads', () => {
    expect(paths).toEqual(expect.arrayContaining(['docs/assets/docs.css', 'docs/guide/index.json']));
  });

  it('are served without the Worker when browsers need them', async () => {
    const files = paths.filter(isForBrowsers);
    expect(files).toEqual(expect.arrayContaining(['ui/portal.js', 'docs/assets/docs.css', 'live/live.js', 'ui/status.css']));
    expect(await respondersTo(files)).toEqual(files.map((path) => [path, 'file']));
  });

  it('stay behind the Worker when only the Worker reads them', async () => {
    const files = paths.filter((path) => !isForBrowsers(path));
    expect(files).toEqual(expect.arrayContaining(['ocr/eng.traineddata.gz', 'fonts/open-sans-400.ttf', 'docs/changelog.md', '_headers']));
    expect(await respondersTo(files)).toEqual(files.map((path) => [path, 'worker']));
  });

  it('leave pages beside their folders to the Worker', async () => {
    const pages = ['live', 'status', 'status/announcement', 'docs', 'docs/quickstart', 'portal'];
    expect(await respondersTo(pages)).toEqual(pages.map((path) => [path, 'worker']));
  });

  it('get 404 without the Worker when they do not exist', async () => {
    const response = await fetch(`${(await runtime.ready).origin}/ui/nothing.js`);
    expect([response.status, response.headers.get('X-From')]).toEqual([404, null]);
  });

  it('have the headers of pages, an hour in the cache and an ETag, and can be embedded by pages of other origins', async () => {
    const origin = (await runtime.ready).origin;
    for (const path of BROWSER_FOLDERS.map((folder) => paths.find((file) => file.startsWith(`${folder}/`)))) {
      const response = await fetch(`${origin}/${path}`);
      await response.arrayBuffer();
      expect(Object.fromEntries(response.headers)).toMatchObject({
        ...Object.fromEntries(Object.entries(SURFACE_HEADERS.page).map(([name, value]) => [name.toLowerCase(), value])),
        'cache-control': 'public, max-age=3600',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        etag: expect.any(String),
      });
    }
  });
});
