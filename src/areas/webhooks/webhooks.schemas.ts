import { z } from '@hono/zod-openapi';
import type { OutgoingRequest } from '../../platform/openapi/outgoing.ts';
import { toIso, type UnixSeconds } from '../../platform/time/clock.ts';
import { MAX_ADDRESS_LENGTH } from './address.data.ts';
import { readAddress } from './address.domain.ts';
import { MAX_LABEL_LENGTH } from './delivery/delivery.data.ts';
import { DEFAULT_TEMPLATES } from './templates/default-templates.data.ts';
import type { ChatMessage } from './templates/message.domain.ts';
import { sampleVariables } from './templates/samples.domain.ts';
import { WebhookEventName, WebhookTemplate, WebhookTemplates } from './templates/template.schemas.ts';
import { EVENT_VARIABLES, WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.data.ts';
import type { Webhook } from './webhooks.repository.ts';

const text = (description: string, example: string) => z.string().openapi({ description, example });
const isoOrNull = (at: UnixSeconds | null) => (at === null ? null : toIso(at));

/** The address of a chat webhook, read and checked. What is wrong is said without repeating it: it is a secret. */
const address = z
  .string()
  .max(MAX_ADDRESS_LENGTH)
  .transform((given, context) => {
    const read = readAddress(given);
    if (typeof read !== 'string') return read;
    context.addIssue({ code: 'custom', message: read, params: { type: 'invalid_format' } });
    return z.NEVER;
  })
  .openapi({
    type: 'string',
    maxLength: MAX_ADDRESS_LENGTH,
    description: 'Address of the webhook as the chat service gives it; a `thread_id` in its query is kept.',
    example: 'https://discord.com/api/webhooks/1201/Zm9yIGV4YW1wbGUgb25seSwgbm90IHJlYWw',
  });
const events = z
  .array(WebhookEventName)
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .openapi({ description: 'What it is told of.', example: ['challenge'] });
const label = z.string().trim().max(MAX_LABEL_LENGTH).openapi({ description: 'Name to know it by.', example: 'news channel' });

export const RegisterWebhook = z
  .object({ url: address, events, label: label.default(''), templates: WebhookTemplates.default({}) })
  .openapi('RegisterWebhook');

export const EditWebhook = z
  .object({
    url: address.optional(),
    events: events.optional(),
    label: label.optional(),
    active: z
      .boolean()
      .optional()
      .openapi({ description: 'Whether events are posted; true also forgets failures and why it was switched off.', example: true }),
    templates: WebhookTemplates.optional().openapi({ description: 'Replaces all templates.' }),
  })
  .openapi('EditWebhook');

export const WebhookParams = z.object({
  id: z.string().max(64).openapi({ description: 'Id of the webhook.', example: '6a0c1c2e-52f4-4f0e-8a55-0f3d1f9b7c21' }),
});

export const TestQuery = z.object({
  event: WebhookEventName.optional().openapi({ description: 'Event to make up; absent: a message that says the webhook works.' }),
});

export const WebhookBody = z
  .object({
    id: text('Id.', '6a0c1c2e-52f4-4f0e-8a55-0f3d1f9b7c21'),
    label: text('Name to know it by.', 'news channel'),
    url: text('Address; its secret is masked.', 'https://discord.com/api/webhooks/1201/Zm9y…Ww'),
    events: z.array(WebhookEventName).openapi({ description: 'What it is told of.', example: ['challenge'] }),
    templates: WebhookTemplates,
    active: z.boolean().openapi({ description: 'Whether events are posted.', example: true }),
    last_status: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'Status of the last answer; null: none yet, or no answer.', example: 204 }),
    last_error: z.string().nullable().openapi({ description: 'What went wrong last; null: nothing.', example: null }),
    last_delivered_at: z
      .string()
      .nullable()
      .openapi({ description: 'When something was last delivered.', example: '2026-03-10T15:00:00.000Z' }),
    disabled_reason: z.string().nullable().openapi({ description: 'Why the service switched it off; null: it did not.', example: null }),
    created_at: text('When it was registered.', '2026-03-01T12:00:00.000Z'),
  })
  .openapi('Webhook', { description: 'A chat webhook.' });

export function toWebhookBody(webhook: Webhook): z.infer<typeof WebhookBody> {
  return {
    id: webhook.id,
    label: webhook.label,
    url: webhook.maskedAddress,
    events: webhook.events as WebhookEvent[],
    templates: webhook.templates,
    active: webhook.isActive,
    last_status: webhook.lastStatus,
    last_error: webhook.lastError,
    last_delivered_at: isoOrNull(webhook.lastDeliveredAt),
    disabled_reason: webhook.disabledReason,
    created_at: toIso(webhook.createdAt),
  };
}

export const WebhooksBody = z
  .object({ items: z.array(WebhookBody).openapi({ description: 'Newest first.' }) })
  .openapi('Webhooks', { description: 'The webhooks of the account.' });

const Variables = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .openapi({ description: 'Values by placeholder.', example: { name: 'RAMPAGE ALERT!', ends_at: 1_773_156_000 } });

