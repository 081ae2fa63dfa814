import { openAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { digestOf, type RawReply } from '../../platform/http/replies/reply.ts';
import { SECONDS_PER_DAY, toIso, type UnixSeconds } from '../../platform/kit/time/clock.ts';
import { LinkSetBody } from './documents.schemas.ts';

const MAX_AGE = 3600;
/** Lifetime of security.txt. RFC 9116 recommends less than a year. */
const SECURITY_TEXT_TTL_DAYS = 180;

const shared = { method: 'get', tag: 'Service', access: openAccess } as const;

function textReply(text: string, contentType: string): RawReply {
  return { kind: 'raw', body: text, contentType, etag: `"${digestOf(text)}"`, maxAge: MAX_AGE };
}

/** Endpoints of `/.well-known/*`: API catalog and security contact. */
export function createDiscoveryEndpoints(securityContact: string): Endpoint[] {
  const catalog = defineRoute({
    ...shared,
    path: '/.well-known/api-catalog',
    operationId: 'getApiCatalog',
    summary: 'Get the API catalog',
    description: 'Returns links to the OpenAPI documents and the documentation of the API (RFC 9727).',
    ok: { contentTypes: ['application/linkset+json'], description: 'A link set (RFC 9264).', document: LinkSetBody },
  }).handle(({ baseUrl }) => textReply(JSON.stringify(apiCatalog(baseUrl)), 'application/linkset+json'));

  const security = defineRoute({
    ...shared,
    path: '/.well-known/security.txt',
    operationId: 'getSecurityText',
    summary: 'Get the security contact',
    description: 'Returns the contact for reporting vulnerabilities (RFC 9116).',
    ok: { contentTypes: ['text/plain'], description: 'Plain text.' },
  }).handle(({ baseUrl, now }) => textReply(securityText(baseUrl, securityContact, now), 'text/plain; charset=utf-8'));

  return [catalog, security];
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
