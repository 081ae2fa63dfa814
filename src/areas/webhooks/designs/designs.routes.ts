import { z } from '@hono/zod-openapi';
import type { Caller } from '../../../platform/access/policy/admission.ts';
import { sessionAccess } from '../../../platform/access/policy/policy.ts';
import { sessionOf } from '../../../platform/access/sessions/session-admission.ts';
import { severalLines } from '../../../platform/http/bodies/typed-texts.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json, noContent } from '../../../platform/http/replies/reply.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import { toIso } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { createTemplateSchemas } from '../events/template.schemas.ts';
import type { WebhookEvents } from '../events/webhook-events.domain.ts';
import {
  DRAWING_BOUNDS,
  ELEMENTS,
  MAX_DESIGN_NAME_LENGTH,
  MAX_ELEMENTS,
  MAX_SIDE,
  MAX_SPANS,
  MAX_STOPS,
  MAX_SVG_BYTES,
  MIN_SIDE,
} from './design.data.ts';
import type { Starter } from './design-starters.data.ts';
import type { CheckedDesign, DesignsService } from './designs.service.ts';

const EXAMPLE_ID = '5a0c2f9e-7d1b-4e64-9c35-2b8f6a1d0e47';
const EXAMPLE_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="120"><rect width="400" height="120" fill="#101826"/><text x="20" y="70" font-size="32" fill="#fff">{name}</text></svg>';

const id = z.string().max(64).openapi({ description: 'Id of the design.', example: EXAMPLE_ID });
const name = z.string().trim().min(1).max(MAX_DESIGN_NAME_LENGTH).openapi({ description: 'Display name.', example: 'Dark banner' });

const BOUNDS = [
  `${MAX_ELEMENTS} elements`,
  `${MAX_SPANS} tspan elements in a text`,
  `${MAX_STOPS} stops in a gradient`,
  ...Object.values(DRAWING_BOUNDS).map(({ max, unit }) => `${max} ${unit}`),
];
const SVG_DESCRIPTION = [
  `The drawing as SVG of at most ${MAX_SVG_BYTES / 1024} KiB; its width and height are those of the image: ${MIN_SIDE} to ${MAX_SIDE} pixels each.`,
  'Placeholders as in templates.',
  `Elements: ${Object.keys(ELEMENTS).join(', ')}.`,
  'An image must be an embedded PNG or JPEG, drawn no larger than its own size. Gradients must not have href, and their spreadMethod must be pad.',
  '`opacity` applies to each shape on its own. `clip-path`, `mask`, `filter` and `mix-blend-mode` are not supported.',
  `A drawing has at most ${BOUNDS.join(', ')}; areas outside the image count too.`,
].join(' ');

const svg = severalLines(z.string().min(1).max(MAX_SVG_BYTES).openapi({ description: SVG_DESCRIPTION, example: EXAMPLE_SVG }));

const DesignParams = z.object({ id });
/** Schemas with the names of the chat events. */
export function createDesignSchemas(events: Pick<WebhookEvents, 'chat'>) {
  const { WebhookEventName } = createTemplateSchemas(events);
  const DesignInput = z.object({ name, event: WebhookEventName, svg }).openapi('NewWebhookDesign');
  const DesignChanges = z
    .object({ name: name.optional(), event: WebhookEventName.optional(), svg: svg.optional() })
    .openapi('WebhookDesignChanges');
  const DesignPreviewInput = z.object({ svg, event: WebhookEventName }).openapi('WebhookDesignPreview');

  const DesignBody = z
    .object({
      id,
      name,
      event: WebhookEventName,
      svg,
      width: z.number().int().openapi({ description: 'Width of the image, in pixels.', example: 400 }),
      height: z.number().int().openapi({ description: 'Height of the image, in pixels.', example: 120 }),
      problem: z.string().nullable().openapi({
        description: 'Why the design cannot be drawn and messages are sent without its image; null: it can be drawn.',
        example: null,
      }),
      created_at: z.string().openapi({ description: 'Creation time.', example: '2026-03-10T15:00:00.000Z' }),
      updated_at: z.string().openapi({ description: 'Time of the last change.', example: '2026-03-10T15:00:00.000Z' }),
    })
    .openapi('WebhookDesign', { description: 'A design: an image drawn for each message.' });

  const DesignsBody = z
    .object({
      items: z.array(DesignBody).openapi({ description: 'Newest first.' }),
      count: z.number().int().openapi({ description: 'Number of designs.', example: 1 }),
    })
    .openapi('WebhookDesigns', { description: 'Designs of the account.' });

  const StartersBody = z
    .object({
      items: z
        .array(z.object({ name, event: WebhookEventName, svg }).openapi('WebhookDesignStarter', { description: 'A starter design.' }))
        .openapi({ description: 'One per event.' }),
    })
    .openapi('WebhookDesignStarters', { description: 'Starter designs.' });

  return { DesignInput, DesignChanges, DesignPreviewInput, DesignBody, DesignsBody, StartersBody };
}
type DesignSchemas = ReturnType<typeof createDesignSchemas>;

