import { z } from '@hono/zod-openapi';
import { enumOf } from '../../../platform/http/bodies/body-schemas.ts';
import { severalLines } from '../../../platform/http/bodies/typed-texts.ts';
import {
  MAX_COLOR_LENGTH,
  MAX_DESIGN_ID_LENGTH,
  MAX_TEMPLATE_URL_LENGTH,
  MESSAGE_LIMITS,
  type Template,
  type Templates,
} from './template.domain.ts';
import type { WebhookEvents } from './webhook-events.domain.ts';

const text = (max: number, description: string, example: string) => z.string().max(max).default('').openapi({ description, example });
const prose = (...field: Parameters<typeof text>) => severalLines(text(...field));

const FieldInput = z
  .object({
    name: text(MESSAGE_LIMITS.fieldName, 'Heading of the field; may contain placeholders.', 'Type'),
    value: prose(MESSAGE_LIMITS.fieldValue, 'Text of the field; may contain placeholders.', '{type_label}'),
    inline: z.boolean().default(true).openapi({ description: 'Whether the field is shown beside others.', example: true }),
  })
  .openapi('WebhookTemplateField', { description: 'An embed field.' });

/** Template of an event in requests and responses. All fields are optional in requests. */
export const WebhookTemplate = z
  .object({
    enabled: z
      .boolean()
      .default(false)
      .openapi({ description: 'Whether the template is used; false: the default embed of the event.', example: true }),
    content: prose(MESSAGE_LIMITS.content, 'Text above the embed.', 'A new challenge!'),
    title: text(MESSAGE_LIMITS.title, 'Title of the embed.', '{name}'),
    url: text(MAX_TEMPLATE_URL_LENGTH, 'Link of the title; ignored unless it starts with http.', 'https://example.com'),
    description: prose(MESSAGE_LIMITS.description, 'Text of the embed.', 'Ends {ends_at:R}.'),
    color: text(MAX_COLOR_LENGTH, 'Colour of the edge: #RRGGBB, RRGGBB or a decimal number. Other values are ignored.', '#F2A33C'),
    fields: z.array(FieldInput).max(MESSAGE_LIMITS.fields).default([]).openapi({ description: 'Fields, in order; at most 25.' }),
    footer: prose(MESSAGE_LIMITS.footer, 'Footer text.', 'Game Data API'),
    show_image: z.boolean().default(true).openapi({ description: 'Whether the embed has an image.', example: true }),
    image_design_id: z
      .string()
      .max(MAX_DESIGN_ID_LENGTH)
      .nullable()
      .default(null)
      .openapi({ description: 'Id of a design of the account for this event, drawn for each post.', example: null }),
    image_url: text(MAX_TEMPLATE_URL_LENGTH, 'URL of an image; used without a design.', ''),
  })
  .openapi('WebhookTemplate', {
    description:
      'Message template of an event. `{name}` is replaced by a variable of the event, `{name:R}` by a chat timestamp (t T d D f F R).',
  });

/** Schemas with the names of the chat events. */
export function createTemplateSchemas({ chat }: Pick<WebhookEvents, 'chat'>) {
  const WebhookEventName = enumOf(chat).openapi({ description: 'Type of the event.', example: 'challenge' });
  const byEvent: Record<string, z.ZodType<Template | undefined>> = Object.fromEntries(
    chat.map((event) => [event, WebhookTemplate.optional()]),
  );
  /** Templates by event. */
  const WebhookTemplates = (z.object(byEvent) as unknown as z.ZodType<Templates>).openapi('WebhookTemplates', {
    description: 'Templates by event. An event without a template uses its default embed.',
  });
  return { WebhookEventName, WebhookTemplates };
}
