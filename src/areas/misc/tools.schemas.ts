import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import type { SoftwareCategory } from './software.data.ts';
import type { ConvertedTime, ZoneClock } from './time.domain.ts';
import { chatTimestampStyles, type TimeZone } from './time-zones.data.ts';

const text = (description: string, example: string) => z.string().openapi({ description, example });
const instant = (description: string) => z.number().int().openapi({ description, example: 1_780_617_600 });
const count = (description: string, example: number) => z.number().int().openapi({ description, example });

const SoftwareItem = z
  .object({
    name: text('Name of the program.', 'MagicaVoxel'),
    free: z.boolean().openapi({ description: 'Whether the program is free.', example: true }),
    url: text('URL of the program.', 'https://ephtracy.github.io/'),
    description: text('Description in one sentence.', 'Lightweight 8-bit voxel editor with a path-tracing renderer.'),
  })
  .openapi('Software', { description: 'A program for modding.' });

const SoftwareCategoryBody = z
  .object({
    key: text('Key of the category.', 'blueprints'),
    description: text('Purpose of the programs in the category.', 'Voxel model editors.'),
    software: z.array(SoftwareItem).openapi({ description: 'The programs.' }),
  })
  .openapi('SoftwareCategory', { description: 'A category of programs.' });

export const SoftwareBody = z
  .object({
    categories: z.array(SoftwareCategoryBody).openapi({ description: 'The categories in display order.' }),
    count: count('Number of categories.', 5),
  })
  .openapi('SoftwareList', { description: 'Modding software by category.' });

export function toSoftwareBody(categories: readonly SoftwareCategory[]): z.infer<typeof SoftwareBody> {
  return {
    categories: categories.map(({ key, description, software }) => ({ key, description, software: [...software] })),
    count: categories.length,
  };
}

const TimeZoneBody = z
  .object({
    id: text('`game`, `UTC` or an IANA time zone id.', 'Europe/Paris'),
    name: text('Display name.', 'Central Europe (FR, DE, ES)'),
  })
  .openapi('TimeZone', { description: 'A time zone of the service.' });

export const TimeZonesBody = z
  .object({
    items: z.array(TimeZoneBody).openapi({ description: 'The zones in display order.' }),
    count: count('Number of zones.', 11),
  })
  .openapi('TimeZones', { description: 'The zones of the time tools.' });

export function toTimeZonesBody(zones: readonly TimeZone[]): z.infer<typeof TimeZonesBody> {
  return { items: [...zones], count: zones.length };
}

const ZoneClockBody = z
  .object({
    id: text('Id of the zone.', 'Europe/Paris'),
    name: text('Display name.', 'Central Europe (FR, DE, ES)'),
    datetime: text('Local time with its offset from UTC; the offset of UTC is `+00:00`.', '2026-06-05T02:00:00+02:00'),
    date: text('Local date: English month, two-digit day.', 'Jun 05, 2026'),
    time: text('Local time of day, 24 hours.', '02:00:00'),
  })
  .openapi('ZoneClock', { description: 'Local time in a zone.' });

const zones = z.array(ZoneClockBody).openapi({ description: 'Local times of all zones in display order.' });

export const TimeNowBody = z
  .object({ unix: instant('Current time (unix seconds).'), zones })
  .openapi('TimeNow', { description: 'The current time in every zone.' });

export function toTimeNowBody(unix: number, clocks: ZoneClock[]): z.infer<typeof TimeNowBody> {
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
    label: text('Name and example of the format.', 'Relative (in 2 months)'),
    code: text('Code to paste into a chat message.', '<t:1780617600:R>'),
  })
  .openapi('ChatTimestampCode', { description: 'A timestamp code that chat programs render in the local time of the reader.' });

export const TimeConvertBody = z
  .object({
    unix: instant('Unix seconds.'),
    iso_utc: text('ISO 8601 in UTC.', '2026-06-05T00:00:00+00:00'),
    zones,
    chat_timestamp_codes: z.array(ChatTimestampCode).openapi({ description: 'One code per format.' }),
  })
  .openapi('TimeConvert', { description: 'A point in time in every zone.' });

export function toTimeConvertBody(time: ConvertedTime): z.infer<typeof TimeConvertBody> {
  const codes = time.chatTimestampCodes as z.infer<typeof ChatTimestampCode>[];
  return { unix: time.unix, iso_utc: time.isoUtc, zones: time.zones, chat_timestamp_codes: codes };
}
