import { describe, expect, it } from 'vitest';
import type { Access } from '../../src/platform/access/policy/policy.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';

/** Routes without a rate limit, by the reason. Add a limit rather than a line. */
const UNLIMITED: Readonly<Record<string, readonly string[]>> = {
  'a static file of the deployment; no storage is read': ['GET /favicon.ico'],
  'a text that is equal for every client and kept in memory': [
    'GET /.well-known/api-catalog',
    'GET /.well-known/security.txt',
    'GET /.well-known/change-password',
    'GET /config',
    'GET /docs',
    'GET /docs/privacy',
    'GET /docs/recipes',
    'GET /docs/recipes/{recipe}',
    'GET /docs/reference',
    'GET /docs/reference/{tag}',
    'GET /docs/terms',
    'GET /docs/{guide}',
    'GET /live',
    'GET /llms.txt',
    'GET /openapi-3.0.json',
    'GET /openapi.json',
    'GET /openapi/{tag}.json',
    'GET /robots.txt',
    'GET /sitemap.xml',
    'GET /v1/changelog',
    'GET /v1/changelog.atom',
  ],
  'monitors need it while the objects that count requests fail': [
    'GET /health',
    'GET /status',
    'GET /status.atom',
    'GET /status/announcement',
    'GET /v1/status',
  ],
  'a page from a template without data; with a session cookie it counts for the account': [
    'GET /auth/confirm-device',
    'GET /auth/verify-email',
    'GET /auth/verify-email-change',
    'GET /portal',
    'GET /portal/account',
    'GET /portal/admin',
    'GET /portal/admin/announcements',
    'GET /portal/admin/giveaways',
    'GET /portal/admin/ingest',
    'GET /portal/admin/interest-items',
    'GET /portal/admin/jobs',
    'GET /portal/admin/mods',
    'GET /portal/admin/reports',
    'GET /portal/admin/settings',
    'GET /portal/admin/supporters',
    'GET /portal/admin/usage',
    'GET /portal/admin/users',
    'GET /portal/check-mail',
    'GET /portal/forgot-password',
    'GET /portal/giveaways',
    'GET /portal/invitation',
    'GET /portal/login',
    'GET /portal/projects',
    'GET /portal/report',
    'GET /portal/projects/{handle}/{slug}',
    'GET /portal/reset-password',
    'GET /portal/sessions',
    'GET /portal/signup',
    'GET /portal/tokens',
    'GET /portal/usage',
    'GET /portal/verify-email',
    'GET /portal/webhooks',
    'GET /portal/webhooks/designs',
    'GET /portal/webhooks/signed',
  ],
  'a redirect from an old address, which reads nothing': [
    'GET /portal/explore/leaderboards/{uuid}',
    'GET /portal/explore/market/item',
    'GET /portal/explore/players',
    'GET /portal/explore/updates/{branch}/{ordinal}',
  ],
  'the front page, whose data an isolate reads at most once a second': ['GET /'],
  'exists in development only': ['GET /portal/dev/mailbox'],
};

/** Whether every client is counted. The session of a superuser is trusted, and after an ignored token the next way counts. */
const isLimited = ({ ways }: Access) =>
  ways.every(({ credential, charges }) => charges.length > 0 || credential === 'superuser session' || credential === 'ignored token');

describe('every route', () => {
  it('has a rate limit, or is listed with the reason why not', () => {
    const open = ENDPOINTS.filter(({ spec }) => !isLimited(spec.access)).map(titleOf);
    expect(open.sort()).toEqual(Object.values(UNLIMITED).flat().sort());
  });
});
