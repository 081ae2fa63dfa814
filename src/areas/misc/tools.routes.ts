import { publicAccess } from '../../platform/access/policy/policy.ts';
import { badRequest } from '../../platform/errors/api-error.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { SECONDS_PER_DAY } from '../../platform/time/clock.ts';
import { softwareCategories } from './software.data.ts';
import { convertTime, type TimeFault } from './time-convert.domain.ts';
import { timeZones } from './time-zones.data.ts';
import {
  SoftwareBody,
  TimeConvertBody,
  TimeConvertInput,
  TimeNowBody,
  TimeZonesBody,
  toSoftwareBody,
  toTimeConvertBody,
  toTimeNowBody,
  toTimeZonesBody,
} from './tools.schemas.ts';
import { zoneClocksAt } from './zone-clock.domain.ts';

const shared = { tag: 'Misc', access: publicAccess('misc:read') } as const;

const softwareList = json(toSoftwareBody(softwareCategories), { maxAge: SECONDS_PER_DAY });
const zoneList = json(toTimeZonesBody(timeZones), { maxAge: SECONDS_PER_DAY });

const CONVERT = `Shows a point in time in every zone, with the codes that chat programs show in the reader's own time.

Where clocks are set back, a local time that happens twice means the first one. Where they are set forward, a local time that does not happen is read with the offset before the change, so it comes out later by the length of the gap: 02:30 in Paris on 2025-03-30 is 03:30.`;

const FAULTS: Readonly<Record<TimeFault, string>> = {
  no_datetime: 'datetime is required unless unix is given',
  bad_datetime: 'datetime must look like YYYY-MM-DDTHH:MM and be a time that exists in the calendar',
  unknown_zone: 'timezone must be game, UTC or an id of the IANA time zone database',
  out_of_range: 'the instant must lie within the years 1 to 9999',
};

/** What is the same for everyone and needs no storage: software, zones, clocks. */
export const toolEndpoints: Endpoint[] = [
  defineRoute({
    ...shared,
    method: 'get',
    path: '/v1/misc/software',
    operationId: 'listSoftware',
    summary: 'List modding software',
    description: 'Programs for editing the game files, by category.',
    ok: { description: 'The categories.', schema: SoftwareBody },
  }).handle(() => softwareList),

  defineRoute({
    ...shared,
    method: 'get',
    path: '/v1/misc/timezones',
    operationId: 'listTimeZones',
    summary: 'List time zones',
    description: 'The zones of the time tools. `game` is the clock of the game server, UTC-11 all year.',
    ok: { description: 'The zones.', schema: TimeZonesBody },
  }).handle(() => zoneList),

  defineRoute({
    ...shared,
    method: 'get',
    path: '/v1/misc/time/now',
    operationId: 'getTimeNow',
    summary: 'List current zone times',
    description: 'This moment in every zone.',
    ok: { description: 'The clocks.', schema: TimeNowBody },
  }).handle(({ now }) => json(toTimeNowBody(now, zoneClocksAt(now, timeZones)))),

  defineRoute({
    ...shared,
    method: 'post',
    isStateless: true,
    path: '/v1/misc/time/convert',
    operationId: 'convertTime',
    summary: 'Convert a time',
    description: CONVERT,
    body: TimeConvertInput,
    ok: { description: 'The time in every zone.', schema: TimeConvertBody },
  }).handle(({ body }) => {
    const { datetime = null, timezone, unix = null } = body;
    const converted = convertTime({ datetime, timezone, unix }, timeZones);
    if (!converted.ok) throw badRequest(FAULTS[converted.fault]);
    return json(toTimeConvertBody(converted.time));
  }),
];
