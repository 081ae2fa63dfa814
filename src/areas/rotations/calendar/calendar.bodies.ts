import type { z } from '@hono/zod-openapi';
import { digestOf, type RawReply } from '../../../platform/http/replies/reply.ts';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { SECONDS_PER_DAY } from '../../../platform/time/clock.ts';
import { gameDayStart } from '../../../platform/time/game-calendar.ts';
import type { ComputedBody } from '../computed/computed.bodies.ts';
import { calendarRules } from './calendar.data.ts';
import { type CalendarEvent, type CalendarEventType, calendarAt, calendarEventsKeyAt } from './calendar.domain.ts';
import { type CalendarBody, toCalendarEventBody } from './calendar.schemas.ts';
import { calendarIcs } from './calendar-ics.domain.ts';

const FILE_MAX_AGE = 3600;
const KEPT_DAYS = 3;
const MAX_CACHED_FILES = 8;

interface DayEvents {
  events: readonly CalendarEvent[];
  /** `"count":…,"events":[…]}`: all of the body behind the three times. */
  tail: string;
  etag: string;
}

const days = new BoundedMap<string, DayEvents>(KEPT_DAYS);
const files = new BoundedMap<string, RawReply>(MAX_CACHED_FILES);

/** Events of the game day of `now`, serialised once a day: that is nearly all of the cost of the calendar. */
function dayEvents(now: UnixSeconds): DayEvents {
  const key = calendarEventsKeyAt(now);
  const known = days.get(key);
  if (known) return known;
  const { events } = calendarAt(now, calendarRules);
  const tail = `"count":${events.length},"events":${JSON.stringify(events.map(toCalendarEventBody))}}`;
  const day = { events, tail, etag: `W/"${digestOf(tail)}"` };
  days.set(key, day);
  return day;
}

export const calendarBody: ComputedBody<z.infer<typeof CalendarBody>> = (now) => {
  const { tail, etag } = dayEvents(now);
  const half = calendarRules.halfWindowSeconds;
  return { kind: 'json', text: `{"starts_at":${now - half},"ends_at":${now + half},"generated_at":${now},${tail}`, etag };
};

/** Types that fill every day of a calendar: only those who ask for them get them. */
const ON_DEMAND: readonly CalendarEventType[] = ['gardening_2', 'gardening_3'];

/** The calendar as an iCalendar file for the host, of the given types or of all but the plants. */
export function calendarFile(now: UnixSeconds, host: string, types: readonly CalendarEventType[] | undefined): RawReply {
  const key = `${calendarEventsKeyAt(now)} ${host} ${types?.join(',') ?? 'all'}`;
  const kept = files.get(key) ?? makeFile(now, host, types);
  files.set(key, kept);
  return { ...kept, maxAge: Math.min(FILE_MAX_AGE, gameDayStart(now) + SECONDS_PER_DAY - now) };
}

function makeFile(now: UnixSeconds, host: string, types: readonly CalendarEventType[] | undefined): RawReply {
  const { events } = dayEvents(now);
  const wanted = events.filter(({ type }) => (types ? types.includes(type) : !ON_DEMAND.includes(type)));
  const body = calendarIcs(wanted, { host, name: 'Game rotations' });
  return {
    kind: 'raw',
    body,
    contentType: 'text/calendar; charset=utf-8',
    etag: `"${digestOf(body)}"`,
    headers: { 'Content-Disposition': 'inline; filename="calendar.ics"' },
  };
}
