import { z } from '@hono/zod-openapi';
import { enumOf } from '../../../platform/http/bodies/body-schemas.ts';
import { WEBHOOK_EVENTS } from '../webhook-events.data.ts';
import { MAX_COLOR_LENGTH, MAX_DESIGN_ID_LENGTH, MAX_TEMPLATE_URL_LENGTH, MESSAGE_LIMITS } from './template.data.ts';

const text = (max: number, description: string, example: string) => z.string().max(max).default('').openapi({ description, example });

/** Name of an event that a webhook can be told of. */
export const WebhookEventName = enumOf(WEBHOOK_EVENTS).openapi({ description: 'Type of the event.', example: 'challenge' });

const FieldInput = z
  .object({
    name: text(MESSAGE_LIMITS.fieldName, 'Line above; may hold placeholders.', 'Type'),
    value: text(MESSAGE_LIMITS.fieldValue, 'Line below; may hold placeholders.', '{type_label}'),
    inline: z.boolean().default(true).openapi({ description: 'Beside others rather than below them.', example: true }),
  })
  .openapi('WebhookTemplateField', { description: 'A field of an embed.' });

/** A template as it is sent and shown. Every part may be left out. */
export const WebhookTemplate = z
  .object({
    enabled: z.boolean().default(false).openapi({ description: "False: the event's default embed is posted.", example: true }),
    content: text(MESSAGE_LIMITS.content, 'Text above the embed.', 'A new challenge!'),
    title: text(MESSAGE_LIMITS.title, 'Title of the embed.', '{name}'),
    url: text(MAX_TEMPLATE_URL_LENGTH, 'Where the title links to, when it starts with http.', 'https://example.com'),
    description: text(MESSAGE_LIMITS.description, 'Text of the embed.', 'Ends {ends_at:R}.'),
    color: text(MAX_COLOR_LENGTH, 'Colour of the edge: #RRGGBB, RRGGBB or a decimal number; anything else is none.', '#F2A33C'),
    fields: z.array(FieldInput).max(MESSAGE_LIMITS.fields).default([]).openapi({ description: 'Fields, in order; at most 25.' }),
    footer: text(MESSAGE_LIMITS.footer, 'Small text below.', 'Game Data API'),
    show_image: z.boolean().default(true).openapi({ description: 'Whether there is a picture at all.', example: true }),
    image_design_id: z
      .string()
      .max(MAX_DESIGN_ID_LENGTH)
      .nullable()
      .default(null)
      .openapi({ description: 'Design that is drawn for each post; must be yours and of this event.', example: null }),
    image_url: text(MAX_TEMPLATE_URL_LENGTH, 'Address of a picture, where there is no design.', ''),
  })
  .openapi('WebhookTemplate', {
    description: 'How an event is told. `{name}` is replaced by a variable of the event, `{name:R}` by a chat timestamp (t T d D f F R).',
  });

/** Templates by event. */
export const WebhookTemplates = z
  .object({
    challenge: WebhookTemplate.optional(),
    mod_release: WebhookTemplate.optional(),
    game_update: WebhookTemplate.optional(),
  })
  .openapi('WebhookTemplates', { description: 'Templates by event; an event without one is told with its default embed.' });
