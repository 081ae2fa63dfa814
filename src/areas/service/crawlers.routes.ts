import { html, raw } from 'hono/html';
import { openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { digestOf, type RawReply } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';

const MAX_AGE = 3600;
const shared = { method: 'get', tag: 'Service', access: openAccess, hidden: true } as const;

function cacheable(body: string | Uint8Array<ArrayBuffer>, contentType: string): RawReply {
  return { kind: 'raw', body, contentType, etag: `"${digestOf(body)}"`, maxAge: MAX_AGE };
}

/** Endpoints of robots.txt, the sitemap of the public pages and favicon.ico. */
export function createCrawlerEndpoints(documented: () => Promise<readonly Endpoint[]>, assets: Fetcher): Endpoint[] {
  const robots = defineRoute({
    ...shared,
    path: '/robots.txt',
    operationId: 'getRobotsText',
    summary: 'Get robots.txt',
    description: 'Allows crawlers to read the public pages, and excludes the API and the portal, except for signing in and up.',
    ok: { contentTypes: ['text/plain'], description: 'Plain text.' },
  }).handle(({ baseUrl }) =>
    cacheable(
      `User-agent: *\nDisallow: /v1/\nDisallow: /admin/\nDisallow: /portal/\nAllow: /portal/login\nAllow: /portal/signup\nAllow: /portal/forgot-password\nSitemap: ${baseUrl}/sitemap.xml\n`,
      'text/plain; charset=utf-8',
    ),
  );

  const sitemap = defineRoute({
    ...shared,
    path: '/sitemap.xml',
    operationId: 'getSitemap',
    summary: 'Get the sitemap',
    description: 'Returns the URLs of the public pages.',
    ok: { contentTypes: ['application/xml'], description: 'A sitemap (sitemaps.org 0.9).' },
  }).handle(async ({ baseUrl, settings }) => {
    const paths = await Promise.all((await documented()).map((endpoint) => pathsOf(endpoint, settings)));
    return cacheable(
      String(html`${raw('<?xml version="1.0" encoding="utf-8"?>')}
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.flat().map(
  (path) => html`<url><loc>${baseUrl}${path}</loc></url>
`,
)}</urlset>
`),
      'application/xml; charset=utf-8',
    );
  });

  const icon = defineRoute({
    ...shared,
    surface: 'page',
    path: '/favicon.ico',
    operationId: 'getFavicon',
    summary: 'Get the site icon',
    description: 'Returns the icon that browsers display next to the page title.',
    errors: ['not_found'],
    ok: { contentTypes: ['image/svg+xml'], description: 'SVG image.' },
  }).handle(async ({ baseUrl }) => {
    const file = await assets.fetch(`${baseUrl}/ui/logo.svg`);
    if (!file.ok) throw notFound('file not found');
    return cacheable(new Uint8Array(await file.arrayBuffer()), 'image/svg+xml');
  });

  return [robots, sitemap, icon];
}

/** Paths of the public pages that an endpoint serves. */
async function pathsOf({ spec }: Endpoint, settings: Settings): Promise<readonly string[]> {
  const { surface, method, params, path, feature, addresses } = spec;
  const isPage = surface === 'page' && method === 'get' && 'contentTypes' in spec.ok && spec.ok.contentTypes.includes('text/html');
  if (!isPage || path.startsWith('/portal') || (feature && !settings[feature])) return [];
  if (addresses) return addresses(settings);
  return params ? [] : [path];
}
