import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { enumOf, integer } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { nameList } from '../../../platform/http/pipeline/query-schemas.ts';
import { digestOf, type RawReply, type Representation } from '../../../platform/http/replies/reply.ts';
import { gameDayStart, SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import { toFixedResponse } from '../computed/computed.routes.ts';
import { AtQuery } from '../computed/computed.schemas.ts';
import { FLUXION_WINDOW_STATES } from '../schedules/computed.domain.ts';
import type { LuxionRun } from '../schedules/luxion.domain.ts';
import {
  byStartThenType,
  CALENDAR_EVENT_TYPES,
  CALENDAR_TYPES,
  type CalendarEvent,
  type CalendarType,
  calendarAt,
  calendarEventsKeyAt,
  calendarRules,
  calendarRulesOf,
  luxionEventsAt,
} from './calendar.domain.ts';
import { calendarIcs } from './calendar-ics.domain.ts';

const CalendarFileQuery = AtQuery.extend({
  types: nameList(CALENDAR_TYPES, {
    description: 'Event types to include; defaults to all except the plants (gardening_2, gardening_3) and luxion.',
    example: ['corruxion', 'fluxion'],
  }).optional(),
});

const CalendarQuery = AtQuery.extend({
  types: nameList(CALENDAR_TYPES, {
    description: 'Event types to include; defaults to all except luxion.',
    example: ['corruxion', 'fluxion'],
  }).optional(),
});

const CalendarBiome = z
  .object({
    name: z.string().openapi({ description: 'Name of the biome.', example: 'Candoria' }),
    icon: z.string().openapi({ description: 'Icon token.', example: 'candy' }),
  })
  .openapi('CalendarBiome', { description: 'A biome of a calendar event.' });

const CalendarEventBody = z
  .object({
    type: enumOf(CALENDAR_TYPES).openapi({ description: 'Rotation of the event.', example: 'fluxion' }),
    name: z.string().openapi({ description: 'Display name.', example: 'Fluxion (Voting)' }),
    starts_at: integer('Start (unix seconds).', 1_773_140_400),
    ends_at: integer('End, exclusive (unix seconds).', 1_773_399_600),
    color: z
      .string()
      .optional()
      .openapi({ description: 'Six lower-case hexadecimal digits, if the type has a colour.', example: '5ca8cc' }),
    state: enumOf(FLUXION_WINDOW_STATES).optional().openapi({ description: 'Only for fluxion.', example: 'voting' }),
    biomes: z.array(CalendarBiome).optional().openapi({ description: 'Only for stampy and mana.' }),
  })
  .openapi('CalendarEvent', { description: 'One occurrence of a rotation.' });

export const CalendarBody = z
  .object({
    starts_at: integer('Start of the window: 365 days before `generated_at`.', 1_741_620_600),
    ends_at: integer('End of the window: 365 days after `generated_at`.', 1_804_692_600),
    generated_at: integer('Reference time of the calendar.', 1_773_156_600),
    count: z.number().int().openapi({ description: 'Number of events.', example: 1080 }),
    events: z.array(CalendarEventBody).openapi({ description: 'Events by start, then by type; not clipped to the window.' }),
  })
  .openapi('Calendar', { description: 'All recurring rotations around a point in time.' });

function toCalendarEventBody(event: CalendarEvent): z.infer<typeof CalendarEventBody> {
  const { type, name, starts_at, ends_at, color, state, biomes } = event;
  return {
    type,
    name,
    starts_at,
    ends_at,
    ...(color === undefined ? {} : { color }),
    ...(state === undefined ? {} : { state }),
    ...(biomes === undefined ? {} : { biomes: biomes.map((biome) => ({ name: biome.name, icon: biome.icon })) }),
  };
}

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
  const windows = reported.map((event) => event.starts_at).join();
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
function calendarOf(now: UnixSeconds, settings: Settings, types: Types, runs: Runs = []): Representation<z.infer<typeof CalendarBody>> {
  const { tail, etag } = dayEvents(now, settings, types, runs);
  const halfWindow = calendarRules.halfWindowSeconds;
  return { kind: 'json', text: `{"starts_at":${now - halfWindow},"ends_at":${now + halfWindow},"generated_at":${now},${tail}`, etag };
}

/** The calendar with its default types. */
export const calendarBody = (now: UnixSeconds, settings: Settings) => calendarOf(now, settings, undefined);

/** Types of a calendar file by default. The plants occur nearly every day. */
const DEFAULT_FILE_TYPES = CALENDAR_EVENT_TYPES.filter((type) => type !== 'gardening_2' && type !== 'gardening_3');

/** The calendar as an iCalendar file for a host. Default types: all except the plants. */
function calendarFile(now: UnixSeconds, settings: Settings, host: string, types: Types = DEFAULT_FILE_TYPES, runs: Runs = []): RawReply {
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

const access = publicAccess('rotations:read');

/** Reported runs that may overlap the calendar of a time. */
type RunsOfCalendar = (now: UnixSeconds) => Promise<readonly LuxionRun[]>;

/** The calendar as JSON and as a file. Reported rotations are read only when `types` names them. */
export function createCalendarEndpoints(runsOfCalendar: RunsOfCalendar): Endpoint[] {
  const runsFor = (now: UnixSeconds, types: readonly CalendarType[] | undefined) => (types?.includes('luxion') ? runsOfCalendar(now) : []);

  return [
    defineRoute({
      method: 'get',
      path: '/v1/rotations/calendar',
      operationId: 'getCalendar',
      tag: 'Rotations',
      summary: 'Get the rotation calendar',
      description:
        'Returns all recurring rotations from 365 days ago to 365 days ahead, by start; about 1,080 events. Excludes the three-hour biomes. The windows of the reported merchant Luxion are included only if `types` contains `luxion`.',
      access,
      query: CalendarQuery,
      ok: { description: 'Get the rotation calendar', schema: CalendarBody },
    }).handle(async ({ query, now, settings }) => {
      const { at, types } = query;
      const runs = await runsFor(at ?? now, types);
      const body = calendarOf(at ?? now, settings, types, runs);
      // A report may change the windows of any time.
      return at === undefined || types?.includes('luxion') ? body : toFixedResponse(body);
    }),

    defineRoute({
      method: 'get',
      path: '/v1/rotations/calendar.ics',
      operationId: 'getCalendarFile',
      tag: 'Rotations',
      summary: 'Get the iCalendar feed',
      description: 'Returns the calendar as an iCalendar file (RFC 5545), for calendar apps.',
      access,
      query: CalendarFileQuery,
      ok: { contentTypes: ['text/calendar'], description: 'iCalendar file.', example: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n…' },
    }).handle(async ({ query, now, settings, baseUrl }) => {
      const at = query.at ?? now;
      return calendarFile(at, settings, new URL(baseUrl).host, query.types, await runsFor(at, query.types));
    }),
  ];
}
