import { z } from '@hono/zod-openapi';
import { toIso } from '../../../platform/kit/time/clock.ts';
import { createTemplateSchemas } from '../templates/template.schemas.ts';
import type { WebhookEvents } from '../webhook-events.domain.ts';
import { ELEMENTS } from './design-elements.data.ts';
import {
  DRAWING_BOUNDS,
  MAX_DESIGN_NAME_LENGTH,
  MAX_ELEMENTS,
  MAX_SIDE,
  MAX_SPANS,
  MAX_STOPS,
  MAX_SVG_BYTES,
  MIN_SIDE,
} from './design-limits.data.ts';
import type { CheckedDesign } from './designs.service.ts';

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

const svg = z.string().min(1).max(MAX_SVG_BYTES).openapi({
  description: SVG_DESCRIPTION,
  example: EXAMPLE_SVG,
});

export const DesignParams = z.object({ id });
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
export type DesignSchemas = ReturnType<typeof createDesignSchemas>;

export function toDesignBody({ userId: _, createdAt, updatedAt, ...design }: CheckedDesign): z.infer<DesignSchemas['DesignBody']> {
  return { ...design, created_at: toIso(createdAt), updated_at: toIso(updatedAt) };
}
