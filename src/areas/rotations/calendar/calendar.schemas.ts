import { z } from '@hono/zod-openapi';
import { enumOf } from '../../../platform/http/bodies/body-schemas.ts';
import { nameList } from '../../../platform/http/pipeline/query-schemas.ts';
import { FLUXION_WINDOW_STATES } from '../computed/merchants.domain.ts';
import { AtQuery, instant, toWindow } from '../rotations.schemas.ts';
import { CALENDAR_TYPES, type CalendarEvent } from './calendar.domain.ts';

export const CalendarFileQuery = AtQuery.extend({
  types: nameList(CALENDAR_TYPES, {
    description: 'Event types to include; defaults to all except the plants (gardening_2, gardening_3) and luxion.',
    example: ['corruxion', 'fluxion'],
  }).optional(),
});

export const CalendarQuery = AtQuery.extend({
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
    starts_at: instant('Start (unix seconds).', 1_773_140_400),
    ends_at: instant('End, exclusive (unix seconds).', 1_773_399_600),
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
    starts_at: instant('Start of the window: 365 days before `generated_at`.', 1_741_620_600),
    ends_at: instant('End of the window: 365 days after `generated_at`.', 1_804_692_600),
    generated_at: instant('Reference time of the calendar.', 1_773_156_600),
    count: z.number().int().openapi({ description: 'Number of events.', example: 1080 }),
    events: z.array(CalendarEventBody).openapi({ description: 'Events by start, then by type; not clipped to the window.' }),
  })
  .openapi('Calendar', { description: 'All recurring rotations around a point in time.' });

export function toCalendarEventBody(event: CalendarEvent): z.infer<typeof CalendarEventBody> {
  const { type, name, color, state, biomes } = event;
  return {
    type,
    name,
    ...toWindow(event),
    ...(color === undefined ? {} : { color }),
    ...(state === undefined ? {} : { state }),
    ...(biomes === undefined ? {} : { biomes: biomes.map((biome) => ({ name: biome.name, icon: biome.icon })) }),
  };
}
