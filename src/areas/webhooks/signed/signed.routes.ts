import { type SessionRateLimit, sessionAccess } from '../../../platform/access/policy/policy.ts';
import { sessionOf } from '../../../platform/access/sessions/session-admission.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json, noContent } from '../../../platform/http/replies/reply.ts';
import { SECONDS_PER_HOUR } from '../../../platform/kit/time/clock.ts';
import type { WebhookEvents } from '../events/webhook-events.domain.ts';
import { MAX_SIGNED_WEBHOOKS } from './signed.domain.ts';
import {
  DeliveriesQuery,
  DeliveryParams,
  RotateSecret,
  type SignedSchemas,
  SignedWebhookParams,
  toBodyWithSecret,
  toDeliveryBody,
  toDeliveryDetails,
  toSignedWebhookBody,
} from './signed.schemas.ts';
import type { SignedWebhooksService } from './signed.service.ts';

/** Rate limit of requests that look up a host name or send a request, per account. */
const signedWebhookRateLimit: SessionRateLimit = {
  name: 'signed-webhooks',
  limitOf: () => ({ limit: 60, windowSeconds: SECONDS_PER_HOUR }),
};

const shared = {
  tag: 'Webhooks',
  surface: 'portal',
  hidden: true,
  access: sessionAccess(),
  feature: 'featureWebhooksEnabled',
} as const;

/** Endpoints that send requests to other hosts. */
const outgoing = { ...shared, access: sessionAccess('verified', signedWebhookRateLimit) } as const;

type Known = Pick<WebhookEvents, 'conditions'>;

/** `/v1/webhooks/signed`: the signed webhooks of the session's account and their deliveries. */
export function createSignedWebhookEndpoints(service: SignedWebhooksService, schemas: SignedSchemas, events: Known): Endpoint[] {
  return [
    ...webhookEndpoints(service, schemas, events),
    ...changeEndpoints(service, schemas, events),
    ...deliveryEndpoints(service, schemas),
    ...sendEndpoints(service, schemas),
  ];
}

function webhookEndpoints(service: SignedWebhooksService, schemas: SignedSchemas, events: Known): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/v1/webhooks/signed',
      operationId: 'listSignedWebhooks',
      summary: 'List signed webhooks',
      description: 'Lists the signed webhooks of the account with the result of the last attempt.',
      ok: { description: 'The webhooks.', schema: schemas.SignedWebhooksBody },
    }).handle(async ({ caller, now }) => {
      const webhooks = await service.list(sessionOf(caller).userId);
      return json({ items: webhooks.map((webhook) => toSignedWebhookBody(webhook, events, now)) });
    }),

    defineRoute({
      ...outgoing,
      method: 'post',
      path: '/v1/webhooks/signed',
      operationId: 'registerSignedWebhook',
      summary: 'Register a signed webhook',
      description: `Sends events to an HTTPS endpoint, signed as Standard Webhooks describes. The secret is shown this once. An account may have ${MAX_SIGNED_WEBHOOKS}.`,
      body: schemas.RegisterSignedWebhook,
      showsSecret: true,
      errors: ['bad_request', 'service_unavailable'],
      ok: { status: 201, description: 'The webhook with its secret.', schema: schemas.SignedWebhookWithSecret },
    }).handle(async ({ caller, body, now }) =>
      json(toBodyWithSecret(await service.register(sessionOf(caller).userId, body, now), events, now)),
    ),
  ];
}

