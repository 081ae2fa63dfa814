import { sessionAccess } from '../../../platform/access/policy/policy.ts';
import { sessionOf } from '../../../platform/access/sessions/session-admission.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json, noContent } from '../../../platform/http/replies/reply.ts';
import { TriedConditionsBody, toTriedBody } from '../conditions/conditions.schemas.ts';
import type { WebhookEvents } from '../events/webhook-events.domain.ts';
import type { LastFactsStore } from '../records/last-facts.store.ts';
import type { Composer } from './composer.service.ts';
import {
  PreviewBody,
  TestBody,
  toPreviewBody,
  toWebhookBody,
  toWebhookEventsBody,
  WebhookParams,
  type WebhookSchemas,
} from './webhooks.schemas.ts';
import type { WebhooksService } from './webhooks.service.ts';

/** Room for the longest templates of all events. */
const BODY_LIMIT = 2 * 1024 * 1024;

const shared = {
  tag: 'Webhooks',
  surface: 'portal',
  hidden: true,
  access: sessionAccess(),
  feature: 'featureWebhooksEnabled',
} as const;

interface WebhookRoutesDeps {
  service: WebhooksService;
  composer: Pick<Composer, 'preview'>;
  events: WebhookEvents;
  lastFacts: Pick<LastFactsStore, 'find'>;
  schemas: WebhookSchemas;
}

/** `/v1/webhooks`: the chat webhooks of the signed-in account. */
export function createWebhookEndpoints(deps: WebhookRoutesDeps): Endpoint[] {
  return [...readEndpoints(deps), ...changeEndpoints(deps), ...testEndpoints(deps)];
}

function readEndpoints({ service, events, schemas }: WebhookRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'get',
      path: '/v1/webhooks/events',
      operationId: 'listWebhookEvents',
      summary: 'List webhook events',
      description: 'Lists the events of chat webhooks with their placeholders, default templates and sample values.',
      ok: { description: 'The events.', schema: schemas.WebhookEventsBody },
    }).handle(({ now }) => json(toWebhookEventsBody(events, now))),

    defineRoute({
      ...shared,
      method: 'get',
      path: '/v1/webhooks',
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description: 'Lists the chat webhooks of the account with the result of the last post.',
      ok: { description: 'The webhooks.', schema: schemas.WebhooksBody },
    }).handleOwn(
      ({ userId }) => service.list(userId),
      (webhooks) => json({ items: webhooks.map((webhook) => toWebhookBody(webhook, events)) }),
    ),
  ];
}

function changeEndpoints({ service, events, schemas }: WebhookRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'post',
      path: '/v1/webhooks',
      operationId: 'registerWebhook',
      summary: 'Register a webhook',
      description: 'Registers a webhook of a chat service. The service posts the chosen events to it. An account may have 15.',
      body: schemas.RegisterWebhook,
      bodyLimit: BODY_LIMIT,
      ok: { status: 201, description: 'The webhook.', schema: schemas.WebhookBody },
    }).handle(async ({ caller, body: { url, ...input }, now }) =>
      json(toWebhookBody(await service.register(sessionOf(caller).userId, { ...input, address: url }, now), events)),
    ),

    defineRoute({
      ...shared,
      method: 'patch',
      path: '/v1/webhooks/{id}',
      operationId: 'editWebhook',
      summary: 'Edit a webhook',
      description: 'Changes the given fields. Templates and conditions of removed events are deleted.',
      params: WebhookParams,
      body: schemas.EditWebhook,
      bodyIsOptional: true,
      bodyLimit: BODY_LIMIT,
      errors: ['not_found'],
      ok: { description: 'The edited webhook.', schema: schemas.WebhookBody },
    }).handle(async ({ caller, params, body: { url, active, ...edit } }) =>
      json(toWebhookBody(await service.edit(sessionOf(caller).userId, params.id, { ...edit, address: url, isActive: active }), events)),
    ),

    defineRoute({
      ...shared,
      method: 'delete',
      path: '/v1/webhooks/{id}',
      operationId: 'removeWebhook',
      summary: 'Delete a webhook',
      description: 'Deletes the webhook and drops its pending posts.',
      params: WebhookParams,
      errors: ['not_found'],
      ok: { status: 204, contentTypes: [], description: 'Removed.' },
    }).handle(async ({ caller, params }) => {
      await service.remove(sessionOf(caller).userId, params.id);
      return noContent();
    }),
  ];
}

function testEndpoints({ service, composer, events, lastFacts, schemas }: WebhookRoutesDeps): Endpoint[] {
  return [
    defineRoute({
      ...shared,
      method: 'post',
      path: '/v1/webhooks/conditions/try',
      operationId: 'tryWebhookConditions',
      summary: 'Try conditions',
      description: 'Returns conditions in words, and whether the last event of each meets it. Nothing is stored or posted.',
      isStateless: true,
      body: schemas.TryConditionsInput,
      ok: { description: 'The results.', schema: TriedConditionsBody },
    }).handle(async ({ body: { conditions } }) => {
      const { sentenceOf, toStored, tried } = events.conditions;
      const last = await lastFacts.find([...new Set(conditions.map(({ event }) => event))]);
      return json({
        items: conditions.map((condition) =>
          toTriedBody(sentenceOf(condition), tried(toStored(condition), last.get(condition.event) ?? {})),
        ),
      });
    }),

    defineRoute({
      ...shared,
      method: 'post',
      path: '/v1/webhooks/{id}/test',
      operationId: 'testWebhook',
      summary: 'Test a webhook',
      description:
        'Posts a sample event, or a message that the webhook works, and returns the result. A message with a drawn image counts towards the drawing rate limit of the account.',
      params: WebhookParams,
      query: schemas.TestQuery,
      errors: ['not_found', 'rate_limited'],
      ok: { description: 'The result.', schema: TestBody },
    }).handle(async ({ caller, params, query, settings, now }) =>
      json(await service.test(sessionOf(caller).userId, params.id, query.event ?? null, settings, now)),
    ),

    defineRoute({
      ...shared,
      method: 'post',
      path: '/v1/webhooks/preview',
      operationId: 'previewWebhook',
      summary: 'Preview a template',
      description: 'Returns the message of a template for a sample event. Nothing is posted or drawn.',
      isStateless: true,
      body: schemas.PreviewInput,
      bodyLimit: BODY_LIMIT,
      ok: { description: 'The message.', schema: PreviewBody },
    }).handle(({ body: { event, template }, now, settings }) =>
      json(toPreviewBody(composer.preview(event, template, events.sampleVariables(event, now), settings.featureImageStudioEnabled))),
    ),
  ];
}
