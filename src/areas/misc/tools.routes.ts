import { z } from '@hono/zod-openapi';
import { publicAccess } from '../../platform/access/policy/policy.ts';
import { integer, namedEnum, string } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { badRequest } from '../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import { type SoftwareCategory, softwareCategories } from './software.data.ts';
import { type ConvertedTime, convertTime, type TimeFault, type ZoneClock, zoneClocksAt } from './time.domain.ts';
import { chatTimestampStyles, type TimeZone, timeZones } from './time-zones.data.ts';

const instant = (description: string) => z.number().int().openapi({ description, example: 1_780_617_600 });

const SoftwareItem = z
  .object({
    name: string('Name of the program.', 'MagicaVoxel'),
    free: z.boolean().openapi({ description: 'Whether the program is free.', example: true }),
    url: string('URL of the program.', 'https://ephtracy.github.io/'),
    description: string('Description in one sentence.', 'Lightweight 8-bit voxel editor with a path-tracing renderer.'),
  })
  .openapi('Software', { description: 'A program for modding.' });

const SoftwareCategoryBody = z
  .object({
    key: string('Key of the category.', 'blueprints'),
    description: string('Purpose of the programs in the category.', 'Voxel model editors.'),
    software: z.array(SoftwareItem).openapi({ description: 'The programs.' }),
  })
  .openapi('SoftwareCategory', { description: 'A category of programs.' });

const SoftwareBody = z
  .object({
    categories: z.array(SoftwareCategoryBody).openapi({ description: 'The categories in display order.' }),
    count: integer('Number of categories.', 5),
  })
  .openapi('SoftwareList', { description: 'Modding software by category.' });

function toSoftwareBody(categories: readonly SoftwareCategory[]): z.infer<typeof SoftwareBody> {
  return {
    categories: categories.map(({ key, description, software }) => ({ key, description, software: [...software] })),
    count: categories.length,
  };
}

const TimeZoneBody = z
  .object({
    id: string('`game`, `UTC` or an IANA time zone id.', 'Europe/Paris'),
    name: string('Display name.', 'Central Europe (FR, DE, ES)'),
  })
  .openapi('TimeZone', { description: 'A time zone of the service.' });

const TimeZonesBody = z
  .object({
    items: z.array(TimeZoneBody).openapi({ description: 'The zones in display order.' }),
    count: integer('Number of zones.', 11),
  })
  .openapi('TimeZones', { description: 'The zones of the time tools.' });

function toTimeZonesBody(zones: readonly TimeZone[]): z.infer<typeof TimeZonesBody> {
  return { items: [...zones], count: zones.length };
}

const ZoneClockBody = z
  .object({
    id: string('Id of the zone.', 'Europe/Paris'),
    name: string('Display name.', 'Central Europe (FR, DE, ES)'),
    datetime: string('Local time with its offset from UTC; the offset of UTC is `+00:00`.', '2026-06-05T02:00:00+02:00'),
    date: string('Local date: English month, two-digit day.', 'Jun 05, 2026'),
    time: string('Local time of day, 24 hours.', '02:00:00'),
  })
  .openapi('ZoneClock', { description: 'Local time in a zone.' });

const zones = z.array(ZoneClockBody).openapi({ description: 'Local times of all zones in display order.' });

export const TimeNowBody = z
  .object({ unix: instant('Current time (unix seconds).'), zones })
  .openapi('TimeNow', { description: 'The current time in every zone.' });

function toTimeNowBody(unix: number, clocks: ZoneClock[]): z.infer<typeof TimeNowBody> {
  return { unix, zones: clocks };
}

const DATETIME =
  'Local date and time, `YYYY-MM-DDTHH:MM` with optional seconds and fraction (a space may replace the `T`), or a date alone for midnight. With `Z` or an offset `±HH:MM`, `timezone` is ignored. Fractions are truncated towards zero. Required unless `unix` is given.';

export const TimeConvertInput = z
  .object({
    datetime: z.string().nullable().optional().openapi({ description: DATETIME, example: '2026-06-05T02:00' }),
    timezone: z.string().default('UTC').openapi({
      description: 'Time zone of `datetime`: `game`, `UTC` or an IANA time zone id. Offsets such as `+05:30` are not accepted.',
      example: 'Europe/Paris',
    }),
    unix: z.number().int().nullable().optional().openapi({
      description: 'Point in time (unix seconds, years 1 to 9999). If given, `datetime` and `timezone` are ignored.',
      example: null,
    }),
  })
  .openapi('TimeConvertInput', { description: 'A point in time: unix seconds, or a local time in a zone.' });

const ChatTimestampCode = z
  .object({
    style: namedEnum(
      'ChatTimestampStyle',
      'Letter of a chat timestamp format.',
      chatTimestampStyles.map(({ style }) => style),
    ).openapi({ description: 'Letter of the format.', example: 'R' }),
    label: string('Name and example of the format.', 'Relative (in 2 months)'),
    code: string('Code to paste into a chat message.', '<t:1780617600:R>'),
  })
  .openapi('ChatTimestampCode', { description: 'A timestamp code that chat programs render in the local time of the reader.' });

export const TimeConvertBody = z
  .object({
    unix: instant('Unix seconds.'),
    iso_utc: string('ISO 8601 in UTC.', '2026-06-05T00:00:00+00:00'),
    zones,
    chat_timestamp_codes: z.array(ChatTimestampCode).openapi({ description: 'One code per format.' }),
  })
  .openapi('TimeConvert', { description: 'A point in time in every zone.' });

function toTimeConvertBody(time: ConvertedTime): z.infer<typeof TimeConvertBody> {
  const codes = time.chatTimestampCodes as z.infer<typeof ChatTimestampCode>[];
  return { unix: time.unix, iso_utc: time.isoUtc, zones: time.zones, chat_timestamp_codes: codes };
}

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
