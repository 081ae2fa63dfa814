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
const MAX_CACHED_DAYS = 3;
const MAX_CACHED_FILES = 8;

interface DayEvents {
  events: readonly CalendarEvent[];
  /** `"count":…,"events":[…]}`: the body after the three times. */
  tail: string;
  etag: string;
}

const days = new BoundedMap<string, DayEvents>(MAX_CACHED_DAYS);
const files = new BoundedMap<string, RawReply>(MAX_CACHED_FILES);

/** Events of the game day of `now`. Serialized once per day, which is most of the cost of the calendar. */
function dayEvents(now: UnixSeconds): DayEvents {
  const key = calendarEventsKeyAt(now);
  const cached = days.get(key);
  if (cached) return cached;
  const { events } = calendarAt(now, calendarRules);
  const tail = `"count":${events.length},"events":${JSON.stringify(events.map(toCalendarEventBody))}}`;
  const day = { events, tail, etag: `W/"${digestOf(tail)}"` };
  days.set(key, day);
  return day;
}

export const calendarBody: ComputedBody<z.infer<typeof CalendarBody>> = (now) => {
  const { tail, etag } = dayEvents(now);
  const halfWindow = calendarRules.halfWindowSeconds;
  return { kind: 'json', text: `{"starts_at":${now - halfWindow},"ends_at":${now + halfWindow},"generated_at":${now},${tail}`, etag };
};

/** Types that occur nearly every day; included only when requested. */
const EXCLUDED_BY_DEFAULT: readonly CalendarEventType[] = ['gardening_2', 'gardening_3'];

/** The calendar as an iCalendar file for a host. Default types: all except the plants. */
export function calendarFile(now: UnixSeconds, host: string, types: readonly CalendarEventType[] | undefined): RawReply {
  const key = `${calendarEventsKeyAt(now)} ${host} ${types?.join(',') ?? 'all'}`;
  const file = files.get(key) ?? createFile(now, host, types);
  files.set(key, file);
  return { ...file, maxAge: Math.min(FILE_MAX_AGE, gameDayStart(now) + SECONDS_PER_DAY - now) };
}

function createFile(now: UnixSeconds, host: string, types: readonly CalendarEventType[] | undefined): RawReply {
  const { events } = dayEvents(now);
  const included = events.filter(({ type }) => (types ? types.includes(type) : !EXCLUDED_BY_DEFAULT.includes(type)));
  const body = calendarIcs(included, { host, name: 'Game rotations' });
  return {
    kind: 'raw',
    body,
    contentType: 'text/calendar; charset=utf-8',
    etag: `"${digestOf(body)}"`,
    headers: { 'Content-Disposition': 'inline; filename="calendar.ics"' },
  };
}