const EventMeta = z
  .object({
    key: WebhookEventName,
    variables: z.array(text('Placeholder.', 'name')).openapi({ description: 'Placeholders of the event.', example: ['name'] }),
    default_template: WebhookTemplate,
    sample: Variables,
  })
  .openapi('WebhookEventMeta', { description: 'What there is to know about an event.' });

export const WebhookEventsBody = z
  .object({
    events: z.array(WebhookEventName).openapi({ description: 'Every event.', example: ['challenge'] }),
    meta: z.array(EventMeta).openapi({ description: 'More about each.' }),
  })
  .openapi('WebhookEvents', { description: 'The events that a webhook can be told of.' });

export function toWebhookEventsBody(now: UnixSeconds): z.infer<typeof WebhookEventsBody> {
  const meta = WEBHOOK_EVENTS.map((key) => ({
    key,
    variables: [...EVENT_VARIABLES[key]],
    default_template: DEFAULT_TEMPLATES[key],
    sample: { ...sampleVariables(key, now) },
  }));
  return { events: [...WEBHOOK_EVENTS], meta };
}

export const TestBody = z
  .object({
    ok: z.boolean().openapi({ description: 'Whether the chat service took it.', example: true }),
    status: z.number().int().nullable().openapi({ description: 'Status of its answer; null: none.', example: 204 }),
    error: z.string().nullable().openapi({ description: 'What went wrong; null: nothing.', example: null }),
  })
  .openapi('WebhookTest', { description: 'How a trial post went.' });

export const PreviewInput = z.object({ event: WebhookEventName, template: WebhookTemplate }).openapi('WebhookPreviewInput');

const EmbedBody = z
  .object({
    title: text('Title.', 'RAMPAGE ALERT!').optional(),
    url: text('Where the title links to.', 'https://example.com').optional(),
    description: text('Text.', 'Ends soon.').optional(),
    color: z.number().int().optional().openapi({ description: 'Colour as a number.', example: 15_901_500 }),
    fields: z
      .array(
        z
          .object({
            name: text('Line above.', 'Type'),
            value: text('Line below.', 'Rampage'),
            inline: z.boolean().openapi({ description: 'Beside others rather than below them.', example: true }),
          })
          .openapi('WebhookEmbedField', { description: 'A field of an embed.' }),
      )
      .optional()
      .openapi({ description: 'Fields.' }),
    footer: z
      .object({ text: text('Small text below.', 'by ana') })
      .optional()
      .openapi({ description: 'Footer.', example: { text: 'by ana' } }),
    image: z
      .object({ url: text('Address; `attachment://…` for a picture that is drawn and attached.', 'attachment://embed-image.png') })
      .optional()
      .openapi({ description: 'Picture.', example: { url: 'attachment://embed-image.png' } }),
  })
  .openapi('WebhookEmbed', { description: 'An embed as the chat service takes it.' });

/** A message as the chat service receives it. */
export const ChatMessageBody = z
  .object({
    content: z.string().optional().openapi({ description: 'Text above the embed.', example: 'A new challenge!' }),
    embeds: z.array(EmbedBody).openapi({ description: 'The embed; none when the template shows only the text.' }),
    allowed_mentions: z
      .object({ parse: z.array(z.string()).openapi({ description: 'Always empty.', example: [] }) })
      .openapi({ description: 'Nobody is notified by the message.', example: { parse: [] } }),
  })
  .openapi('ChatMessage', { description: 'A message for a chat webhook (the form of Discord).' });

const ChatMessageForm = z
  .object({
    payload_json: z.string().openapi({ description: 'A `ChatMessage` as JSON.', example: '{"embeds":[],"allowed_mentions":{"parse":[]}}' }),
    'files[0]': z.string().openapi({ format: 'binary', description: 'The image of the embed.', example: '' }),
  })
  .openapi('ChatMessageForm', { description: 'A message with its image.' });

const EVENT_TEXTS: Readonly<Record<WebhookEvent, string>> = {
  challenge: 'A challenge was reported',
  mod_release: 'A mod was released',
  game_update: 'The game was updated',
};

/** What is posted to the chat webhooks that accounts register, by event. */
export const OUTGOING_WEBHOOKS: Readonly<Record<string, OutgoingRequest>> = Object.fromEntries(
  WEBHOOK_EVENTS.map((event) => [
    event,
    {
      tag: 'Events',
      summary: EVENT_TEXTS[event],
      description:
        'Posted to each chat webhook that an account registered for this event in the portal. The text follows its template. A message with an image is sent as a form.',
      content: { 'application/json': { schema: ChatMessageBody }, 'multipart/form-data': { schema: ChatMessageForm } },
      feature: 'featureWebhooksEnabled',
    } satisfies OutgoingRequest,
  ]),
);

export const PreviewBody = z
  .object({
    content: z.string().nullable().openapi({ description: 'Text above the embed; null: none.', example: 'A new challenge!' }),
    embeds: z.array(EmbedBody).openapi({ description: 'The embed; none when the template shows only the text.' }),
  })
  .openapi('WebhookPreview', { description: 'The message of a made-up event.' });

export function toPreviewBody({ content, embeds }: ChatMessage): z.infer<typeof PreviewBody> {
  return { content: content ?? null, embeds };
}
