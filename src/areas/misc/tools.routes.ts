import { publicAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { badRequest } from '../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { softwareCategories } from './software.data.ts';
import { convertTime, type TimeFault, zoneClocksAt } from './time.domain.ts';
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

const shared = { tag: 'Misc', access: publicAccess('misc:read') } as const;

const softwareList = json(toSoftwareBody(softwareCategories), { maxAge: SECONDS_PER_DAY });
const zoneList = json(toTimeZonesBody(timeZones), { maxAge: SECONDS_PER_DAY });

const CONVERT = `Returns a point in time in every zone, with chat timestamp codes that render in the local time of the reader.

When clocks are set back, an ambiguous local time is the first occurrence. When clocks are set forward, a skipped local time is read with the offset before the change: 02:30 in Paris on 2025-03-30 is 03:30.`;

const FAULTS: Readonly<Record<TimeFault, string>> = {
  no_datetime: 'datetime or unix is required',
  bad_datetime: 'datetime must be a valid date and time in the format YYYY-MM-DDTHH:MM',
  unknown_zone: 'timezone must be game, UTC or an IANA time zone id',
  out_of_range: 'the time must be within the years 1 to 9999',
};

/** Endpoints without storage: software, zones, time tools. */
export const toolEndpoints: Endpoint[] = [
  defineRoute({
    ...shared,
    method: 'get',
    path: '/v1/misc/software',
    operationId: 'listSoftware',
    summary: 'List modding software',
    description: 'Lists programs for editing the game files, by category.',
    ok: { description: 'The categories.', schema: SoftwareBody },
  }).handle(() => softwareList),

  defineRoute({
    ...shared,
    method: 'get',
    path: '/v1/misc/timezones',
    operationId: 'listTimeZones',
    summary: 'List time zones',
    description: 'Lists the zones of the time tools. `game` is the clock of the game server, UTC-11 all year.',
    ok: { description: 'The zones.', schema: TimeZonesBody },
  }).handle(() => zoneList),

  defineRoute({
    ...shared,
    method: 'get',
    path: '/v1/misc/time/now',
    operationId: 'getTimeNow',
    summary: 'List current zone times',
    description: 'Lists the current time in every zone.',
    ok: { description: 'The current times.', schema: TimeNowBody },
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