export function toDesignBody({ userId: _, createdAt, updatedAt, ...design }: CheckedDesign): z.infer<DesignSchemas['DesignBody']> {
  return { ...design, created_at: toIso(createdAt), updated_at: toIso(updatedAt) };
}

/** Room for a drawing of 64 KiB in JSON with every character escaped. */
const BODY_LIMIT = 512 * 1024;

const shared = {
  tag: 'Webhooks',
  surface: 'portal',
  hidden: true,
  access: sessionAccess(),
  feature: 'featureImageStudioEnabled',
  bodyLimit: BODY_LIMIT,
} as const;

/** `/v1/webhooks/designs`: image designs for webhook messages. */
export function createDesignEndpoints(service: DesignsService, schemas: DesignSchemas, starters: readonly Starter[]): Endpoint[] {
  return [...readEndpoints(service, schemas, starters), ...writeEndpoints(service, schemas)];
}

function readEndpoints(service: DesignsService, schemas: DesignSchemas, starters: readonly Starter[]): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/v1/webhooks/designs',
      operationId: 'listWebhookDesigns',
      summary: 'List designs',
      description: 'Lists the designs of the account.',
      ok: { description: 'The designs.', schema: schemas.DesignsBody },
    }).handle(async ({ caller, settings }) => {
      const items = (await service.list(accountOf(caller, settings))).map(toDesignBody);
      return json({ items, count: items.length });
    }),

    defineRoute({
      ...shared,
      method: 'get',
      path: '/v1/webhooks/designs/starters',
      operationId: 'listWebhookDesignStarters',
      summary: 'List starter designs',
      description: 'One design per event, to copy and edit.',
      ok: { description: 'The starter designs.', schema: schemas.StartersBody },
    }).handle(({ caller, settings }) => {
      accountOf(caller, settings);
      return json({ items: [...starters] });
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: '/v1/webhooks/designs/preview',
      operationId: 'previewWebhookDesign',
      summary: 'Preview a design',
      description: 'Draws a design with sample values of the event. Nothing is stored.',
      body: schemas.DesignPreviewInput,
      isStateless: true,
      errors: ['rate_limited', 'service_unavailable'],
      ok: { contentTypes: ['image/png'], description: 'The image.' },
    }).handle(async ({ caller, settings, body, now }) => {
      const png = await service.preview(accountOf(caller, settings), body.svg, body.event, settings, now);
      return { kind: 'raw', body: png, contentType: 'image/png' };
    }),
  ];
}

function writeEndpoints(service: DesignsService, schemas: DesignSchemas): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'post',
      path: '/v1/webhooks/designs',
      operationId: 'createWebhookDesign',
      summary: 'Create a design',
      description: 'Stores a design after a test drawing. An account may have ten.',
      body: schemas.DesignInput,
      errors: ['bad_request', 'rate_limited', 'service_unavailable'],
      ok: { status: 201, description: 'The design.', schema: schemas.DesignBody },
    }).handle(async ({ caller, settings, body, now }) =>
      json(toDesignBody(await service.create(accountOf(caller, settings), body, settings, now))),
    ),

    defineRoute({
      ...shared,
      method: 'patch',
      path: '/v1/webhooks/designs/{id}',
      operationId: 'editWebhookDesign',
      summary: 'Edit a design',
      description: 'Changes the given fields. The next message uses the edited design.',
      params: DesignParams,
      body: schemas.DesignChanges,
      bodyIsOptional: true,
      errors: ['not_found', 'conflict', 'rate_limited', 'service_unavailable'],
      ok: { description: 'The edited design.', schema: schemas.DesignBody },
    }).handle(async ({ caller, settings, params, body, now }) =>
      json(toDesignBody(await service.edit(accountOf(caller, settings), params.id, body, settings, now))),
    ),

    defineRoute({
      ...shared,
      method: 'delete',
      path: '/v1/webhooks/designs/{id}',
      operationId: 'deleteWebhookDesign',
      summary: 'Delete a design',
      description: 'Deletes a design. Messages whose template refers to it are sent without an image.',
      params: DesignParams,
      errors: ['not_found'],
      ok: { status: 204, contentTypes: [], description: 'Deleted.' },
    }).handle(async ({ caller, settings, params }) => {
      await service.remove(accountOf(caller, settings), params.id);
      return noContent();
    }),
  ];
}

/** Account of the session. Throws 404 while webhooks are disabled. */
function accountOf(caller: Caller, settings: Settings): string {
  if (!settings.featureWebhooksEnabled) throw notFound('path not found');
  return sessionOf(caller).userId;
}
