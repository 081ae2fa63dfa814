import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { composeApp } from '../../../src/composition.ts';
import { ERROR_CODES } from '../../../src/platform/kit/errors/api-error.ts';
import { slugOf } from '../../../src/platform/openapi/tag-document.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { ENDPOINTS } from '../../support/endpoints.ts';
import { call, ORIGIN } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_773_156_600;

const defaults = testApp({ settings: {} });
const get = (path: string, headers: Record<string, string> = {}) => call(path, { headers, now: NOW }, defaults);

/** Paths of the documentation in the sitemap, without those of the portal. */
async function docsPaths(): Promise<string[]> {
  const { text } = await get('/sitemap.xml');
  const paths = [...text.matchAll(/<loc>(.+?)<\/loc>/g)].map(([, url = '']) => url.slice(ORIGIN.length));
  return paths.filter((path) => /^\/docs(?:\/(?!privacy|terms)|$)/.test(path));
}

const idsIn = (text: string) => [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
const linksIn = (text: string) => [...text.matchAll(/\shref="([^"]+)"/g)].map(([, href = '']) => href);

describe('documentation pages', () => {
  it('lists the front page, guides, recipes and one page per tag in the sitemap', async () => {
    const paths = await docsPaths();
    const tags = new Set(ENDPOINTS.filter(({ spec }) => !spec.hidden).map(({ spec }) => slugOf(spec.tag)));
    expect(paths).toEqual(
      expect.arrayContaining(['/docs', '/docs/quickstart', '/docs/errors', '/docs/recipes/discord-bot', '/docs/reference']),
    );
    expect(paths.filter((path) => path.startsWith('/docs/reference/')).sort()).toEqual(
      [...tags].map((tag) => `/docs/reference/${tag}`).sort(),
    );
  });

  it('serves one h1, a description, no inline script or style, and a policy that forbids them', async () => {
    for (const path of await docsPaths()) {
      const { status, text, headers } = await get(path);
      expect([path, status, headers.get('Content-Type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(text.match(/<h1>/g), path).toHaveLength(1);
      expect(text, path).toMatch(/<meta name="description" content="[^"]{20,}"/);
      const withoutCode = text.replaceAll(/<code>.*?<\/code>/gs, '');
      expect(withoutCode, path).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|undefined|\[object|generated:/);
      const policy = headers.get('Content-Security-Policy') ?? '';
      for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "require-trusted-types-for 'script'"]) {
        expect(policy.split('; '), path).toContain(part);
      }
    }
  });

  it('installs no package of this service by a name that the npm registry does not have', async () => {
    for (const path of ['/', ...(await docsPaths())]) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      const shown = text.replaceAll(/<[^>]+>/g, '');
      expect(shown, path).not.toMatch(
        /(?:npm (?:install|i|add|exec)|npx|yarn add|pnpm add|bun add) (?:-\S+ )*game-data-api(?![\w.-]*\.tgz)/,
      );
    }
  });

  it('shows commands that install the client libraries from the deployment, with existing files', async () => {
    for (const path of ['/', '/docs', '/docs/quickstart', '/docs/clients']) {
      const text = (await get(path)).text.replaceAll(/<[^>]+>/g, '');
      const urls = [...text.matchAll(/(?:npm|pip) install (\S+?\.(?:tgz|whl))/g)].map(([, url = '']) => url);
      expect(urls, path).toHaveLength(2);
      for (const url of urls) {
        expect(url).toContain(`${ORIGIN}/docs/assets/`);
        const { status, body } = await env.ASSETS.fetch(url);
        await body?.cancel();
        expect([path, url, status]).toEqual([path, url, 200]);
      }
    }
  });

  it('names the registries only when a superuser set that they have the client libraries', async () => {
    const published = testApp({ settings: { clientsPublished: true } });
    for (const path of ['/', '/docs', '/docs/quickstart', '/docs/clients']) {
      const { text } = await call(path, { now: NOW }, published);
      expect([path, text.includes('pip install game-data-api')]).toEqual([path, true]);
      expect([path, (await get(path)).text.includes('pip install game-data-api')]).toEqual([path, false]);
    }
  });

  it('returns 304 for a matching ETag, and only headers for HEAD', async () => {
    for (const path of await docsPaths()) {
      const { headers } = await get(path);
      const etag = headers.get('ETag') ?? '';
      expect(etag).toMatch(/^"[A-Za-z0-9_-]{16}"$/);
      expect([path, (await get(path, { 'If-None-Match': etag })).status]).toEqual([path, 304]);
      const head = await call(path, { method: 'HEAD', now: NOW }, defaults);
      expect([head.status, head.text, head.headers.get('ETag')]).toEqual([200, '', etag]);
    }
  });

  it('links only to existing pages and anchors', async () => {
    const pages = new Map<string, string[]>();
    const idsOf = async (path: string) => {
      const known = pages.get(path);
      if (known) return known;
      const isFile = /^\/(?:docs\/assets|ui)\//.test(path);
      const page = isFile ? await env.ASSETS.fetch(ORIGIN + path) : null;
      const { status, text } = page ? { status: page.status, text: new TextDecoder().decode(await page.arrayBuffer()) } : await get(path);
      expect([path, status]).toEqual([path, 200]);
      const ids = idsIn(text);
      pages.set(path, ids);
      return ids;
    };
    for (const from of await docsPaths()) {
      const { text } = await get(from);
      const ids = idsIn(text);
      expect(new Set(ids).size, `${from} has an id twice`).toBe(ids.length);
      for (const href of new Set(linksIn(text))) {
        if (!/^(?:#|\/docs|\/(?:openapi|llms|ui))/.test(href)) continue;
        const [path = '', anchor] = href.split('#');
        const target = path === '' ? ids : await idsOf(path);
        if (anchor !== undefined) expect(target, `${from} links to ${href}`).toContain(anchor);
      }
    }
  });

  it('uses the origin of the request in commands', async () => {
    const fetch = testApp({ bindings: { BASE_URL: 'https://public.test' }, settings: {} });
    for (const path of ['/docs', '/docs/quickstart', '/docs/errors', '/docs/reference/market']) {
      const { text } = await call(path, {}, fetch);
      expect(text, path).toContain('https://public.test/');
      expect(text, path).not.toContain('127.0.0.1:8787');
    }
  });

  it('returns 404 for an unknown page or file', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/recipes/nothing',
      '/docs/reference/nothing',
      '/docs/guide/quickstart.json',
      '/docs/assets/nothing.js',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });
});

describe('GET /docs', () => {
  it('keeps the anchors of the former single-page documentation', async () => {
    const ids = idsIn((await get('/docs')).text);
    const former = [
      'conventions',
      'authentication',
      'limits',
      'caching',
      'idempotency',
      'browsers',
      'compatibility',
      'errors',
      'reference',
    ];
    expect(ids).toEqual(expect.arrayContaining([...former, ...ERROR_CODES.map((code) => `error-${code}`)]));
  });
});

describe('GET /docs/errors', () => {
  it('has an anchor for each error code, and doc_url of errors links to it', async () => {
    const ids = idsIn((await get('/docs/errors')).text);
    expect(ids).toEqual(expect.arrayContaining([...ERROR_CODES]));
    const { doc_url } = JSON.parse((await get('/v1/nothing')).text).error;
    expect(doc_url).toBe(`${ORIGIN}/docs/errors#not_found`);
  });

  it('links the guides that explain a refused request', async () => {
    const { text } = await get('/docs/errors');
    expect(text).toContain('href="/docs/rate-limits#why-429-and-what-to-do"');
    expect(text).toContain('href="/docs/authentication#scopes"');
  });
});

describe('generated parts of guides', () => {
  it('shows the configured rate limits', async () => {
    const { text } = await call('/docs/rate-limits', {}, testApp({ settings: { publicAnonRateLimitMax: 7 } }));
    expect(text).toMatch(/Without a token<\/th><td data-label="Requests"><div>7<\/div><\/td>/);
  });

  it('shows the limits of every kind of access, by the client that is counted', async () => {
    const { text } = await call('/docs/rate-limits');
    for (const who of ['Without a token (search)', 'With a token (search)', 'With a project key (project-key)', 'Of one address (mcp)']) {
      expect(text).toContain(`>${who}</th>`);
    }
    expect(text).not.toMatch(/Of one account|Of all clients/);
  });

  it('lists each scope and each event type that is switched on', async () => {
    expect((await get('/docs/authentication')).text).toContain('<code>rotations:read</code>');
    const on = await call('/docs/event-stream', {}, testApp({ settings: { featureServerStatusEnabled: true } }));
    const off = await call('/docs/event-stream', {}, testApp({ settings: { featureServerStatusEnabled: false } }));
    expect(on.text).toContain('<th scope="row"><code>server_status</code></th>');
    expect(off.text).not.toContain('<th scope="row"><code>server_status</code></th>');
    expect(on.text).toMatch(/<code>corruxion<\/code><\/th><td><a href="\/docs\/reference\/rotations#getCorruxion">/);
  });
});

describe('GET /docs/reference/{tag}', () => {
  it('has a section for each operation of the tag, with badge, scope, parameters, errors and a command', async () => {
    const { text } = await get('/docs/reference/market');
    for (const { spec } of ENDPOINTS.filter(({ spec }) => spec.tag === 'Market' && !spec.hidden)) {
      expect(text).toContain(`<h2 id="${spec.operationId}">`);
      expect(text).toContain(`<code>${spec.path}</code>`);
    }
    expect(text).toContain('<span class="badge token">token</span>');
    expect(text).toContain('<code>market:read</code>');
    expect(text).toContain('data-name="price_min"');
    expect(text).toContain('href="/docs/errors#validation_error"');
    expect(text.replaceAll(/<[^>]+>/g, '')).toContain('-H &quot;Authorization: Bearer $GAME_DATA_TOKEN&quot;');
    expect(text).toContain('<span class="hljs-string">');
  });

  it('shows operations of a feature only when it is switched on', async () => {
    const on = await call('/docs/reference/rotations', {}, testApp({ settings: { featureDelvesEnabled: true } }));
    expect(on.text).toContain('<code>/v1/rotations/delves</code>');
    expect((await get('/docs/reference/rotations')).text).not.toContain('<code>/v1/rotations/delves</code>');
  });

  it('shows a badge for public, token and superuser access', async () => {
    const { text } = await get('/docs/reference/rotations');
    const badgeOf = (id: string) => new RegExp(`<h2 id="${id}">.*?<span class="badge ([a-z]+)">`, 's').exec(text)?.[1];
    expect([badgeOf('getServerTime'), badgeOf('insertChallenge')]).toEqual(['public', 'superuser']);
    expect((await get('/docs/reference/events')).text).toContain('<code>Last-Event-ID</code>');
  });
});

describe('search source of the documentation', () => {
  it('puts the section of each entry into the search, with an existing page and anchor', async () => {
    const service = composeApp(env);
    const source = service.service.searchSources().find(({ type }) => type === 'doc');
    const entries = (await source?.contents?.list('', 5000, DEFAULT_SETTINGS)) ?? [];
    expect(entries.length).toBeGreaterThan(150);
    for (const [page, links] of Map.groupBy(entries, ({ link }) => link.split('#')[0] ?? '')) {
      const ids = idsIn((await get(page)).text);
      for (const { link } of links) expect([link, !link.includes('#') || ids.includes(link.split('#')[1] ?? '')]).toEqual([link, true]);
    }
    expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
  });
});

describe('documentation assets', () => {
  it('exist for every link of a page', async () => {
    const { text } = await get('/docs');
    const files = [...text.matchAll(/(?:src|href)="(\/(?:docs\/assets|ui)\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(files).toEqual(expect.arrayContaining(['/docs/assets/docs.css', '/docs/assets/docs.js']));
    for (const file of [...files, '/docs/assets/run.js', '/ui/search.js']) {
      const { status, body } = await env.ASSETS.fetch(ORIGIN + file);
      await body?.cancel();
      expect([file, status]).toEqual([file, 200]);
    }
  });
});
