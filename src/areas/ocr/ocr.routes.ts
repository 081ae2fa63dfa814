import { STANDARD_GROUP, tokenAccess } from '../../platform/access/policy/policy.ts';
import { type FormLimits, readForm } from '../../platform/http/bodies/multipart.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { CharacterSheetService } from './character-sheet.service.ts';
import { MAX_FORM_BYTES } from './ocr.data.ts';
import { CharacterBody, ScreenshotForm, toCharacterBody } from './ocr.schemas.ts';
import { ocrBudget } from './ocr.settings.ts';

const FORM_LIMITS: FormLimits = { total: MAX_FORM_BYTES, file: MAX_FORM_BYTES, files: 1, field: 4096, fields: 4, seconds: 120 };
/** The chunks of the form, and the joined image. The reading announces its own memory. */
const MEMORY_FACTOR = 2;

const DESCRIPTION = `Reads the stats from a screenshot of a character sheet, in English or French. The image is not stored.

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
    access: tokenAccess('ocr:read', STANDARD_GROUP, ocrBudget),
    isStateless: true,
    rawBody: { contentTypes: ['multipart/form-data'], description: 'The multipart form.', schema: ScreenshotForm },
    bodyLimit: MAX_FORM_BYTES,
    memory: MEMORY_FACTOR,
    errors: ['validation_error', 'service_unavailable'],
    ok: { description: 'The recognised stats.', schema: CharacterBody },
  }).handle(async ({ request, reserve }) => json(toCharacterBody(await service.read(await readForm(request, FORM_LIMITS, reserve)))));
}
