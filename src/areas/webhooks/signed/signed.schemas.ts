import { z } from '@hono/zod-openapi';
import { enumOf, namedEnum, string } from '../../../platform/http/bodies/body-schemas.ts';
import { integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { OutgoingRequest } from '../../../platform/openapi/outgoing.ts';
import { disabledReason, isoOrNull, lastStatus, urlInput } from '../chat/webhooks.schemas.ts';
import { createConditionSchemas, toConditionBody } from '../conditions/conditions.schemas.ts';
import { MAX_LABEL_LENGTH, MAX_LOG_ROWS } from '../delivery/delivery.data.ts';
import { TEST_EVENT } from '../events/signed-message.domain.ts';
import type { WebhookEvents } from '../events/webhook-events.domain.ts';
import type { Webhook } from '../records/webhooks.store.ts';
import type { DeliveryAttempt } from '../records/webhooks.tables.ts';
import type { LoggedDelivery } from './delivery-log.store.ts';
import { parseEndpoint } from './endpoint-address.domain.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_ENDPOINT_LENGTH, MAX_OVERLAP_SECONDS } from './signed.domain.ts';
import type { WebhookWithSecret } from './signed.service.ts';

const DEFAULT_LOG_ROWS = 50;
const MESSAGE_ID = 'evt_48213_1773156600';
const ID = '6a0c1c2e-52f4-4f0e-8a55-0f3d1f9b7c21';

const instantOrNull = (description: string, example: string | null) => z.string().nullable().openapi({ description, example });

const url = urlInput(
  parseEndpoint,
  MAX_ENDPOINT_LENGTH,
  'HTTPS URL of the endpoint: a public host name, port 443 or 8443, no credentials, no IP address.',
  'https://hooks.example.com/game-events',
);
const label = z.string().trim().max(MAX_LABEL_LENGTH).openapi({ description: 'Name shown in the portal.', example: 'production' });

export const RotateSecret = z
  .object({
    overlap_seconds: z.number().int().min(0).max(MAX_OVERLAP_SECONDS).default(DEFAULT_OVERLAP_SECONDS).openapi({
      description: 'Seconds during which requests are also signed with the previous secret.',
      example: DEFAULT_OVERLAP_SECONDS,
    }),
  })
  .openapi('RotateWebhookSecret');

export const SignedWebhookParams = z.object({ id: z.string().max(64).openapi({ description: 'Id of the webhook.', example: ID }) });

export const DeliveryParams = SignedWebhookParams.extend({
  message_id: z.string().max(80).openapi({ description: 'Id of the message (`webhook-id`).', example: MESSAGE_ID }),
});

export const DeliveriesQuery = z.object({
  limit: integerWithDefault({
    min: 1,
    max: MAX_LOG_ROWS,
    default: DEFAULT_LOG_ROWS,
    description: 'Number of deliveries.',
    example: DEFAULT_LOG_ROWS,
  }),
});

const Attempt = z
  .object({
    at: string('Start time.', '2026-03-10T15:00:00.000Z'),
    status: z.number().int().nullable().openapi({ description: 'Status of the response; null: no response.', example: 500 }),
    error: z.string().nullable().openapi({ description: 'Error; null: none.', example: 'HTTP 500' }),
    duration_ms: z.number().int().openapi({ description: 'Duration in milliseconds.', example: 184 }),
    response: string('First 500 characters of the response body.', 'Internal Server Error'),
  })
  .openapi('WebhookAttempt', { description: 'An attempt to deliver a message.' });

/** Schemas of webhooks: in requests, and in responses with and without the secret. */
function createWebhookSchemas({ signed, conditions: known }: Pick<WebhookEvents, 'signed' | 'conditions'>) {
  const { conditions, conditionBodies } = createConditionSchemas(known);
  const EventType = enumOf(signed).openapi({ description: 'Event type.', example: 'challenge' });

  const events = z
    .array(EventType)
    .min(1)
    .max(signed.length)
    .openapi({ description: 'Event types to receive.', example: ['challenge', 'game_update'] });

  const RegisterSignedWebhook = z
    .object({ url, events, label: label.default(''), conditions: conditions.default([]) })
    .openapi('RegisterSignedWebhook');

  const EditSignedWebhook = z
    .object({
      url: url.optional(),
      events: events.optional(),
      label: label.optional(),
      conditions: conditions.optional().openapi({ description: 'Replaces all conditions.' }),
      active: z.boolean().optional().openapi({
        description: 'Whether events are delivered. Setting true also resets `failures` and `disabled_reason`.',
        example: true,
      }),
    })
    .openapi('EditSignedWebhook');

  const webhookFields = {
    id: string('Id.', ID),
    label: string('Name shown in the portal.', 'production'),
    url: string('URL; long path segments and the query are masked.', 'https://hooks.example.com/game-events'),
    events: z.array(EventType).openapi({ description: 'Event types that the webhook receives.', example: ['challenge'] }),
    conditions: conditionBodies,
    active: z.boolean().openapi({ description: 'Whether events are delivered.', example: true }),
    previous_secret_until: instantOrNull(
      'Time until which requests are also signed with the previous secret; null: not signed with it.',
      null,
    ),
    last_status: lastStatus,
    last_error: z.string().nullable().openapi({ description: 'Error of the last attempt; null: none.', example: null }),
    last_delivered_at: instantOrNull('Time of the last successful delivery.', '2026-03-10T15:00:00.000Z'),
    disabled_reason: disabledReason,
    created_at: string('Registration time.', '2026-03-01T12:00:00.000Z'),
  };

  const SignedWebhookBody = z.object(webhookFields).openapi('SignedWebhook', { description: 'A signed webhook.' });

  const SignedWebhooksBody = z
    .object({ items: z.array(SignedWebhookBody).openapi({ description: 'Newest first.' }) })
    .openapi('SignedWebhooks', { description: 'The signed webhooks of the account.' });

  const SignedWebhookWithSecret = z
    .object({
      ...webhookFields,
      secret: string('Signing secret; shown this once.', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfQiFW4xLU='),
    })
    .openapi('SignedWebhookWithSecret', { description: 'A signed webhook with its secret.' });

  return { RegisterSignedWebhook, EditSignedWebhook, SignedWebhookBody, SignedWebhooksBody, SignedWebhookWithSecret };
}

/** Schemas of deliveries and of the request that delivers an event. */
function createDeliverySchemas({ signed }: Pick<WebhookEvents, 'signed'>) {
  const MessageType = namedEnum('SignedMessageType', 'Type of a message of a signed webhook.', [...signed, TEST_EVENT]).openapi({
    description: 'Type of the message.',
    example: 'challenge',
  });

  const deliveryFields = {
    message_id: string('Id of the message (`webhook-id`).', MESSAGE_ID),
    type: MessageType,
    state: namedEnum('WebhookDeliveryState', 'State of a delivery.', ['pending', 'delivered', 'failed']).openapi({
      description: 'State of the delivery.',
      example: 'delivered',
    }),
    attempt_count: z.number().int().openapi({ description: 'Attempts so far.', example: 1 }),
    last_attempt: Attempt.nullable().openapi({ description: 'The newest attempt; null: none yet.' }),
    created_at: string('Time the message was queued.', '2026-03-10T15:00:00.000Z'),
    delivered_at: instantOrNull('Time of the successful delivery; null: not delivered.', '2026-03-10T15:00:00.000Z'),
    next_attempt_at: instantOrNull('Time of the next attempt; null: none.', null),
  };

  const WebhookDeliveryBody = z.object(deliveryFields).openapi('WebhookDelivery', { description: 'A delivery of a signed webhook.' });

  const WebhookDeliveriesBody = z
    .object({ items: z.array(WebhookDeliveryBody).openapi({ description: 'Newest first.' }) })
    .openapi('WebhookDeliveries', { description: 'Deliveries of a signed webhook.' });

  const WebhookDeliveryDetails = z
    .object({
      ...deliveryFields,
      attempts: z.array(Attempt).openapi({ description: 'The newest 12 attempts, oldest first.' }),
      body: string('Body of the request.', '{"type":"challenge","timestamp":"2026-03-10T15:00:00.000Z","data":{}}'),
    })
    .openapi('WebhookDeliveryDetails', { description: 'A delivery with its body and attempts.' });

  const SignedEventBody = z
    .object({
      type: MessageType,
      timestamp: string('Time of the event.', '2026-03-10T15:00:00.000Z'),
      data: z.unknown().openapi({
        description:
          'The `data` of the `StreamMessage` of this type; null when the body would be larger than 256 KiB. Of `market_price`: `item`, `price_each`, `stack`, `price`, `listing_id`, `new_listings`. Of `server_down`: `server`, `status`, `down_since`, `minutes`, `previous_minutes`.',
        example: {},
      }),
    })
    .openapi('SignedEvent', { description: 'The body of a signed webhook.' });

  return { WebhookDeliveryBody, WebhookDeliveriesBody, WebhookDeliveryDetails, SignedEventBody };
}

/** Schemas with the names of the event types. */
export const createSignedSchemas = (events: Pick<WebhookEvents, 'signed' | 'conditions'>) => ({
  ...createWebhookSchemas(events),
  ...createDeliverySchemas(events),
});
export type SignedSchemas = ReturnType<typeof createSignedSchemas>;

export function toSignedWebhookBody(
  webhook: Webhook,
  { conditions }: Pick<WebhookEvents, 'conditions'>,
  now: UnixSeconds,
): z.infer<SignedSchemas['SignedWebhookBody']> {
  const { previousUntil } = webhook;
  return {
    id: webhook.id,
    label: webhook.label,
    url: webhook.maskedUrl,
    events: webhook.events,
    conditions: webhook.conditions.map((condition) => toConditionBody(condition, conditions)),
    active: webhook.isActive,
    previous_secret_until: previousUntil !== null && previousUntil > now ? toIso(previousUntil) : null,
    last_status: webhook.lastStatus,
    last_error: webhook.lastError,
    last_delivered_at: isoOrNull(webhook.lastDeliveredAt),
    disabled_reason: webhook.disabledReason,
    created_at: toIso(webhook.createdAt),
  };
}

export function toBodyWithSecret(
  { webhook, secret }: WebhookWithSecret,
  events: Pick<WebhookEvents, 'conditions'>,
  now: UnixSeconds,
): z.infer<SignedSchemas['SignedWebhookWithSecret']> {
  return { ...toSignedWebhookBody(webhook, events, now), secret };
}

export function toDeliveryBody(delivery: LoggedDelivery): z.infer<SignedSchemas['WebhookDeliveryBody']> {
  const last = delivery.attempts.at(-1);
  return {
    message_id: delivery.messageId,
    type: delivery.event,
    state: delivery.state,
    attempt_count: delivery.tries,
    last_attempt: last ? toAttemptBody(last) : null,
    created_at: toIso(delivery.createdAt),
    delivered_at: isoOrNull(delivery.deliveredAt),
    next_attempt_at: delivery.nextAttemptAt === null ? null : new Date(delivery.nextAttemptAt).toISOString(),
  };
}

export function toDeliveryDetails(delivery: LoggedDelivery & { body: string }): z.infer<SignedSchemas['WebhookDeliveryDetails']> {
  return { ...toDeliveryBody(delivery), attempts: delivery.attempts.map(toAttemptBody), body: delivery.body };
}

function toAttemptBody({ at, ...attempt }: DeliveryAttempt): z.infer<typeof Attempt> {
  return { at: toIso(at), ...attempt };
}

/** Outgoing requests to signed webhooks. */
export const signedOutgoing = (events: WebhookEvents): Readonly<Record<string, OutgoingRequest>> => ({
  signed_event: {
    tag: 'Events',
    summary: 'An event happened',
    description:
      'Sent to each signed webhook that an account registered in the portal, for every type of the event stream. Signed as Standard Webhooks describes: `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`). Respond with 2xx within 10 seconds; otherwise the message is retried for a day under the same `webhook-id`. 410 disables the webhook.',
    content: { 'application/json': { schema: createSignedSchemas(events).SignedEventBody } },
    feature: 'featureWebhooksEnabled',
  },
});
