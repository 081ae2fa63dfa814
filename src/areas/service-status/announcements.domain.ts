import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { attempt, fields, listOf, nullable, number, oneOf, optional, parseStored, text } from '../../platform/kit/values/stored-shapes.ts';
import {
  type AnnouncementChangeKind,
  MAX_ANNOUNCEMENT_UPDATES,
  MAX_ANNOUNCEMENTS,
  SEVERITIES,
  type Severity,
} from './announcements.data.ts';

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

const publishedCounts = listOf(fields({ id: text, updates: listOf(fields({ at: number })), publishedUpdates: optional(number) }));

/** Number of updates with a published event, by id of the announcement. */
export type PublishedCounts = ReadonlyMap<string, number>;

/** An update whose event is not published. */
export interface PendingUpdate {
  announcement: Announcement;
  update: AnnouncementUpdate;
  change: AnnouncementChangeKind;
  /** Position of the update, from 0 for the oldest. */
  index: number;
}

/** The counts in a copy. A version before these events wrote none: all its updates count as published. */
export function parsePublishedCounts(copy: string | null): PublishedCounts {
  const list = copy === null ? [] : (attempt((value) => parseStored(publishedCounts, value as string), copy)?.value ?? []);
  return new Map(list.map(({ id, updates, publishedUpdates }) => [id, publishedUpdates ?? updates.length]));
}

/** The counts if every event is published, except that of the newest update of the announcement `id`. */
export function countsBeforeNewest(announcements: readonly Announcement[], id: string): PublishedCounts {
  return new Map(announcements.map((one) => [one.id, one.updates.length - (one.id === id ? 1 : 0)]));
}

/** The updates without a published event, oldest first, by announcement. */
export function pendingUpdates(announcements: readonly Announcement[], published: PublishedCounts): PendingUpdate[][] {
  return announcements.map((announcement) =>
    announcement.updates
      .toReversed()
      .map((update, index): PendingUpdate => ({ announcement, update, index, change: changeOf(announcement, index) }))
      .slice(published.get(announcement.id) ?? 0),
  );
}

function changeOf({ closedAt, updates }: Announcement, index: number): AnnouncementChangeKind {
  if (index === 0) return 'posted';
  return closedAt !== null && index === updates.length - 1 ? 'ended' : 'updated';
}

/** The copy as text: the announcements, with the number of published events of each. */
export function copyOf(announcements: readonly Announcement[], published: PublishedCounts): string {
  return JSON.stringify(announcements.map((one) => ({ ...one, publishedUpdates: published.get(one.id) ?? 0 })));
}

/** The stored announcements; none for null and for text that no version wrote. */
export function parseAnnouncements(json: string | null): Announcement[] {
  if (json === null) return [];
  return attempt((value) => parseStored(stored, value as string), json)?.value ?? [];
}
