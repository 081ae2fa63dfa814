import { z } from '@hono/zod-openapi';
import { feedbackAccess, sessionAccess } from '../../platform/access/policy/policy.ts';
import type { Ports } from '../../platform/area/area.ts';
import { readForm } from '../../platform/http/bodies/multipart.ts';
import { type AnyRouteSpec, defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError } from '../../platform/kit/errors/api-error.ts';
import type { CharacterSheetService } from './character-sheet.service.ts';
import { KNOWN_STATS } from './character-stats.data.ts';
import type { SheetReading } from './character-stats.domain.ts';
import { MAX_FORM_BYTES } from './limits.domain.ts';
import { FORM_LIMITS, MEMORY_FACTOR, ScreenshotForm, StatBody, toStatBody } from './ocr.routes.ts';
import { allVisitorsRateLimit, ocrRateLimit, visitorRateLimit } from './ocr.settings.ts';

const pixel = (description: string, example: number) => z.number().int().openapi({ description, example });

const PageStatBody = StatBody.extend({
  key: z.string().openapi({ description: 'Name of the stat.', example: 'magic_damage' }),
  box: z
    .object({
      left: pixel('Left edge.', 412),
      top: pixel('Upper edge.', 96),
      right: pixel('Right edge.', 498),
      bottom: pixel('Lower edge.', 118),
    })
    .nullable()
    .openapi({ description: 'Place of the number in the image, in pixels; null for a derived value.' }),
}).openapi('PageReadStat', { description: 'A recognised stat, with its place in the image.' });

const PageReadingBody = z
  .object({ stats: z.array(PageStatBody).openapi({ description: 'Recognised stats, in the order of the sheet.' }) })
  .openapi('PageReading', { description: 'Stats of a screenshot, for the page of the tool.' });

function toPageBody({ stats, boxes }: SheetReading): z.infer<typeof PageReadingBody> {
  return {
    stats: KNOWN_STATS.flatMap(({ key }) => {
      const stat = stats[key];
      return stat ? [{ key, ...toStatBody(stat), box: boxes.get(key) ?? null }] : [];
    }),
  };
}

/** Form field with the response of the captcha. */
const CAPTCHA_FIELD = 'captcha_token';

const shared = {
  method: 'post',
  tag: 'OCR',
  surface: 'portal',
  hidden: true,
  isStateless: true,
  rawBody: { contentTypes: ['multipart/form-data'], description: 'The multipart form.', schema: ScreenshotForm },
  bodyLimit: MAX_FORM_BYTES,
  memory: MEMORY_FACTOR,
  ok: { description: 'The recognised stats.', schema: PageReadingBody },
} as const satisfies Partial<AnyRouteSpec>;

/** Reading of a screenshot on the page of the tool: for signed-in accounts, charged like `/v1/ocr/character`, and for visitors with a captcha. */
export function createPageReadingEndpoints(service: CharacterSheetService, { requireCaptcha }: Pick<Ports, 'requireCaptcha'>): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      path: '/ocr/account',
      operationId: 'readSheetOfAccount',
      summary: 'Read a screenshot of an account',
      description: 'Reads the stats from a screenshot for a signed-in account. The image is not stored.',
      access: sessionAccess('ordinary', ocrRateLimit),
      errors: ['validation_error', 'service_unavailable'],
    }).handle(async ({ request, reserve }) => json(toPageBody(await service.read(await readForm(request, FORM_LIMITS, reserve))))),

    defineRoute({
      ...shared,
      path: '/ocr/visitor',
      operationId: 'readSheetOfVisitor',
      summary: 'Read a screenshot of a visitor',
      description: 'Reads the stats from a screenshot for a visitor who solved the captcha. The image is not stored.',
      access: feedbackAccess(visitorRateLimit, allVisitorsRateLimit),
      errors: ['captcha_failed', 'validation_error', 'service_unavailable'],
    }).handle(async (input) => {
      const form = await readForm(input.request, FORM_LIMITS, input.reserve);
      await requireCaptcha(input, 'read-sheet', form.fields.get(CAPTCHA_FIELD));
      if (await input.chargeLater())
        throw new ApiError('rate_limited', 'visitors have had all screenshots of today read', { hint: 'sign in to have yours read' });
      return json(toPageBody(await service.read(form)));
    }),
  ];
}
