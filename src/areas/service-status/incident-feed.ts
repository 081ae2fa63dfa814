import { type AtomEntry, atomReply } from '../../platform/http/replies/atom.ts';
import type { RawReply } from '../../platform/http/replies/reply.ts';
import { toIso } from '../../platform/time/clock.ts';
import { PARTS, SHOWN_INCIDENTS } from './status.data.ts';
import type { Incident, View } from './status.domain.ts';

/** Incidents as an Atom feed. An incident is one entry, whose `updated` moves when it ends. */
export function incidentFeed(appName: string, baseUrl: string, { incidents }: View): RawReply {
  return atomReply({
    ...{ title: `${appName}: incidents`, author: appName, selfUrl: `${baseUrl}/status.atom`, pageUrl: `${baseUrl}/status` },
    entries: incidents.slice(0, SHOWN_INCIDENTS).map((incident) => entryOf(incident, baseUrl)),
  });
}

/** Names an incident on the page and in the feed. */
export const incidentId = ({ part, openedAt }: Incident): string => `incident-${part}-${openedAt}`;

/** The incident in a few words. */
export function incidentTitle({ part, state, closedAt }: Incident): string {
  return `${PARTS[part]}: ${closedAt === null ? state : `${state}, resolved`}`;
}

function entryOf(incident: Incident, baseUrl: string): AtomEntry {
  const { openedAt, closedAt, detail } = incident;
  const url = `${baseUrl}/status#${incidentId(incident)}`;
  const end = closedAt === null ? 'Ongoing.' : `Resolved at ${toIso(closedAt)}.`;
  const summary = `Since ${toIso(openedAt)}. ${detail === null ? '' : `${detail}. `}${end}`;
  return { id: url, url, title: incidentTitle(incident), publishedAt: openedAt, updatedAt: closedAt ?? openedAt, summary };
}
