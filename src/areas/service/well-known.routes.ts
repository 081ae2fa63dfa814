import { z } from '@hono/zod-openapi';
import { html, raw } from 'hono/html';
import { openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { digestOf, json, noContent, type RawReply } from '../../platform/http/replies/reply.ts';
import { notFound } from '../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_DAY, toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';

// Addresses that monitors, clients and crawlers know: health, API catalog, security contact, robots.txt, sitemap and icon.

const MAX_AGE = 3600;
const SEE_OTHER = 303;
const shared = { method: 'get', tag: 'Service', access: openAccess } as const;

function cacheable(body: string | Uint8Array<ArrayBuffer>, contentType: string): RawReply {
  return { kind: 'raw', body, contentType, etag: `"${digestOf(body)}"`, maxAge: MAX_AGE };
}

const HealthBody = z
  .object({
    status: z.literal('ok').openapi({ description: 'The service is running.', example: 'ok' }),
    problems: z
      .array(z.string().openapi({ example: 'BASE_URL is empty: mails with links are not sent' }))
      .optional()
      .openapi({ description: 'Configuration errors that disable part of the service; absent when there are none.' }),
    demo: z.literal(true).optional().openapi({ description: 'True if the service has demo data; absent in production.', example: true }),
    version: z.string().optional().openapi({
      description: 'Id of the deployed version that responded; absent in local runs.',
      example: '7f3c1b5e-0d9a-4f6e-9d80-2f4f7a1b6c55',
    }),
  })
  .openapi('Health', { description: 'State of the service.' });

export interface HealthFacts {
  /** Configuration errors. */
  problems: string[];
  /** True if the service has demo data. */
  isDemo: boolean;
  /** Id of the deployed version. */
  version?: string | undefined;
}

export function createHealthEndpoint({ problems, isDemo, version }: HealthFacts): Endpoint {
  const body = {
    status: 'ok' as const,
    ...(problems.length > 0 ? { problems } : {}),
    ...(isDemo ? { demo: true as const } : {}),
    ...(version ? { version } : {}),
  };
  return defineRoute({
    ...shared,
    path: '/health',
    operationId: 'getHealth',
    summary: 'Check service health',
    description: 'Returns 200 while the service is running.',
    ok: { description: 'The service is running.', schema: HealthBody },
  }).handle(() => json(body));
}

const Link = z
  .object({
    href: z.string().openapi({ description: 'URL.', example: 'https://api.example.com/openapi.json' }),
    type: z.string().openapi({ description: 'Media type.', example: 'application/openapi+json' }),
  })
  .openapi('Link', { description: 'A link.' });

const links = (description: string) => z.array(Link).openapi({ description });

/** RFC 9264, as used by the API catalog (RFC 9727). */
const LinkSetBody = z
  .object({
    linkset: z
      .array(
        z
          .object({
            anchor: z.string().openapi({ description: 'The API that the links describe.', example: 'https://api.example.com/v1' }),
            'service-desc': links('Machine-readable descriptions.'),
            'service-doc': links('Documentation.'),
            status: links('State of the service.'),
          })
          .openapi('LinkContext', { description: 'Links of one API, by relation.' }),
      )
      .openapi({ description: 'One context for each API.' }),
  })
  .openapi('LinkSet', { description: 'A link set (RFC 9264).' });

/** Lifetime of security.txt. RFC 9116 recommends less than a year. */
const SECURITY_TEXT_TTL_DAYS = 180;

/** Endpoints of `/.well-known/*`: API catalog, security contact and the form that changes the password. */
export function createDiscoveryEndpoints(securityContact: string): Endpoint[] {
  const catalog = defineRoute({
    ...shared,
    path: '/.well-known/api-catalog',
    operationId: 'getApiCatalog',
    summary: 'Get the API catalog',
    description: 'Returns links to the OpenAPI documents and the documentation of the API (RFC 9727).',
    ok: { contentTypes: ['application/linkset+json'], description: 'A link set (RFC 9264).', document: LinkSetBody },
  }).handle(({ baseUrl }) => cacheable(JSON.stringify(apiCatalog(baseUrl)), 'application/linkset+json'));

  const security = defineRoute({
    ...shared,
    path: '/.well-known/security.txt',
    operationId: 'getSecurityText',
    summary: 'Get the security contact',
    description: 'Returns the contact for reporting vulnerabilities (RFC 9116).',
    ok: { contentTypes: ['text/plain'], description: 'Plain text.' },
  }).handle(({ baseUrl, now }) => cacheable(securityText(baseUrl, securityContact, now), 'text/plain; charset=utf-8'));

  // Password managers open this address. 303: the form is another resource.
  const changePassword = defineRoute({
    ...shared,
    path: '/.well-known/change-password',
    operationId: 'getChangePasswordForm',
    summary: 'Find the password form',
    description: 'Redirects to the form that changes the password (W3C change-password URL).',
    hidden: true,
    surface: 'page',
    ok: { contentTypes: [], status: SEE_OTHER, description: 'A redirect to the form.' },
  }).handle(({ baseUrl }) => ({ ...noContent({ headers: { Location: `${baseUrl}/portal/account#password-title` } }), status: SEE_OTHER }));

  return [catalog, security, changePassword];
}

function apiCatalog(baseUrl: string): object {
  return {
    linkset: [
      {
        anchor: `${baseUrl}/v1`,
        'service-desc': [
          { href: `${baseUrl}/openapi.json`, type: 'application/openapi+json' },
          { href: `${baseUrl}/openapi-3.0.json`, type: 'application/openapi+json' },
        ],
        'service-doc': [
          { href: `${baseUrl}/docs`, type: 'text/html' },
          { href: `${baseUrl}/llms.txt`, type: 'text/plain' },
        ],
        status: [{ href: `${baseUrl}/v1/status`, type: 'application/json' }],
      },
    ],
  };
}

/** The expiry is rounded to days, so the ETag changes once a day. */
function securityText(baseUrl: string, contact: string, now: UnixSeconds): string {
  const expires = (Math.floor(now / SECONDS_PER_DAY) + SECURITY_TEXT_TTL_DAYS) * SECONDS_PER_DAY;
  return `Contact: ${contact}\nExpires: ${toIso(expires)}\nPreferred-Languages: en\nCanonical: ${baseUrl}/.well-known/security.txt\n`;
}

const crawlers = { ...shared, hidden: true } as const;

/** Endpoints of robots.txt, the sitemap of the public pages and favicon.ico. */
export function createCrawlerEndpoints(documented: () => Promise<readonly Endpoint[]>, assets: Fetcher): Endpoint[] {
  const robots = defineRoute({
    ...crawlers,
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
    ...crawlers,
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
    ...crawlers,
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
