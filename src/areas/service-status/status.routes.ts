import { openAccess } from '../../platform/access/policy/policy.ts';
import type { Site } from '../../platform/http/pages/site-header.tsx';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { ATOM_TYPE, type AtomEntry, atomReply } from '../../platform/http/replies/atom.ts';
import { digestOf, jsonWithClock, type RawReply } from '../../platform/http/replies/reply.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import type { Announcement } from './announcements.domain.ts';
import { type Incident, incidentId, incidentTitle, type StoredStatus, type View, viewAt } from './status.domain.ts';
import { statusPage } from './status.page.tsx';
import { ServiceStatusBody, toServiceStatusBody } from './status.schemas.ts';

/** `max-age` of page and feed in seconds. Checks run once a minute. */
const MAX_AGE = 10;

/**
 * Endpoints of the service status. They read only the status store, and have no rate limit, because counting needs a Durable Object, which
 * may be the failing part.
 */
export function createServiceStatusEndpoints(
  site: Site,
  find: () => StoredStatus | Promise<StoredStatus>,
  findAnnouncements: () => Announcement[] | Promise<Announcement[]>,
): Endpoint[] {
  const shared = { method: 'get', tag: 'Service', access: openAccess } as const;

  const status = defineRoute({
    ...shared,
    path: '/v1/status',
    operationId: 'getServiceStatus',
    summary: 'Get the service status',
    description:
      'Returns the last check of every part, run once a minute (storage, Durable Objects, event stream, background jobs and external services), and the last 90 days. The status is red without a check in the last 90 s. Always returns 200. `GET /health` only confirms that the service is running.',
    ok: { description: 'The status.', schema: ServiceStatusBody },
  }).handle(async ({ now }) =>
    jsonWithClock(toServiceStatusBody(viewAt(await find(), now), await findAnnouncements(), now), ['age_seconds']),
  );

  const page = defineRoute({
    ...shared,
    path: '/status',
    operationId: 'getServiceStatusPage',
    summary: 'Service status page',
    description: 'HTML page of the service status with the last 90 days.',
    surface: 'page',
    hidden: true,
    ok: { contentTypes: ['text/html'], description: 'HTML page.' },
  }).handle(async ({ now, baseUrl }) => {
    const body = statusPage({ ...site, baseUrl }, viewAt(await find(), now), await findAnnouncements(), now);
    return { kind: 'raw', body, etag: `"${digestOf(body)}"`, contentType: 'text/html; charset=utf-8', maxAge: MAX_AGE };
  });

  const feed = defineRoute({
    ...shared,
    path: '/status.atom',
    operationId: 'getServiceIncidents',
    summary: 'Get the incident feed',
    description: 'Announcements and incidents of the service as an Atom feed, newest first.',
    hidden: true,
    ok: { contentTypes: [ATOM_TYPE], description: 'Atom feed.' },
  }).handle(async ({ now, baseUrl }) => ({
    ...incidentFeed(site.appName, baseUrl, viewAt(await find(), now), await findAnnouncements()),
    maxAge: MAX_AGE,
  }));

  return [status, page, feed];
}

/** One entry per announcement and incident. `updated` changes with each update, and when the incident ends. */
function incidentFeed(appName: string, baseUrl: string, { incidents }: View, announcements: readonly Announcement[]): RawReply {
  const announced = announcements.map((announcement) => announcementEntry(announcement, baseUrl));
  const entries = [...announced, ...incidents.map((incident) => toAtomEntry(incident, baseUrl))];
  return atomReply({
    title: `${appName}: incidents`,
    author: appName,
    selfUrl: `${baseUrl}/status.atom`,
    pageUrl: `${baseUrl}/status`,
    entries: entries.toSorted((one, other) => other.publishedAt - one.publishedAt),
  });
}

function toAtomEntry(incident: Incident, baseUrl: string): AtomEntry {
  const { openedAt, closedAt, detail } = incident;
  const url = `${baseUrl}/status#${incidentId(incident)}`;
  const end = closedAt === null ? 'Ongoing.' : `Resolved at ${toIso(closedAt)}.`;
  const summary = `Since ${toIso(openedAt)}. ${detail === null ? '' : `${detail}. `}${end}`;
  return { id: url, url, title: incidentTitle(incident), publishedAt: openedAt, updatedAt: closedAt ?? openedAt, summary };
}

function announcementEntry({ id, title, severity, updates, closedAt }: Announcement, baseUrl: string): AtomEntry {
  const url = `${baseUrl}/status#announcement-${id}`;
  const [newest] = updates;
  const first = updates.at(-1);
  return {
    id: url,
    url,
    title: `${title} (${severity}${closedAt === null ? '' : ', over'})`,
    publishedAt: first?.at ?? 0,
    updatedAt: newest?.at ?? 0,
    summary: newest?.text ?? '',
  };
}
