import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import { KNOWN_STATS } from './character-stats.data.ts';
import type { CharacterStats, ReadStat, SheetReading } from './character-stats.domain.ts';

/** The form, for the document: it is read as it comes. */
export const ScreenshotForm = z
  .object({
    file: z.string().openapi({
      format: 'binary',
      description: 'The screenshot: PNG, JPEG, WebP, GIF or BMP, up to 9.5 megapixels (a 4K screen has 8.3).',
      example: 'sheet.png',
    }),
  })
  .openapi('ScreenshotForm', { description: 'A form with a screenshot of a character sheet.' });

const StatBody = z
  .object({
    value: z.number().openapi({ description: 'The value; a whole number where the stat is a count.', example: 702_115 }),
    unit: namedEnum('ReadStatUnit', 'Unit of a stat.', ['count', 'percent']).openapi({
      description: 'What the value counts.',
      example: 'count',
    }),
    raw: z.string().openapi({ description: 'The number as it was read; empty for a derived value.', example: '702,115' }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .openapi({ description: 'How sure the reading is, 0 to 1. From 0.9 on it can be relied on.', example: 1 }),
    in_range: z.boolean().openapi({ description: 'Whether the game can show such a value.', example: true }),
    type_match: z.boolean().openapi({ description: 'Whether there was a percent sign just when the stat has one.', example: true }),
    derived: z.boolean().openapi({ description: 'Computed from other stats instead of read.', example: false }),
  })
  .openapi('ReadStat', { description: 'A stat as it was read.' });

const stats = Object.fromEntries(KNOWN_STATS.map(({ key }) => [key, StatBody.optional()]));

export const CharacterBody = z
  .object({
    stats: z.object(stats).openapi({ description: 'The stats that were recognised, and no others.' }),
    matched: z.number().int().openapi({ description: 'How many were recognised.', example: 11 }),
    total_known: z.number().int().openapi({ description: 'How many the service knows.', example: KNOWN_STATS.length }),
    lines: z.array(z.string()).openapi({ description: 'The text of the picture, row by row.', example: ['Magic Damage 702,115'] }),
  })
  .openapi('CharacterSheet', { description: 'The stats on a screenshot.' });

export function toCharacterBody({ stats: read, matched, totalKnown, lines }: SheetReading): z.infer<typeof CharacterBody> {
  return { stats: toStatBodies(read), matched, total_known: totalKnown, lines };
}

/** In the order of the sheet. */
function toStatBodies(read: CharacterStats['stats']): Record<string, z.infer<typeof StatBody>> {
  return Object.fromEntries(
    KNOWN_STATS.flatMap(({ key }) => {
      const stat = read[key];
      return stat ? [[key, toStatBody(stat)]] : [];
    }),
  );
}

function toStatBody({ value, unit, raw, confidence, inRange, typeMatch, derived }: ReadStat): z.infer<typeof StatBody> {
  return { value, unit, raw, confidence, in_range: inRange, type_match: typeMatch, derived };
}
