import { z } from '@hono/zod-openapi';
import { string } from '../../../platform/http/bodies/body-schemas.ts';
import { toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { OutgoingRequest } from '../../../platform/openapi/outgoing.ts';
import { createConditionSchemas, DeclaredConditionBody, toConditionBody, toDeclaredBody } from '../conditions/conditions.schemas.ts';
import { MAX_LABEL_LENGTH } from '../delivery/delivery.data.ts';
import type { ChatMessage } from '../events/template.domain.ts';
import { createTemplateSchemas, WebhookTemplate } from '../events/template.schemas.ts';
import type { WebhookEvents } from '../events/webhook-events.domain.ts';
import type { Webhook } from '../records/webhooks.store.ts';
import { MAX_ADDRESS_LENGTH, parseAddress } from './address.domain.ts';

export const isoOrNull = (at: UnixSeconds | null) => (at === null ? null : toIso(at));

/** A URL; `parse` returns an error as text. Errors do not contain the URL, which may be a secret. */
export function urlInput<Url extends object>(
  parse: (text: string) => Url | string,
  maxLength: number,
  description: string,
  example: string,
) {
  return z
    .string()
    .max(maxLength)
    .transform((given, context): Url => {
      const read = parse(given);
      if (typeof read !== 'string') return read;
      context.addIssue({ code: 'custom', message: read, params: { type: 'invalid_format' } });
      return z.NEVER;
    })
    .openapi({ type: 'string', maxLength, description, example });
}

/** Fields of chat and signed webhooks. */
export const lastStatus = z
  .number()
  .int()
  .nullable()
  .openapi({ description: 'Status of the last response; null: none yet, or no response.', example: 204 });
export const disabledReason = z
  .string()
  .nullable()
  .openapi({ description: 'Why the service disabled the webhook; null: not disabled by the service.', example: null });

const address = urlInput(
  parseAddress,
  MAX_ADDRESS_LENGTH,
  'Webhook URL from the chat service. A `thread_id` in the query selects a thread.',
  'https://discord.com/api/webhooks/1201/Zm9yIGV4YW1wbGUgb25seSwgbm90IHJlYWw',
);
const label = z.string().trim().max(MAX_LABEL_LENGTH).openapi({ description: 'Display name.', example: 'news channel' });

export const WebhookParams = z.object({
  id: z.string().max(64).openapi({ description: 'Id of the webhook.', example: '6a0c1c2e-52f4-4f0e-8a55-0f3d1f9b7c21' }),
});

const Variables = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .openapi({ description: 'Values by placeholder.', example: { name: 'RAMPAGE ALERT!', ends_at: 1_773_156_000 } });

/** Schemas with the names of the chat events. */
export function createWebhookSchemas(known: Pick<WebhookEvents, 'chat' | 'conditions'>) {
  const { WebhookEventName, WebhookTemplates } = createTemplateSchemas(known);
  const { conditions, conditionBodies, TryConditionsInput } = createConditionSchemas(known.conditions);
  const events = z
    .array(WebhookEventName)
    .min(1)
    .max(known.chat.length)
    .openapi({ description: 'Events that the service posts.', example: ['challenge'] });

  const RegisterWebhook = z
    .object({
      url: address,
      events,
      label: label.default(''),
      templates: WebhookTemplates.default({}),
      conditions: conditions.default([]),
    })
    .openapi('RegisterWebhook');

  const EditWebhook = z
    .object({
      url: address.optional(),
      events: events.optional(),
      label: label.optional(),
      active: z
        .boolean()
        .optional()
        .openapi({ description: 'Whether events are posted. Setting true also resets `failures` and `disabled_reason`.', example: true }),
      templates: WebhookTemplates.optional().openapi({ description: 'Replaces all templates.' }),
      conditions: conditions.optional().openapi({ description: 'Replaces all conditions.' }),
    })
    .openapi('EditWebhook');

  const TestQuery = z.object({
    event: WebhookEventName.optional().openapi({ description: 'Event to send a sample of; absent: a message that the webhook works.' }),
  });

  const WebhookBody = z
    .object({
      id: string('Id.', '6a0c1c2e-52f4-4f0e-8a55-0f3d1f9b7c21'),
      label: string('Display name.', 'news channel'),
      url: string('Webhook URL with a masked secret.', 'https://discord.com/api/webhooks/1201/Zm9y…Ww'),
      events: z.array(WebhookEventName).openapi({ description: 'Events that the service posts.', example: ['challenge'] }),
      templates: WebhookTemplates,
      conditions: conditionBodies,
      active: z.boolean().openapi({ description: 'Whether events are posted.', example: true }),
      last_status: lastStatus,
      last_error: z.string().nullable().openapi({ description: 'Error of the last post; null: none.', example: null }),
      last_delivered_at: z
        .string()
        .nullable()
        .openapi({ description: 'Time of the last successful post.', example: '2026-03-10T15:00:00.000Z' }),
      disabled_reason: disabledReason,
      created_at: string('Registration time.', '2026-03-01T12:00:00.000Z'),
    })
    .openapi('Webhook', { description: 'A chat webhook.' });

  const WebhooksBody = z
    .object({ items: z.array(WebhookBody).openapi({ description: 'Newest first.' }) })
    .openapi('Webhooks', { description: 'The webhooks of the account.' });

  const EventMeta = z
    .object({
      key: WebhookEventName,
      label: string('Display name.', 'Challenge'),
      variables: z.array(string('Placeholder.', 'name')).openapi({ description: 'Placeholders of the event.', example: ['name'] }),
      default_template: WebhookTemplate,
      sample: Variables,
      conditions: z.array(DeclaredConditionBody).openapi({ description: 'Conditions of the event.' }),
      needs_condition: z
        .boolean()
        .openapi({ description: 'Whether a webhook of this event must have a condition for it.', example: false }),
    })
    .openapi('WebhookEventMeta', { description: 'Placeholders, default template and sample values of an event.' });

  const WebhookEventsBody = z
    .object({
      events: z.array(WebhookEventName).openapi({ description: 'All events.', example: ['challenge'] }),
      meta: z.array(EventMeta).openapi({ description: 'Details of each event.' }),
    })
    .openapi('WebhookEvents', { description: 'The events of chat webhooks.' });

  const PreviewInput = z.object({ event: WebhookEventName, template: WebhookTemplate }).openapi('WebhookPreviewInput');

  return { RegisterWebhook, EditWebhook, TestQuery, WebhookBody, WebhooksBody, WebhookEventsBody, PreviewInput, TryConditionsInput };
}
export type WebhookSchemas = ReturnType<typeof createWebhookSchemas>;

export function toWebhookBody(webhook: Webhook, known: Pick<WebhookEvents, 'conditions'>): z.infer<WebhookSchemas['WebhookBody']> {
  return {
    id: webhook.id,
    label: webhook.label,
    url: webhook.maskedUrl,
    events: webhook.events,
    templates: webhook.templates,
    conditions: webhook.conditions.map((condition) => toConditionBody(condition, known.conditions)),
    active: webhook.isActive,
    last_status: webhook.lastStatus,
    last_error: webhook.lastError,
    last_delivered_at: isoOrNull(webhook.lastDeliveredAt),
    disabled_reason: webhook.disabledReason,
    created_at: toIso(webhook.createdAt),
  };
}

export function toWebhookEventsBody(events: WebhookEvents, now: UnixSeconds): z.infer<WebhookSchemas['WebhookEventsBody']> {
  const meta = events.chat.map((key) => ({
    key,
    label: events.declarationOf(key).label,
    variables: events.placeholdersOf(key),
    default_template: events.defaultTemplateOf(key),
    sample: { ...events.sampleVariables(key, now) },
    conditions: events.conditions.declaredOf(key).map(toDeclaredBody),
    needs_condition: events.conditions.needsCondition(key),
  }));
  return { events: [...events.chat], meta };
}

export const TestBody = z
  .object({
    ok: z.boolean().openapi({ description: 'Whether the chat service accepted the post.', example: true }),
    status: z.number().int().nullable().openapi({ description: 'Status of the response; null: no response.', example: 204 }),
    error: z.string().nullable().openapi({ description: 'Error; null: none.', example: null }),
  })
  .openapi('WebhookTest', { description: 'Result of a test post.' });

const EmbedBody = z
  .object({
    title: string('Title.', 'RAMPAGE ALERT!').optional(),
    url: string('Link of the title.', 'https://example.com').optional(),
    description: string('Text.', 'Ends soon.').optional(),
    color: z.number().int().optional().openapi({ description: 'Colour as a number.', example: 15_901_500 }),
    fields: z
      .array(
        z
          .object({
            name: string('Heading of the field.', 'Type'),
            value: string('Text of the field.', 'Rampage'),
            inline: z.boolean().openapi({ description: 'Whether the field is shown beside others.', example: true }),
          })
          .openapi('WebhookEmbedField', { description: 'An embed field.' }),
      )
      .optional()
      .openapi({ description: 'Fields.' }),
    footer: z
      .object({ text: string('Footer text.', 'by ana') })
      .optional()
      .openapi({ description: 'Footer.', example: { text: 'by ana' } }),
    image: z
      .object({ url: string('URL; `attachment://…` for a drawn image that is attached.', 'attachment://embed-image.png') })
      .optional()
      .openapi({ description: 'Image.', example: { url: 'attachment://embed-image.png' } }),
  })
  .openapi('WebhookEmbed', { description: 'An embed in the format of the chat service.' });

/** A message in the format of the chat service. */
const ChatMessageBody = z
  .object({
    content: z.string().optional().openapi({ description: 'Text above the embed.', example: 'A new challenge!' }),
    embeds: z.array(EmbedBody).openapi({ description: 'At most one embed; empty for a template with text alone.' }),
    allowed_mentions: z
      .object({ parse: z.array(z.string()).openapi({ description: 'Always empty.', example: [] }) })
      .openapi({ description: 'Disables mentions.', example: { parse: [] } }),
  })
  .openapi('ChatMessage', { description: 'A chat webhook message in the format of Discord.' });

const ChatMessageForm = z
  .object({
    payload_json: z.string().openapi({ description: 'A `ChatMessage` as JSON.', example: '{"embeds":[],"allowed_mentions":{"parse":[]}}' }),
    'files[0]': z.string().openapi({ format: 'binary', description: 'The image of the embed.', example: '' }),
  })
  .openapi('ChatMessageForm', { description: 'A message with its image.' });

/** Outgoing requests to chat webhooks, by event. */
export const chatOutgoing = ({ chat, declarationOf }: WebhookEvents): Readonly<Record<string, OutgoingRequest>> =>
  Object.fromEntries(
    chat.map((event) => [
      event,
      {
        tag: 'Events',
        summary: declarationOf(event).summary,
        description:
          'Posted to each chat webhook that is registered for this event in the portal. The template of the webhook sets the text. A message with an image is sent as `multipart/form-data`.',
        content: { 'application/json': { schema: ChatMessageBody }, 'multipart/form-data': { schema: ChatMessageForm } },
        feature: 'featureWebhooksEnabled',
      } satisfies OutgoingRequest,
    ]),
  );

export const PreviewBody = z
  .object({
    content: z.string().nullable().openapi({ description: 'Text above the embed; null: none.', example: 'A new challenge!' }),
    embeds: z.array(EmbedBody).openapi({ description: 'At most one embed; empty for a template with text alone.' }),
  })
  .openapi('WebhookPreview', { description: 'The message of a sample event.' });

export function toPreviewBody({ content, embeds }: ChatMessage): z.infer<typeof PreviewBody> {
  return { content: content ?? null, embeds };
}
