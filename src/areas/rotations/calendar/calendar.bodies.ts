import type { z } from '@hono/zod-openapi';
import { digestOf, type RawReply, type Representation } from '../../../platform/http/replies/reply.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { gameDayStart, SECONDS_PER_DAY } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import type { ComputedBody } from '../computed/computed.bodies.ts';
import type { LuxionRun } from '../luxion/luxion.domain.ts';
import { calendarRules, calendarRulesOf } from './calendar.data.ts';
import {
  byStartThenType,
  CALENDAR_EVENT_TYPES,
  type CalendarEvent,
  type CalendarType,
  calendarAt,
  calendarEventsKeyAt,
  luxionEventsAt,
} from './calendar.domain.ts';
import { type CalendarBody, toCalendarEventBody } from './calendar.schemas.ts';
import { calendarIcs } from './calendar-ics.domain.ts';

const FILE_MAX_AGE = 3600;
const MAX_CACHED_DAYS = 8;
const MAX_CACHED_FILES = 8;

interface DayEvents {
  events: readonly CalendarEvent[];
  /** `"count":…,"events":[…]}`: the body after the three times. */
  tail: string;
  etag: string;
}

type Types = readonly CalendarType[] | undefined;
type Runs = readonly LuxionRun[];

const days = new BoundedMap<string, DayEvents>(MAX_CACHED_DAYS);
const files = new BoundedMap<string, RawReply>(MAX_CACHED_FILES);

const keyOf = (now: UnixSeconds, { stampyPeriod }: Settings, types: Types, reported: readonly CalendarEvent[]) => {
  // Windows of reported runs do not begin with a game day.
  const windows = reported.map(({ startsAt }) => startsAt).join();
  return `${calendarEventsKeyAt(now)} ${stampyPeriod} ${types?.toSorted().join(',') ?? 'all'} ${windows}`;
};

const reportedEvents = (now: UnixSeconds, { stampyPeriod }: Settings, runs: Runs) =>
  luxionEventsAt(now, runs, calendarRulesOf[stampyPeriod]);

/** Events of the game day of `now`. Serialized once per day, which is most of the cost of the calendar. */
function dayEvents(now: UnixSeconds, settings: Settings, types: Types, runs: Runs): DayEvents {
  const reported = reportedEvents(now, settings, runs);
  const key = keyOf(now, settings, types, reported);
  const cached = days.get(key);
  if (cached) return cached;
  const all = calendarAt(now, calendarRulesOf[settings.stampyPeriod]).events;
  const computed = types ? all.filter(({ type }) => types.includes(type)) : all;
  const events = reported.length === 0 ? computed : [...computed, ...reported].sort(byStartThenType);
  const tail = `"count":${events.length},"events":${JSON.stringify(events.map(toCalendarEventBody))}}`;
  const day = { events, tail, etag: `W/"${digestOf(tail)}"` };
  days.set(key, day);
  return day;
}

/** The calendar with its default types, or with some. `runs`: reported runs to include. */
export function calendarOf(
  now: UnixSeconds,
  settings: Settings,
  types: Types,
  runs: Runs = [],
): Representation<z.infer<typeof CalendarBody>> {
  const { tail, etag } = dayEvents(now, settings, types, runs);
  const halfWindow = calendarRules.halfWindowSeconds;
  return { kind: 'json', text: `{"starts_at":${now - halfWindow},"ends_at":${now + halfWindow},"generated_at":${now},${tail}`, etag };
}

export const calendarBody: ComputedBody<z.infer<typeof CalendarBody>> = (now, settings) => calendarOf(now, settings, undefined);

/** Types of a calendar file by default. The plants occur nearly every day. */
const DEFAULT_FILE_TYPES = CALENDAR_EVENT_TYPES.filter((type) => type !== 'gardening_2' && type !== 'gardening_3');

/** The calendar as an iCalendar file for a host. Default types: all except the plants. */
export function calendarFile(
  now: UnixSeconds,
  settings: Settings,
  host: string,
  types: Types = DEFAULT_FILE_TYPES,
  runs: Runs = [],
): RawReply {
  const key = `${keyOf(now, settings, types, reportedEvents(now, settings, runs))} ${host}`;
  const file = files.get(key) ?? createFile(dayEvents(now, settings, types, runs).events, host);
  files.set(key, file);
  return { ...file, maxAge: Math.min(FILE_MAX_AGE, gameDayStart(now) + SECONDS_PER_DAY - now) };
}

function createFile(events: readonly CalendarEvent[], host: string): RawReply {
  const body = calendarIcs(events, { host, name: 'Game rotations' });
  return {
    kind: 'raw',
    body,
    contentType: 'text/calendar; charset=utf-8',
    etag: `"${digestOf(body)}"`,
    headers: { 'Content-Disposition': 'inline; filename="calendar.ics"' },
  };
}
