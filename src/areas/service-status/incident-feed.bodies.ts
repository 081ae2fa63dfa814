import { type AtomEntry, atomReply } from '../../platform/http/replies/atom.ts';
import type { RawReply } from '../../platform/http/replies/reply.ts';
import { toIso } from '../../platform/kit/time/clock.ts';
import { MAX_SHOWN_INCIDENTS, PARTS } from './status.data.ts';
import type { Incident, View } from './status.domain.ts';

/** One entry per incident. `updated` changes when the incident ends. */
export function incidentFeed(appName: string, baseUrl: string, { incidents }: View): RawReply {
  return atomReply({
    title: `${appName}: incidents`,
    author: appName,
    selfUrl: `${baseUrl}/status.atom`,
    pageUrl: `${baseUrl}/status`,
    entries: incidents.slice(0, MAX_SHOWN_INCIDENTS).map((incident) => toAtomEntry(incident, baseUrl)),
  });
}

/** Anchor of an incident on the page, also used by the feed. */
export const incidentId = ({ part, openedAt }: Incident): string => `incident-${part}-${openedAt}`;

export function incidentTitle({ part, state, closedAt }: Incident): string {
  return `${PARTS[part]}: ${closedAt === null ? state : `${state}, resolved`}`;
}

function toAtomEntry(incident: Incident, baseUrl: string): AtomEntry {
  const { openedAt, closedAt, detail } = incident;
  const url = `${baseUrl}/status#${incidentId(incident)}`;
  const end = closedAt === null ? 'Ongoing.' : `Resolved at ${toIso(closedAt)}.`;
  const summary = `Since ${toIso(openedAt)}. ${detail === null ? '' : `${detail}. `}${end}`;
  return { id: url, url, title: incidentTitle(incident), publishedAt: openedAt, updatedAt: closedAt ?? openedAt, summary };
}
