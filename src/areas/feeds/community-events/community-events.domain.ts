import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { addressOf, integerOf, type JsonObject, objectsIn, trimmedTextOf } from '../../../platform/values/json-values.ts';
import { namedValues } from '../../../platform/values/named-values.ts';

/** An event of the community calendar, as it is stored. */
export interface CommunityEvent {
  eventId: string;
  name: string;
  url: string;
  category: string;
  image: string | null;
  icon: string | null;
  /** The calendar's own cross-reference, passed on as it is. */
  lookup: string | null;
  startsAt: UnixSeconds;
  endsAt: UnixSeconds;
}

export const EVENT_STATUSES = namedValues('CommunityEventStatus', 'Status of an event.', ['upcoming', 'ongoing', 'ended']);
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** An event as it stands at an instant. */
export type DatedEvent = CommunityEvent & {
  status: EventStatus;
  /** To the start of an upcoming event, to the end of an ongoing one; 0 for one that has ended. */
  secondsUntil: number;
};

const DEFAULT_NAME = 'Untitled';
const DEFAULT_CATEGORY = 'Event';

/** Events of the calendar's answer; those without an id or usable dates are skipped, and an answer that is no list has none. */
export function parseCommunityEvents(payload: unknown): CommunityEvent[] {
  return objectsIn(payload).flatMap((entry) => eventOf(entry) ?? []);
}

function eventOf(entry: JsonObject): CommunityEvent | null {
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

/** Status is never stored: it follows from the clock. */
export function eventAt(event: CommunityEvent, now: UnixSeconds): DatedEvent {
  if (now < event.startsAt) return { ...event, status: 'upcoming', secondsUntil: event.startsAt - now };
  if (now < event.endsAt) return { ...event, status: 'ongoing', secondsUntil: event.endsAt - now };
  return { ...event, status: 'ended', secondsUntil: 0 };
}

/** Filter of an event list. */
export interface EventsQuery {
  status: EventStatus;
  /** Only this category, spelt exactly so; null for all. */
  category: string | null;
  limit: number;
}

const ORDERS: Readonly<Record<EventStatus, (one: CommunityEvent, other: CommunityEvent) => number>> = {
  ongoing: (one, other) => one.endsAt - other.endsAt,
  upcoming: (one, other) => one.startsAt - other.startsAt,
  ended: (one, other) => other.endsAt - one.endsAt,
};

/** The events a list shows at `now`: soonest first, ended ones latest first. */
export function selectEvents(events: readonly CommunityEvent[], { status, category, limit }: EventsQuery, now: UnixSeconds): DatedEvent[] {
  const order = ORDERS[status];
  return events
    .map((event) => eventAt(event, now))
    .filter((event) => event.status === status && (category === null || event.category === category))
    .sort((one, other) => order(one, other) || (one.eventId < other.eventId ? -1 : 1))
    .slice(0, limit);
}
