import { publicAccess } from '../../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { toFixedResponse } from '../computed/computed.routes.ts';
import type { LuxionRun } from '../luxion/luxion.domain.ts';
import { calendarFile, calendarOf } from './calendar.bodies.ts';
import type { CalendarType } from './calendar.domain.ts';
import { CalendarBody, CalendarFileQuery, CalendarQuery } from './calendar.schemas.ts';

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
