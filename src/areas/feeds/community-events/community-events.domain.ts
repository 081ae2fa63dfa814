import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { addressOf, integerOf, type JsonObject, objectsIn, trimmedTextOf } from '../../../platform/kit/values/json-values.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';

/** Limits of a list of community events. */
export const MAX_EVENTS = 500;
export const DEFAULT_EVENTS = 100;

/** A stored event of the community calendar. */
export interface CommunityEvent {
  eventId: string;
  name: string;
  url: string;
  category: string;
  image: string | null;
  icon: string | null;
  /** Cross-reference of the calendar, unchanged. */
  lookup: string | null;
  startsAt: UnixSeconds;
  endsAt: UnixSeconds;
}

export const EVENT_STATUSES = namedValues('CommunityEventStatus', 'Status of an event.', ['upcoming', 'ongoing', 'ended']);
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** An event with its status at a time. */
export type DatedEvent = CommunityEvent & {
  status: EventStatus;
  /** Seconds until the start of an upcoming event or the end of an ongoing one; 0 for an ended event. */
  secondsUntil: number;
};

const DEFAULT_NAME = 'Untitled';
const DEFAULT_CATEGORY = 'Event';

/** Parses the response of the calendar. Events without an id or valid dates are skipped; a response that is not a list has no events. */
export function parseCommunityEvents(payload: unknown): CommunityEvent[] {
  return objectsIn(payload).flatMap((entry) => parseEvent(entry) ?? []);
}

function parseEvent(entry: JsonObject): CommunityEvent | null {
  const eventId = typeof entry.id === 'number' ? String(entry.id) : trimmedTextOf(entry.id);
  const startsAt = integerOf(entry.startdate);
  const endsAt = integerOf(entry.enddate);
  if (eventId === null || startsAt === null || endsAt === null) return null;
  return {
    eventId,
    name: trimmedTextOf(entry.name) ?? DEFAULT_NAME,
    url: addressOf(entry.url) ?? '',
    category: trimmedTextOf(entry.category) ?? DEFAULT_CATEGORY,
    image: addressOf(entry.image),
    icon: addressOf(entry.icon),
    lookup: trimmedTextOf(entry.lookup),
    startsAt,
    endsAt,
  };
}

/** The status is not stored; it depends on the time. */
export function eventAt(event: CommunityEvent, now: UnixSeconds): DatedEvent {
  if (now < event.startsAt) return { ...event, status: 'upcoming', secondsUntil: event.startsAt - now };
  if (now < event.endsAt) return { ...event, status: 'ongoing', secondsUntil: event.endsAt - now };
  return { ...event, status: 'ended', secondsUntil: 0 };
}

/** Filter of an event list. */
export interface EventsQuery {
  status: EventStatus;
  /** Category, exact match; null: all. */
  category: string | null;
  limit: number;
}

const ORDERS: Readonly<Record<EventStatus, (one: CommunityEvent, other: CommunityEvent) => number>> = {
  ongoing: (one, other) => one.endsAt - other.endsAt,
  upcoming: (one, other) => one.startsAt - other.startsAt,
  ended: (one, other) => other.endsAt - one.endsAt,
};

/** Events of a list at `now`, ordered by the next start or end; ended events latest first. */
export function selectEvents(events: readonly CommunityEvent[], { status, category, limit }: EventsQuery, now: UnixSeconds): DatedEvent[] {
  const order = ORDERS[status];
  return events
    .map((event) => eventAt(event, now))
    .filter((event) => event.status === status && (category === null || event.category === category))
    .sort((one, other) => order(one, other) || (one.eventId < other.eventId ? -1 : 1))
    .slice(0, limit);
}
