import { z } from '@hono/zod-openapi';
import { STANDARD_GROUP, tokenAccess } from '../../platform/access/policy/policy.ts';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import { type FormLimits, readForm } from '../../platform/http/bodies/multipart.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { CharacterSheetService } from './character-sheet.service.ts';
import { KNOWN_STATS } from './character-stats.data.ts';
import type { CharacterStats, ReadStat, SheetReading } from './character-stats.domain.ts';
import { MAX_FORM_BYTES } from './limits.domain.ts';
import { ocrRateLimit } from './ocr.settings.ts';

/** For the OpenAPI document only: the form is parsed as a stream. */
export const ScreenshotForm = z
  .object({
    file: z.string().openapi({
      format: 'binary',
      description: 'Screenshot: PNG, JPEG, WebP, GIF or BMP, up to 9.5 megapixels (a 4K screen has 8.3).',
      example: 'sheet.png',
    }),
  })
  .openapi('ScreenshotForm', { description: 'A form with a screenshot of a character sheet.' });

export const StatBody = z
  .object({
    value: z.number().openapi({ description: 'Value; an integer if the stat is a count.', example: 702_115 }),
    unit: namedEnum('ReadStatUnit', 'Unit of a stat.', ['count', 'percent']).openapi({
      description: 'Unit of the value.',
      example: 'count',
    }),
    raw: z.string().openapi({ description: 'Number as read; empty for a derived value.', example: '702,115' }),
    confidence: z.number().min(0).max(1).openapi({ description: 'Confidence, 0 to 1. Reliable from 0.9.', example: 1 }),
    in_range: z.boolean().openapi({ description: 'Whether the value is possible in the game.', example: true }),
    type_match: z.boolean().openapi({ description: 'Whether the presence of a percent sign matches the stat.', example: true }),
    derived: z.boolean().openapi({ description: 'Whether the value is computed from other stats.', example: false }),
  })
  .openapi('ReadStat', { description: 'A recognised stat.' });

const stats = Object.fromEntries(KNOWN_STATS.map(({ key }) => [key, StatBody.optional()]));

export const CharacterBody = z
  .object({
    stats: z.object(stats).openapi({ description: 'Recognised stats.' }),
    matched: z.number().int().openapi({ description: 'Number of recognised stats.', example: 11 }),
    total_known: z.number().int().openapi({ description: 'Number of known stats.', example: KNOWN_STATS.length }),
    lines: z.array(z.string()).openapi({ description: 'Text of the image, row by row.', example: ['Magic Damage 702,115'] }),
  })
  .openapi('CharacterSheet', { description: 'Stats of a screenshot.' });

function toCharacterBody({ stats: read, matched, totalKnown, lines }: SheetReading): z.infer<typeof CharacterBody> {
  return { stats: toStatBodies(read), matched, total_known: totalKnown, lines };
}

/** Stats in the order of `KNOWN_STATS`. */
function toStatBodies(read: CharacterStats['stats']): Record<string, z.infer<typeof StatBody>> {
  return Object.fromEntries(
    KNOWN_STATS.flatMap(({ key }) => {
      const stat = read[key];
      return stat ? [[key, toStatBody(stat)]] : [];
    }),
  );
}

export function toStatBody({ value, unit, raw, confidence, inRange, typeMatch, derived }: ReadStat): z.infer<typeof StatBody> {
  return { value, unit, raw, confidence, in_range: inRange, type_match: typeMatch, derived };
}

export const FORM_LIMITS: FormLimits = { total: MAX_FORM_BYTES, file: MAX_FORM_BYTES, files: 1, field: 4096, fields: 4, seconds: 120 };
/** The chunks of the form, and the joined image. The reading announces its own memory. */
export const MEMORY_FACTOR = 2;

const DESCRIPTION = `Reads the stats from a screenshot of a character sheet, in English, French, German, Spanish or Portuguese. The image is not stored.

Only stats of a fixed list are recognised. \`confidence\` rates each reading: numbers are read twice, and a readable coefficient verifies the stats it depends on. If the sheet shows no coefficient, it is derived with the formula of \`/v1/stats/coefficient\`.

An image with too many pixels, JPEG scans or characters returns 422; crop it to the character sheet.`;

/** `POST /v1/ocr/character`. */
export function createOcrEndpoint(service: CharacterSheetService): Endpoint {
  return defineRoute({
    method: 'post',
    path: '/v1/ocr/character',
    operationId: 'readCharacterSheet',
    tag: 'OCR',
    summary: 'Read stats from a screenshot',
    description: DESCRIPTION,
    access: tokenAccess('ocr:read', STANDARD_GROUP, ocrRateLimit),
    isStateless: true,
    rawBody: { contentTypes: ['multipart/form-data'], description: 'The multipart form.', schema: ScreenshotForm },
    bodyLimit: MAX_FORM_BYTES,
    memory: MEMORY_FACTOR,
    errors: ['validation_error', 'service_unavailable'],
    ok: { description: 'The recognised stats.', schema: CharacterBody },
  }).handle(async ({ request, reserve }) => json(toCharacterBody(await service.read(await readForm(request, FORM_LIMITS, reserve)))));
}
