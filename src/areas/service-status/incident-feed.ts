import { html, raw } from 'hono/html';
import { toIso, type UnixSeconds } from '../../platform/time/clock.ts';
import { PARTS, SHOWN_INCIDENTS } from './status.data.ts';
import type { Incident, View } from './status.domain.ts';

/** Incidents as an Atom feed (RFC 4287). An incident is one entry, whose `updated` moves when it ends. */
export function incidentFeed(appName: string, baseUrl: string, { incidents, checkedAt }: View, now: UnixSeconds): string {
  const shown = incidents.slice(0, SHOWN_INCIDENTS);
  const updated = shown.length === 0 ? (checkedAt ?? now) : Math.max(...shown.map(updatedAt));
  return String(html`${raw('<?xml version="1.0" encoding="utf-8"?>')}
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${appName}: incidents</title>
<id>${baseUrl}/status.atom</id>
<link rel="self" type="application/atom+xml" href="${baseUrl}/status.atom"/>
<link rel="alternate" type="text/html" href="${baseUrl}/status"/>
<author><name>${appName}</name></author>
<updated>${toIso(updated)}</updated>
${shown.map((incident) => entryOf(incident, baseUrl))}
</feed>
`);
}

/** Names an incident on the page and in the feed. */
export const incidentId = ({ part, openedAt }: Incident): string => `incident-${part}-${openedAt}`;

/** The incident in a few words. */
export function incidentTitle({ part, state, closedAt }: Incident): string {
  return `${PARTS[part]}: ${closedAt === null ? state : `${state}, resolved`}`;
}

const updatedAt = ({ openedAt, closedAt }: Incident): UnixSeconds => closedAt ?? openedAt;

function entryOf(incident: Incident, baseUrl: string) {
  const { openedAt, closedAt, detail } = incident;
  const address = `${baseUrl}/status#${incidentId(incident)}`;
  const end = closedAt === null ? 'Ongoing.' : `Resolved at ${toIso(closedAt)}.`;
  const summary = `Since ${toIso(openedAt)}. ${detail === null ? '' : `${detail}. `}${end}`;
  return html`<entry>
<title>${incidentTitle(incident)}</title>
<id>${address}</id>
<link rel="alternate" type="text/html" href="${address}"/>
<published>${toIso(openedAt)}</published>
<updated>${toIso(updatedAt(incident))}</updated>
<summary>${summary}</summary>
</entry>
`;
}
