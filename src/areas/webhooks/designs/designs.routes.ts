import type { Caller } from '../../../platform/access/policy/admission.ts';
import { sessionAccess } from '../../../platform/access/policy/policy.ts';
import { sessionOf } from '../../../platform/access/sessions/session-caller.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { json, noContent } from '../../../platform/http/replies/reply.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import type { Starter } from './design-starters.data.ts';
import { DesignParams, type DesignSchemas, toDesignBody } from './designs.schemas.ts';
import type { DesignsService } from './designs.service.ts';

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
