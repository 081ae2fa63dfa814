import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { attempt, fields, listOf, nullable, number, oneOf, parseStored, text } from '../../platform/kit/values/stored-shapes.ts';
import { MAX_ANNOUNCEMENT_UPDATES, MAX_ANNOUNCEMENTS, SEVERITIES, type Severity } from './announcements.data.ts';

interface AnnouncementUpdate {
  at: UnixSeconds;
  text: string;
}

/** Words of the operator about an incident or a planned maintenance. */
export interface Announcement {
  id: string;
  title: string;
  severity: Severity;
  /** Names of affected parts. */
  parts: string[];
  /** Start of a planned maintenance; otherwise the time of the first update. */
  startsAt: UnixSeconds;
  /** Planned end; null when it is not known. */
  endsAt: UnixSeconds | null;
  closedAt: UnixSeconds | null;
  /** Newest first. */
  updates: AnnouncementUpdate[];
}

/** A new announcement, or an update of one that may close it. */
export type AnnouncementChange =
  | { kind: 'new'; announcement: Omit<Announcement, 'closedAt' | 'updates'>; text: string; at: UnixSeconds }
  | { kind: 'update'; id: string; text: string; closes: boolean; at: UnixSeconds };

/** `full`: the maximum of announcements is open, or an announcement has its maximum of updates and the change does not close it. */
export type AnnouncementResult = { announcements: Announcement[]; problem: null | 'unknown' | 'closed' | 'full' };

/** Applies a change, once if it is repeated. Newest first; the oldest closed announcement makes room. */
export function changeAnnouncements(before: readonly Announcement[], change: AnnouncementChange): AnnouncementResult {
  const unchanged = (problem: AnnouncementResult['problem']) => ({ announcements: [...before], problem });
  if (change.kind === 'new') {
    if (before.some(({ id }) => id === change.announcement.id)) return unchanged(null);
    const added = { ...change.announcement, closedAt: null, updates: [{ at: change.at, text: change.text }] };
    const oldestClosed = before.findLastIndex(({ closedAt }) => closedAt !== null);
    if (before.length < MAX_ANNOUNCEMENTS) return { announcements: [added, ...before], problem: null };
    if (oldestClosed === -1) return unchanged('full');
    return { announcements: [added, ...before.filter((_, index) => index !== oldestClosed)], problem: null };
  }
  const found = before.find(({ id }) => id === change.id);
  if (!found) return unchanged('unknown');
  const [newest] = found.updates;
  if (newest?.at === change.at && newest.text === change.text) return unchanged(null);
  if (found.closedAt !== null) return unchanged('closed');
  if (found.updates.length >= MAX_ANNOUNCEMENT_UPDATES && !change.closes) return unchanged('full');
  const changed = {
    ...found,
    closedAt: change.closes ? change.at : null,
    updates: [{ at: change.at, text: change.text }, ...found.updates],
  };
  return { announcements: before.map((one) => (one === found ? changed : one)), problem: null };
}

/** The announcement that the header of every page shows: the most severe open one, of equal ones the newest. */
export function shownAnnouncement(announcements: readonly Announcement[]): Announcement | null {
  const open = announcements.filter(({ closedAt }) => closedAt === null);
  return open.toSorted((one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity))[0] ?? null;
}

const stored = listOf(
  fields({
    id: text,
    title: text,
    severity: oneOf(SEVERITIES, 'info'),
    parts: listOf(text),
    startsAt: number,
    endsAt: nullable(number),
    closedAt: nullable(number),
    updates: listOf(fields({ at: number, text })),
  }),
);

/** The stored announcements; none for null and for text that no version wrote. */
export function parseAnnouncements(json: string | null): Announcement[] {
  if (json === null) return [];
  return attempt((value) => parseStored(stored, value as string), json)?.value ?? [];
}