function changeEndpoints(service: SignedWebhooksService, schemas: SignedSchemas, events: Known): Endpoint[] {
  return [
    defineRoute({
      ...outgoing,
      method: 'patch',
      path: '/v1/webhooks/signed/{id}',
      operationId: 'editSignedWebhook',
      summary: 'Edit a signed webhook',
      description: 'Changes the given fields. Pending deliveries go to the new URL; those of removed event types are dropped.',
      params: SignedWebhookParams,
      body: schemas.EditSignedWebhook,
      bodyIsOptional: true,
      errors: ['not_found', 'service_unavailable'],
      ok: { description: 'The webhook.', schema: schemas.SignedWebhookBody },
    }).handle(async ({ caller, params, body: { active, ...edit }, now }) =>
      json(toSignedWebhookBody(await service.edit(sessionOf(caller).userId, params.id, { ...edit, isActive: active }), events, now)),
    ),

    defineRoute({
      ...outgoing,
      method: 'post',
      path: '/v1/webhooks/signed/{id}/rotate',
      operationId: 'rotateSignedWebhookSecret',
      summary: 'Rotate a signing secret',
      description: 'Creates a new secret, shown this once. Requests carry signatures of both secrets until `previous_secret_until`.',
      params: SignedWebhookParams,
      body: RotateSecret,
      bodyIsOptional: true,
      showsSecret: true,
      errors: ['not_found', 'conflict'],
      ok: { description: 'The webhook with its new secret.', schema: schemas.SignedWebhookWithSecret },
    }).handle(async ({ caller, params, body, now }) =>
      json(toBodyWithSecret(await service.rotate(sessionOf(caller).userId, params.id, body.overlap_seconds), events, now)),
    ),

    defineRoute({
      ...shared,
      method: 'delete',
      path: '/v1/webhooks/signed/{id}',
      operationId: 'deleteSignedWebhook',
      summary: 'Delete a signed webhook',
      description: 'Deletes the webhook with its deliveries; pending ones are dropped.',
      params: SignedWebhookParams,
      errors: ['not_found'],
      ok: { status: 204, contentTypes: [], description: 'Deleted.' },
    }).handle(async ({ caller, params }) => {
      await service.remove(sessionOf(caller).userId, params.id);
      return noContent();
    }),
  ];
}

function deliveryEndpoints(service: SignedWebhooksService, schemas: SignedSchemas): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/v1/webhooks/signed/{id}/deliveries',
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries',
      description: 'Lists the deliveries of a signed webhook in the last 7 days.',
      params: SignedWebhookParams,
      query: DeliveriesQuery,
      errors: ['not_found'],
      ok: { description: 'The deliveries.', schema: schemas.WebhookDeliveriesBody },
    }).handle(async ({ caller, params, query }) => {
      const deliveries = await service.deliveries(sessionOf(caller).userId, params.id, query.limit);
      return json({ items: deliveries.map(toDeliveryBody) });
    }),

    defineRoute({
      ...shared,
      method: 'get',
      path: '/v1/webhooks/signed/{id}/deliveries/{message_id}',
      operationId: 'getWebhookDelivery',
      summary: 'Get a delivery',
      description: 'Returns a delivery with its request body and attempts.',
      params: DeliveryParams,
      errors: ['not_found'],
      ok: { description: 'The delivery.', schema: schemas.WebhookDeliveryDetails },
    }).handle(async ({ caller, params }) =>
      json(toDeliveryDetails(await service.delivery(sessionOf(caller).userId, params.id, params.message_id))),
    ),
  ];
}

function sendEndpoints(service: SignedWebhooksService, schemas: SignedSchemas): Endpoint[] {
  return [
    defineRoute({
      ...outgoing,
      method: 'post',
      path: '/v1/webhooks/signed/{id}/test',
      operationId: 'testSignedWebhook',
      summary: 'Send a test event',
      description: 'Queues a message of type `test`. It is delivered and retried like an event.',
      params: SignedWebhookParams,
      errors: ['not_found', 'bad_request'],
      ok: { status: 202, description: 'The delivery.', schema: schemas.WebhookDeliveryBody },
    }).handle(async ({ caller, params }) => json(toDeliveryBody(await service.test(sessionOf(caller).userId, params.id)))),

    defineRoute({
      ...outgoing,
      method: 'post',
      path: '/v1/webhooks/signed/{id}/deliveries/{message_id}/replay',
      operationId: 'replayWebhookDelivery',
      summary: 'Replay a delivery',
      description: 'Delivers a message of the last 7 days again under the same `webhook-id`. A pending delivery is attempted now.',
      params: DeliveryParams,
      errors: ['not_found', 'bad_request'],
      ok: { status: 202, description: 'The delivery.', schema: schemas.WebhookDeliveryBody },
    }).handle(async ({ caller, params }) =>
      json(toDeliveryBody(await service.replay(sessionOf(caller).userId, params.id, params.message_id))),
    ),
  ];
}
