import { openAccess } from '../../platform/access/policy/policy.ts';
import type { Site } from '../../platform/http/pages/site-header.tsx';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { ATOM_TYPE } from '../../platform/http/replies/atom.ts';
import { digestOf, jsonWithClock } from '../../platform/http/replies/reply.ts';
import { incidentFeed } from './incident-feed.ts';
import { type Found, viewAt } from './status.domain.ts';
import { statusPage } from './status.page.tsx';
import { ServiceStatusBody, toServiceStatusBody } from './status.schemas.ts';

/** How long a cache may keep the page and the feed, in seconds: the next check is never more than a minute away. */
const MAX_AGE = 10;

/**
 * The state of the service itself. Open to everybody, so that nothing is asked but the status store: counting the request would ask a
 * Durable Object, which may be what is dead.
 */
export function createServiceStatusEndpoints(site: Required<Site>, find: () => Found | Promise<Found>): Endpoint[] {
  const shared = { method: 'get', tag: 'Service', access: openAccess } as const;

  const status = defineRoute({
    ...shared,
    path: '/v1/status',
    operationId: 'getServiceStatus',
    summary: 'State of the service itself',
    description:
      'The last check of every part, made once a minute: storage, Durable Objects, event stream, background jobs and outside services, with the last 90 days. A check older than 90 s, or none at all, is red. Always 200; `GET /health` tells only that the service answers.',
    ok: { description: 'The state.', schema: ServiceStatusBody },
  }).handle(async ({ now }) => jsonWithClock(toServiceStatusBody(viewAt(await find(), now), now), ['age_seconds']));

  const page = defineRoute({
    ...shared,
    path: '/status',
    operationId: 'getServiceStatusPage',
    summary: 'Page of the state of the service',
    description: 'The state of the service with the last 90 days, for people.',
    surface: 'page',
    hidden: true,
    ok: { contentTypes: ['text/html'], description: 'HTML page.' },
  }).handle(async ({ now, baseUrl }) => {
    const body = statusPage({ ...site, baseUrl }, viewAt(await find(), now), now);
    return { kind: 'raw', body, etag: `"${digestOf(body)}"`, contentType: 'text/html; charset=utf-8', maxAge: MAX_AGE };
  });

  const feed = defineRoute({
    ...shared,
    path: '/status.atom',
    operationId: 'getServiceIncidents',
    summary: 'Feed of incidents',
    description: 'Incidents of the service as an Atom feed, newest first.',
    hidden: true,
    ok: { contentTypes: [ATOM_TYPE], description: 'Atom feed.' },
  }).handle(async ({ now, baseUrl }) => ({ ...incidentFeed(site.appName, baseUrl, viewAt(await find(), now)), maxAge: MAX_AGE }));

  return [status, page, feed];
}
